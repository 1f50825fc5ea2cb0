"""The folder of a training run: recipe.json, and for each stage a folder with stage.json and candidate/.

runs/train/NAME/recipe.json
runs/train/NAME/STAGE/stage.json    what was begun, and what came of it
runs/train/NAME/STAGE/candidate/    the model, candidate.json and README.md
runs/train/NAME/STAGE/checkpoints/  what an unfinished stage goes on from
runs/train/NAME/STAGE/…             journals and logs of the stage
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from lt_bench.config import digest
from lt_bench.errors import UsageError
from lt_bench.records import Record
from lt_bench.run import lock
from lt_bench.run.changes import differences
from lt_bench.run.disk import write_whole
from lt_bench.run.rundir import RUNS
from lt_bench.train.identity import (
    PARENTS,
    named_as_in_recipe,
    without_parents,
    without_user_info,
)
from lt_bench.train.loading import STAGE_NAME, NamedRecipe
from lt_bench.train.parents import CANDIDATE, Parent
from lt_bench.train.stage import CHECKPOINTS

RECIPE, STAGE, LOCK = "recipe.json", "stage.json", ".lock"
OWN: Final = frozenset((LOCK, f".{RECIPE}.part"))
"""What a training that died at once may have left."""
SHOWN: Final = 3
"""Changed keys that a message names."""


class RecipeFile(Record):
    """recipe.json: the recipe as it was resolved. `lt_bench` is the version that did."""

    name: str
    recipe: dict[str, Any]
    lt_bench: str


class StageFile(Record):
    """stage.json. `settings` is everything that decides what the stage makes and `sha` its hash;
    `parent` is what the recipe starts it from and `parent_sha` the fingerprint of those files;
    times are UTC. The rest is known once it is finished."""

    name: str
    kind: str
    settings: dict[str, Any]
    sha: str
    parent: str | None
    parent_sha: str | None
    status: Literal["began", "finished"]
    began: str
    finished: str | None = None
    packages: dict[str, str] = Field(default_factory=dict)
    git_commit: str | None = None
    candidate_sha: str | None = None
    rows: int | None = None
    data_sha: str | None = None
    metrics: dict[str, float | int | None] = Field(default_factory=dict)
    remarks: tuple[str, ...] = ()


class TrainingRun:
    """The files of one training. Reading needs only the folder; writing needs `locked()`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def stage_folder(self, stage: str) -> Path:
        return self.path / stage

    def candidate(self, stage: str) -> Path:
        return self.path / stage / CANDIDATE

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the training for this process and those it leads.

        Raises:
            UsageError: another process trains here, or the folder holds other files.
        """
        self._make()
        with lock.written(self.path / LOCK, busy="trained"):
            yield

    def _make(self) -> None:
        try:
            others = self.path.is_dir() and any(
                path.name not in OWN for path in self.path.iterdir()
            )
            if others and not (self.path / RECIPE).exists():
                raise UsageError(
                    f"{self.path} holds other files and is no training", "use another --run"
                )
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"cannot make {self.path}: {error.strerror}", "use another --run"
            ) from error

    def begin(self, named: NamedRecipe, identities: Mapping[str, Mapping[str, Any]]) -> None:
        """Begins the training, or goes on with it. `identities` are those of the stages that are to
        be run, and of the stages these need.

        Raises:
            UsageError: one of them was begun with other settings; the keys are named.
        """
        from lt_bench import __version__

        for stage, settings in identities.items():
            before = self.stage(stage)
            if before is not None:
                self._refuse(stage, without_parents(before.settings), without_parents(settings))
        file = RecipeFile(
            name=named.name,
            recipe=named.recipe.model_dump(mode="json", by_alias=True),
            lt_bench=__version__,
        )
        self._write(self.path / RECIPE, file)

    def stage(self, stage: str) -> StageFile | None:
        """What there is of a stage; None before it was begun.

        Raises:
            UsageError: its file is damaged.
        """
        path = self.stage_folder(stage) / STAGE
        try:
            return StageFile.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except ValidationError as error:
            raise UsageError(
                f"{path} is damaged: {error.errors()[0]['msg']}",
                "bring it back from a copy, or delete the folder of the stage to train it anew",
            ) from error

    def finished(self, stage: str) -> StageFile | None:
        """A stage that is finished and whose candidate is there.

        Raises:
            UsageError: it is finished, and its candidate was taken away.
        """
        file = self.stage(stage)
        if file is None or file.status != "finished":
            return None
        if not self.candidate(stage).is_dir():
            raise UsageError(
                f"stage {stage} is finished, but {self.candidate(stage)} is gone",
                f"bring it back, or delete {self.stage_folder(stage)} to train the stage anew",
            )
        return file

    def begin_stage(self, file: StageFile) -> StageFile:
        """Begins a stage, or goes on with it under the time at which it began.

        Raises:
            UsageError: it was begun with other settings, or from another parent.
        """
        before = self.stage(file.name)
        if before is not None:
            self._refuse(file.name, before.settings, file.settings)
            file = file.model_copy(update={"began": before.began})
        self.stage_folder(file.name).mkdir(exist_ok=True)
        self.save_stage(file)
        return file

    def check_parents(self, file: StageFile) -> None:
        """Refuses a finished stage whose parent was trained anew since.

        Raises:
            UsageError: it was.
        """
        before = file.settings.get(PARENTS, {})
        now = {one: found.candidate_sha for one in before if (found := self.stage(one))}
        after = {PARENTS: {**before, **now}}
        self._refuse(file.name, {PARENTS: before}, after)

    def check_candidates(self, parents: Iterable[Parent]) -> None:
        """Refuses a candidate of this training that is no longer what its stage made.

        Raises:
            UsageError: its files were changed.
        """
        for parent in parents:
            made = self.stage(parent.name) if STAGE_NAME.fullmatch(parent.name) else None
            if made is not None and made.candidate_sha not in (None, parent.sha):
                raise UsageError(
                    f"{self.candidate(parent.name)} was changed after stage {parent.name} was finished",
                    f"bring it back, delete {self.stage_folder(parent.name)} to train it anew, or start "
                    "a recipe of its own from the changed folder",
                )

    def last_checkpoint(self, stage: str) -> int:
        """The steps that an unfinished stage need not make again; 0 where there is no checkpoint."""
        folder = self.stage_folder(stage) / CHECKPOINTS
        names = [path.name.rpartition("-")[2] for path in folder.glob("checkpoint-*")]
        return max((int(step) for step in names if step.isdecimal()), default=0)

    def drop_checkpoints(self, stage: str) -> None:
        """Frees what a finished stage kept to go on from: with the states of the optimizer, some six
        times the weights. One that will not go is no reason to stop."""
        shutil.rmtree(self.stage_folder(stage) / CHECKPOINTS, ignore_errors=True)

    def save_stage(self, file: StageFile) -> None:
        self._write(self.stage_folder(file.name) / STAGE, file)

    def _refuse(self, stage: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        if digest(before) == digest(after):
            return
        changed = [
            named_as_in_recipe(change, stage) for change in differences(dict(before), dict(after))
        ]
        more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
        raise UsageError(
            f"stage {stage} in {self.path} was begun with other settings. "
            f"Changed: {'; '.join(changed[:SHOWN])}{more}",
            f"use another --run, the settings it was begun with, or delete "
            f"{self.stage_folder(stage)} and the stages after it to train them anew",
        )

    @staticmethod
    def _write(path: Path, file: Record) -> None:
        write_whole(path, without_user_info(file.model_dump_json(indent=2)))


def training_folder(name: str) -> Path:
    """Where a training of this name is to lie: a name without a slash is one under runs/train/."""
    is_folder = "/" in name or "\\" in name
    return Path(name) if is_folder else RUNS / "train" / name

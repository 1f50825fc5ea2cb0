"""One folder per run: config.json, generations.jsonl, scores.jsonl, card.json, log.txt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from lt_bench.backends import ModelFacts
from lt_bench.config import EvalConfig
from lt_bench.errors import RunError, UsageError
from lt_bench.records import Environment, Record, ResultCard, Sample, SampleKey, Scored
from lt_bench.run import lock
from lt_bench.run.changes import changes
from lt_bench.run.disk import write_whole
from lt_bench.run.journal import Journal
from lt_bench.run.naming import named
from lt_bench.run.session import mark

RUNS = Path("runs")
"""Where runs lie that were given no folder of their own."""

CONFIG, LOCK = "config.json", ".lock"
_OF_VARIANT = re.compile(r"scores\.([0-9a-f]{8})\.jsonl")

OWN = frozenset((LOCK, ".config.json.part"))
"""What a run that died before its config.json may have left."""


class RunFile(Record):
    """config.json: what was asked, of which model, on which file (None: the shipped sample), and how
    many rows of it are this run's."""

    config: EvalConfig
    model: ModelFacts
    environment: Environment
    data: str | None
    rows: int | None = None
    active_params: float | None = None


class RunDir:
    """The files of one run. Reading needs only the folder; writing needs `locked()`.

    `variant` names the scores and the card of another judge than the run's own, by the first digits
    of its scorers' sha: scores.VARIANT.jsonl and card.VARIANT.json stand beside the others.
    """

    def __init__(self, path: Path, variant: str = "") -> None:
        self.path, self.variant = path, variant
        suffix = f".{variant}" if variant else ""
        self.generations = Journal(path / "generations.jsonl", Sample)
        self.scores = Journal(path / f"scores{suffix}.jsonl", Scored)
        self.card_path = path / f"card{suffix}.json"

    @property
    def variants(self) -> list[str]:
        """Of the scores that other judges gave."""
        found = (_OF_VARIANT.fullmatch(path.name) for path in self.path.glob("scores.*.jsonl"))
        return sorted(match[1] for match in found if match)

    @property
    def config_path(self) -> Path:
        return self.path / CONFIG

    @property
    def begun(self) -> bool:
        """Whether the folder is a run."""
        try:
            return self.config_path.exists()
        except OSError:  # a name that is too long
            return False

    def load(self) -> RunFile:
        """What this run was begun with.

        Raises:
            UsageError: the folder is not a run.
        """
        try:
            return RunFile.model_validate_json(self.config_path.read_bytes())
        except FileNotFoundError as error:
            raise UsageError(
                f"{self.path} is not a run: it has no config.json",
                "name a folder that `lt-bench eval` made (they lie under runs/)",
            ) from error
        except NotADirectoryError as error:
            raise UsageError(f"{self.path} is not a folder", "name the folder of a run") from error
        except OSError as error:
            raise UsageError(
                f"cannot read {self.config_path}: {error.strerror}", "name the folder of a run"
            ) from error
        except ValidationError as error:
            raise UsageError(
                f"{self.config_path} is damaged: {error.errors()[0]['msg']}",
                "bring it back from a copy, or begin another run",
            ) from error

    def begin(self, file: RunFile) -> RunFile:
        """Starts the run, or resumes it with the same configuration.

        Raises:
            UsageError: the folder holds a run with another configuration; the keys are named.
        """
        if self.begun:
            before = self.load()
            changed = changes(before.config, file.config)
            if changed:
                raise UsageError(
                    f"{self.path} was begun with other settings, and mixed runs cannot be "
                    f"compared. Changed: {'; '.join(changed[:3])}",
                    "use another --run, or the settings it was begun with",
                )
            file = _with_first_ids(file, before)
        write_whole(self.config_path, file.model_dump_json(indent=2))
        mark(self.path / LOCK, self.generations.path)
        return file

    def asked(self, file: RunFile, model: ModelFacts) -> RunFile:
        """Keeps what only the first prompt told of the model: its token ids. A config.json that was
        deleted meanwhile is written again, or the folder would be no run."""
        if model.first_prompt_ids is None and self.begun:
            return file
        file = file if model.first_prompt_ids is None else file.model_copy(update={"model": model})
        write_whole(self.config_path, file.model_dump_json(indent=2))
        return file

    def _make(self) -> None:
        """The folder, new or a run's own; never among other people's files."""
        try:
            if not self.begun and _holds_other_files(self.path):
                raise UsageError(
                    f"{self.path} holds other files and is no run", "name another folder"
                )
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"cannot make {self.path}: {error.strerror}", "name another folder"
            ) from error

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the run for this process, so that two of them cannot double its rows.

        Raises:
            UsageError: another process holds it, or the folder holds other files.
            RunError: it cannot be written.
        """
        self._make()
        with lock.written(self.path / LOCK):
            yield

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """Holds a run that is only read, so that nobody writes it meanwhile. Where it cannot be held
        (a read-only disk), nobody can write it either.

        Raises:
            UsageError: another process writes it.
        """
        with lock.read(self.path / LOCK):
            yield

    def samples(self) -> dict[SampleKey, Sample]:
        """The latest outcome of each sample.

        Raises:
            RunError: a sample was answered twice, which no run of lt-bench does.
        """
        latest: dict[SampleKey, Sample] = {}
        for sample in self.generations:
            before = latest.get(sample.key)
            if before is not None and before.status != "error":
                raise RunError(
                    f"{self.generations.path} answers "
                    f"{named(sample.key.example_id, sample.key.sample_index)} twice",
                    "delete one of the two lines",
                )
            latest[sample.key] = sample
        return latest

    def scored(self, scorers_sha: str) -> dict[SampleKey, Scored]:
        """The scores that these scorers gave."""
        return {line.key: line for line in self.scores if line.scorers_sha == scorers_sha}

    def save_card(self, card: ResultCard) -> None:
        write_whole(self.card_path, card.model_dump_json(indent=2))

    def card(self) -> ResultCard:
        """The card of a finished run.

        Raises:
            UsageError: there is none yet.
        """
        try:
            return ResultCard.model_validate_json(self.card_path.read_bytes())
        except FileNotFoundError as error:
            raise UsageError(
                f"{self.path} has no card yet", "resume it with the command that began it"
            ) from error
        except ValidationError as error:
            raise UsageError(
                f"{self.card_path}: {error.errors()[0]['msg']}",
                f"write it anew: lt-bench score {self.path}",
            ) from error


def _holds_other_files(folder: Path) -> bool:
    return folder.is_dir() and any(path.name not in OWN for path in folder.iterdir())


def _with_first_ids(file: RunFile, before: RunFile) -> RunFile:
    """A resumed run may have nothing left to ask: the ids of its first prompt stay known."""
    ids = before.model.first_prompt_ids
    model = file.model.model_copy(update={"first_prompt_ids": ids})
    return file.model_copy(update={"model": model})


def find_run(name: Path) -> RunDir:
    """The run in this folder, or of this name under runs/."""
    named = RUNS / name
    by_name = len(name.parts) == 1 and not RunDir(name).begun and RunDir(named).begun
    return RunDir(named if by_name else name)


def run_folder(name: str | Path) -> Path:
    """Where a run of this name is to lie: a str without a slash is a name under runs/.

    Raises:
        UsageError: what it ends in names no folder, or is not UTF-8.
    """
    is_folder = isinstance(name, Path) or "/" in name or "\\" in name
    folder = Path(name) if is_folder else RUNS / name
    if str(name) in ("", ".") or folder.name in ("", ".."):
        raise UsageError(f"{str(name)!r} names no run", "give it a name, or a folder of its own")
    try:
        folder.name.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"the name {folder.name!r} is not UTF-8", "choose another one") from error
    return folder

"""Which jobs of a study are done, and whether what they left is what the study asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from lt_bench.builders.manifest import MANIFEST, read_manifest
from lt_bench.config import digest, file_sha
from lt_bench.errors import UsageError
from lt_bench.run import lock
from lt_bench.run.changes import differences
from lt_bench.run.rundir import LOCK, RunDir
from lt_bench.study.spec import stage_of
from lt_bench.train.identity import PARENTS, identity, named_as_in_recipe, without_parents
from lt_bench.train.loading import load
from lt_bench.train.preparation import prepare
from lt_bench.train.workdir import StageFile, TrainingRun

SHOWN = 3
"""Changed settings that a message names."""


def rows_done(folder: Path, rows: int, seed: int) -> bool:
    """Whether the test rows are there.

    Raises:
        UsageError: they are others: of another seed, or another number of them, or were edited.
    """
    if not (folder / MANIFEST).exists():
        return False
    manifest = read_manifest(folder)
    test, data = manifest.splits.get("test"), folder / "test.jsonl"
    if test is None or manifest.origin.seed != seed or test.asked != rows:
        raise UsageError(
            f"{folder} does not hold the {rows} test rows of seed {seed}", _anew(folder, "rows")
        )
    if file_sha(data) != test.files.get(data.name):
        raise UsageError(f"{data} is not what its manifest says", _anew(folder, "rows"))
    return True


def stage_done(
    folder: Path, recipe: str, settings: Mapping[str, Any], stage: str, catalogs: Sequence[Path]
) -> bool:
    """Whether a stage is finished, under these very settings and from what its parent is now.

    Raises:
        UsageError: it is finished, and was trained otherwise.
    """
    run = TrainingRun(folder)
    file = run.finished(stage)
    if file is None:
        return False
    training = prepare(load(recipe, settings, catalogs), catalogs=catalogs)
    before, after = without_parents(file.settings), without_parents(identity(training, stage))
    if digest(before) != digest(after):
        changed = [named_as_in_recipe(one, stage) for one in differences(before, after)]
        raise UsageError(
            f"stage {stage} in {folder} was trained with other settings: "
            f"{'; '.join(changed[:SHOWN])}",
            _anew(run.stage_folder(stage), "stage"),
        )
    _check_parents(run, file)
    return True


def _check_parents(run: TrainingRun, file: StageFile) -> None:
    """Refuses a stage whose parent was trained anew since."""
    for parent, sha in file.settings.get(PARENTS, {}).items():
        beside = run.stage(parent)
        place = Path(parent)
        found = beside or TrainingRun(place.parent).stage(place.name)
        if found is not None and found.candidate_sha not in (None, sha):
            raise UsageError(
                f"stage {file.name} in {run.path} was trained from another {place.name}",
                _anew(run.stage_folder(file.name), "stage"),
            )


def evaluation_done(
    folder: Path, training: Path, stage: str, data: Path, temperature: float
) -> bool:
    """Whether an evaluation of this candidate on these rows is finished.

    Raises:
        UsageError: what is finished there was asked of another candidate, or otherwise.
    """
    run, file = RunDir(folder), TrainingRun(training).stage(stage)
    if not run.begun or not run.card_path.exists():
        return False
    config = run.load().config
    asked: dict[str, object] = {
        "candidate": file.candidate_sha if file else None,
        "rows": file_sha(data),
        "temperature": temperature,
    }
    given: dict[str, object] = {
        "candidate": config.fingerprint,
        "rows": config.data_sha,
        "temperature": config.sampling.temperature,
    }
    if changed := differences(given, asked):
        raise UsageError(
            f"{folder} is an evaluation of something else: {'; '.join(changed)}",
            _anew(folder, "run"),
        )
    return True


def busy(folder: Path) -> bool:
    """Whether another process writes a training or a run at this moment."""
    if not (folder / LOCK).exists():
        return False
    try:
        with lock.read(folder / LOCK):
            return False
    except UsageError:
        return True


def seen_finished(run: TrainingRun, stage: str) -> bool:
    """Whether a stage says that it is finished; nothing is compared."""
    try:
        return run.finished(stage) is not None
    except (UsageError, ValidationError):
        return False


def seen_done(kind: str, folder: Path, row: str) -> bool:
    """Whether a job of this kind left what it should; nothing is compared."""
    if kind == "rows":
        return (folder / MANIFEST).exists()
    if kind == "eval":
        return RunDir(folder).card_path.exists()
    return seen_finished(TrainingRun(folder), stage_of(row))


def _anew(folder: Path, what: str) -> str:
    return f"use another --run, or delete {folder} to make the {what} anew"

"""The stages of a recipe at work: in order, each once, each from the candidate before it."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final, cast

from lt_bench.config import digest
from lt_bench.errors import RunError, UsageError, did_you_mean
from lt_bench.run.environment import environment
from lt_bench.run.progress import Progress, Silent
from lt_bench.train import candidate
from lt_bench.train.full_disk import disk_trouble
from lt_bench.train.identity import identity
from lt_bench.train.parents import (
    Parent,
    ancestors,
    check_whole,
    find,
    named_by,
    parent_of,
    place_of,
)
from lt_bench.train.preparation import Training
from lt_bench.train.processes import Processes
from lt_bench.train.stage import StageContext, StageResult, StageRunner
from lt_bench.train.workdir import StageFile, TrainingRun

log = logging.getLogger(__name__)

RUNNERS: Final[Mapping[str, str]] = {
    "pretrain": "lt_bench.train.pretraining:run",
    "sft": "lt_bench.train.distilling:run",
    "rft": "lt_bench.train.distilling:run",
    "grpo": "lt_bench.train.reinforcing:run",
}
"""Kind of stage -> what runs it; loaded when the first stage of its kind begins."""
NEEDED: Final = ("torch", "transformers", "trl", "datasets", "accelerate")
PACKAGES: Final = ("datasets", "deepspeed")
"""What a stage is stamped with beside the packages that every run names."""


@dataclass(frozen=True)
class StageReport:
    """A stage that is finished, and whether it was so before."""

    file: StageFile
    candidate: Path
    before: bool


def train(
    training: Training,
    run: TrainingRun,
    only: str | None = None,
    runners: Mapping[str, StageRunner] | None = None,
    progress: Progress | None = None,
) -> list[StageReport]:
    """Runs the stages of a recipe, or the one named `only`, going on where a killed process stopped.
    Every process of a launch calls this; `runners` stand in for those of lt-bench, and `progress`
    shows how far a stage's runs of a model are.

    Raises:
        UsageError: an unknown stage, one whose parent is not finished, or a folder that was begun with
            other settings.
        RunError: a stage stopped for a cause; what was finished is kept.
    """
    stages = training.recipe.stages
    names = wanted(list(stages), only)
    if runners is None:
        check_packages()
        runners = _Runners()
    processes = Processes.here()
    if processes.main:
        _candidates(training, run, names[0])  # before there is a folder
    with run.locked() if processes.main else nullcontext():
        if processes.main:
            concerned = dict.fromkeys(
                need for name in names for need in (*ancestors(name, stages), name)
            )
            run.begin(training.named, {name: identity(training, name) for name in concerned})
        processes.wait()
        work = _Work(training, run, runners, processes, progress or Silent())
        return [_stage(work, name) for name in names]


def check_packages() -> None:
    """Refuses to begin where a library is missing.

    Raises:
        UsageError: one is.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise UsageError(f"training needs {', '.join(missing)}", "pip install 'lt-bench[train]'")


class _Runners(dict[str, StageRunner]):
    """Those of lt-bench, imported when asked for."""

    def __missing__(self, kind: str) -> StageRunner:
        module, _, attribute = RUNNERS[kind].partition(":")
        return cast("StageRunner", getattr(importlib.import_module(module), attribute))


def wanted(names: Sequence[str], only: str | None) -> list[str]:
    """The stages that are asked for.

    Raises:
        UsageError: there is none of that name; the nearest is named.
    """
    if only is None:
        return list(names)
    if only not in names:
        raise UsageError(
            f"the recipe has no stage {only!r}.{did_you_mean(only, names)}",
            f"stages: {', '.join(names)}",
        )
    return [only]


@dataclass(frozen=True)
class _Work:
    """What every stage of one training needs."""

    training: Training
    run: TrainingRun
    runners: Mapping[str, StageRunner]
    processes: Processes
    progress: Progress


def _stage(work: _Work, name: str) -> StageReport:
    """One stage, to its end."""
    training, run, processes = work.training, work.run, work.processes
    finished = run.finished(name)
    processes.wait()  # nobody goes on to write before all have looked
    if finished is not None:
        run.check_parents(finished)
        if processes.main:
            run.drop_checkpoints(name)  # where the process was killed before it did
        log.info("stage %s is finished already", name)
        return StageReport(finished, run.candidate(name), before=True)
    stage, done = training.recipe.stages[name], _candidates(training, run, name)
    if processes.main:
        parents = [find(model, done) for model in named_by(stage)]
        run.check_candidates(parents)
        run.begin_stage(_begun(training, name, parents))
    processes.wait()
    log.info("stage %s (%s)", name, stage.kind)
    try:
        result = work.runners[stage.kind](_context(work, name, done))
    except Exception as error:
        raise disk_trouble(run.stage_folder(name), error) or error from error
    processes.wait()
    if processes.main:
        _finish(training, run, name, result)
    processes.wait()
    return StageReport(_found(run.finished(name)), run.candidate(name), before=False)


def _candidates(training: Training, run: TrainingRun, name: str) -> dict[str, Path]:
    """The candidates of the finished stages before this one.

    Raises:
        UsageError: one that this stage needs is not finished.
    """
    stages = training.recipe.stages
    earlier = list(stages)[: list(stages).index(name)]
    done = {one: run.candidate(one) for one in earlier if run.finished(one) is not None}
    for model in named_by(stages[name]):
        if model in stages and model not in done:
            raise UsageError(
                f"stage {name} needs {model}, which is not finished in {run.path}",
                f"run --stage {model} first, or leave --stage out",
            )
    return done


def _begun(training: Training, name: str, parents: Sequence[Parent]) -> StageFile:
    stage = training.recipe.stages[name]
    settings = identity(training, name, parents)
    parent = next((one for one in parents if one.name == parent_of(stage)), None)
    here = environment(None)
    return StageFile(
        name=name,
        kind=stage.kind,
        settings=settings,
        sha=digest(settings),
        parent=parent.name if parent else None,
        parent_sha=parent.sha if parent else None,
        status="began",
        began=now(),
        packages={"lt-bench": here.lt_bench, **here.packages, **_versions()},
        git_commit=here.git_commit,
    )


def _context(work: _Work, name: str, done: Mapping[str, Path]) -> StageContext:
    stage = work.training.recipe.stages[name]
    parent = parent_of(stage)
    return StageContext(
        name=name,
        stage=stage,
        folder=work.run.stage_folder(name),
        task=work.training.task,
        judge=work.training.judge,
        parent=place_of(parent, done) if parent is not None else None,
        candidates=dict(done),
        progress=work.progress,
    )


def _finish(training: Training, run: TrainingRun, name: str, result: StageResult) -> None:
    """Writes what stands beside the model, and last of all that the stage is finished."""
    folder, file, when = run.candidate(name), _found(run.stage(name)), now()
    sha = check_whole(folder, name)
    found = candidate.candidate_of(training.named.name, file, result, sha, when)
    candidate.write(folder, found)
    run.save_stage(
        file.model_copy(
            update={
                "status": "finished",
                "finished": when,
                "candidate_sha": sha,
                "rows": result.rows,
                "data_sha": result.data_sha,
                "metrics": found.metrics,
                "remarks": tuple(result.remarks),
            }
        )
    )
    run.drop_checkpoints(name)


def _found(file: StageFile | None) -> StageFile:
    """A file that this training wrote itself a moment ago.

    Raises:
        RunError: somebody took it away.
    """
    if file is None:
        raise RunError("a file of the training is gone", "run the same command again")
    return file


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def now() -> str:
    """This second in UTC, by ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")

"""The run that some shards are parts of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lt_bench.errors import UsageError
from lt_bench.run.examples import Examples
from lt_bench.run.merging.shards import ShardRun, environment_of, model_of
from lt_bench.run.places import Rows
from lt_bench.run.rundir import RunFile
from lt_bench.task import Task


@dataclass(frozen=True)
class Whole:
    """The run that the shards are parts of."""

    task: Task
    file: RunFile
    examples: Examples

    @cached_property
    def rows(self) -> Rows:
        return Rows(self.examples, self.file.config.samples)


def whole_of(runs: Sequence[ShardRun], data: Path | None, catalogs: tuple[Path, ...]) -> Whole:
    """The whole run, as its config.json will say it.

    data: the rows, where they do not lie where the shards found them.

    Raises:
        UsageError: the data is not here, or has changed.
    """
    config = runs[0].file.config.model_copy(update={"shard": None})
    task = Task.load(
        config.task,
        catalogs,
        options=config.task_options,
        builder=config.builder_options,
        judge="" if config.judge.models else config.judge.name,
    )
    path = data or _data_of(runs, task)
    if task.data_sha(path) != config.data_sha:
        raise UsageError(f"{path} is not the data of these shards", "name it with --data")
    examples = Examples(task.stream(path, config.limit))
    first = next(run for run in runs if run.shard.holds(examples.ids[0]))
    file = first.file.model_copy(
        update={
            "config": config,
            "model": model_of(runs, first),
            "environment": environment_of(runs),
            "data": str(path.resolve()) if first.file.data else None,
            "rows": len(examples),
        }
    )
    return Whole(task, file, examples)


def _data_of(runs: Sequence[ShardRun], task: Task) -> Path:
    named = [Path(run.file.data) for run in runs if run.file.data]
    if not named:
        return task.sample
    found = next((path for path in named if path.exists()), None)
    if found is None:
        raise UsageError(f"the data of these shards is not here: {named[0]}", "name it with --data")
    return found

"""Scores a run again, by its own judge or by another one, without asking its model."""

from __future__ import annotations

from pathlib import Path

from lt_bench.errors import UsageError
from lt_bench.records import ResultCard
from lt_bench.run.examples import Examples
from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.run.openrun import OpenRun
from lt_bench.run.progress import Progress, Silent
from lt_bench.run.rundir import RunDir
from lt_bench.run.shard import part_of
from lt_bench.task import Task


async def rescore(
    folder: RunDir,
    task: Task,
    data: Path | None = None,
    judge: JudgeChoice | None = None,
    progress: Progress | None = None,
) -> ResultCard:
    """Scores what has no scores yet and writes the card. The judge is that of `task`, asked as the
    choice says; another one than the run's own writes its scores and its card beside them.

    Raises:
        UsageError: the data file is gone or changed, or the run is unfinished.
    """
    file, judge = folder.load(), judge or JudgeChoice()
    path = data or (Path(file.data) if file.data else task.sample)
    if task.data_sha(path) != file.config.data_sha:
        raise UsageError(
            f"{path} is not the data of {folder.path}", "name the right file with --data"
        )
    examples = Examples(part_of(task.stream(path, file.config.limit), file.config.shard))
    with folder.locked():
        async with judge.opened() as judging:
            run = OpenRun(task, examples, folder, file, judging)
            if judge.settings(task.judge) != file.config.judge:
                run.write_beside()
            trust = run.trust(judge)
            with run.folder.scores:
                await run.catch_up(progress or Silent())
            return await run.summarize(trust, judge.prices)

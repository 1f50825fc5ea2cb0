"""From a log to a run folder, with its scores and its card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from lt_bench.config import EvalConfig, digest
from lt_bench.errors import UsageError
from lt_bench.integrations.runs.backend import ImportBackend
from lt_bench.integrations.runs.formats import open_log
from lt_bench.integrations.runs.log import Log
from lt_bench.integrations.runs.matching import Matched, match
from lt_bench.records import Environment, ResultCard
from lt_bench.run.environment import environment
from lt_bench.run.examples import Examples
from lt_bench.run.generate import Work, ask, plan
from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.run.naming import check_utf8
from lt_bench.run.places import Answers, Rows
from lt_bench.run.progress import Progress
from lt_bench.run.rescoring import rescore
from lt_bench.run.rundir import RunDir, RunFile
from lt_bench.task import Task

MOST_SAMPLES: Final = 10_000
"""Answers of one row. A larger number is no count of samples."""


@dataclass(frozen=True)
class Wanted:
    """What is to be imported: a log, as which run, on which rows. `name` None: as the log has it;
    `options` are those of `replay/`."""

    log: Path
    task: Task
    run: Path
    data: Path | None = None
    limit: int | None = None
    format: str | None = None
    name: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Imported:
    """What came of it."""

    card: ResultCard
    run: Path
    log: Log
    matched: Matched
    unanswered: tuple[str, ...] = ()


async def import_run(wanted: Wanted, progress: Progress | None = None) -> Imported:
    """Writes the answers of a log as a run, scores them, and sums them up. The same import again
    finishes a run that was cut off.

    Raises:
        UsageError: the log is broken or none, none of its answers is of a row of the task, or the
            folder holds another run.
        RunError: the disk is full; finished rows are kept.
    """
    task, log = wanted.task, open_log(wanted.log, wanted.format)
    examples = Examples(task.stream(wanted.data or task.sample, wanted.limit))
    matched = match(log.answers, examples, task.prompt)
    if matched.samples > MOST_SAMPLES:
        raise UsageError(
            f"{log.path} numbers its samples up to {matched.samples - 1:,}", "count them from 0"
        )
    for name in (wanted.name or "", str(wanted.log), str(wanted.data or "")):
        check_utf8(name)
    name = f"import/{wanted.name or log.model or log.path.stem}"
    folder = RunDir(wanted.run)
    async with ImportBackend(log, name, matched.answers, wanted.options) as backend:
        with folder.locked():
            file = folder.begin(_run_file(wanted, log, matched, backend, len(examples)))
            await _write(task, examples, folder, file, backend)
    card = await rescore(folder, task, wanted.data, JudgeChoice(), progress)
    answered = {example_id for example_id, _ in matched.answers}
    lacking = tuple(one for one in examples.ids if one not in answered)
    return Imported(card, wanted.run, log, matched, lacking)


def _run_file(
    wanted: Wanted, log: Log, matched: Matched, backend: ImportBackend, rows: int
) -> RunFile:
    task, facts = wanted.task, backend.facts
    config = EvalConfig(
        model=facts.name,
        task=task.spec.name,
        version=task.spec.version,
        data_sha=task.data_sha(wanted.data),
        limit=wanted.limit,
        samples=matched.samples,
        # the log's own texts end where its stop strings cut them
        sampling=task.sampling({**log.sampling}),
        task_options=task.options,
        builder_options=task.builder_options,
        prompt_sha=_prompt_sha(task, log, matched),
        fingerprint=facts.fingerprint,
        model_settings=facts.settings,
        judge=JudgeChoice().settings(task.judge),
    )
    return RunFile(
        config=config,
        model=facts,
        environment=_elsewhere(log),
        data=str(wanted.data.resolve()) if wanted.data else None,
        rows=rows,
    )


def _prompt_sha(task: Task, log: Log, matched: Matched) -> str:
    """The task's own where the log has its words or, as with `replay/`, no prompts at all. Other words
    have a hash that models share which the same harness asked in the same way."""
    if matched.asked_as_ours:
        return task.prompt_sha
    return digest(["import", log.wording or sorted(matched.prompts.items())])


def _elsewhere(log: Log) -> Environment:
    """Where the answers were made, as far as the log tells."""
    return Environment(
        lt_bench=environment(None).lt_bench,
        packages=dict(log.packages),
        hardware="unknown: imported from a log",
    )


async def _write(
    task: Task, examples: Examples, folder: RunDir, file: RunFile, backend: ImportBackend
) -> None:
    """Journals the answers that the run lacks yet."""
    config = file.config
    answers = Answers(folder.generations, Rows(examples, config.samples))

    def wanted(example_id: str, index: int) -> bool:
        number = answers.rows.number(example_id, index)
        return number is not None and answers.status(number) is None

    owed: Iterable[Work] = plan(
        task, examples, config.samples, config.sampling, config.fingerprint, wanted
    )
    with folder.generations as journal:
        for work in owed:
            journal.append(await ask(backend, work))
        journal.sync()

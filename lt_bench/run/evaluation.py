"""One evaluation from end to end: ask, score, sum up; resumable at every point."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lt_bench.backends import Backend
from lt_bench.config import EvalConfig, Sampling
from lt_bench.errors import UsageError
from lt_bench.records import Example, ResultCard, Sample
from lt_bench.run.card import Row, build_card
from lt_bench.run.environment import environment
from lt_bench.run.generate import Work, generate, owed, plan
from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.run.log import log_to
from lt_bench.run.progress import Progress, Silent
from lt_bench.run.rundir import RunDir, RunFile
from lt_bench.run.score import Scoring
from lt_bench.scorers import Judging
from lt_bench.task import Task

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Evaluation:
    """What one run evaluates. `data` None is the task's own sample; `active_params` is the size
    to count with when the model's is unknown (parameters, not billions)."""

    model: str
    task: Task
    examples: Sequence[Example]
    data: Path | None
    run: Path
    sampling: Sampling
    limit: int | None = None
    samples: int = 1
    active_params: float | None = None
    judge: JudgeChoice = field(default_factory=JudgeChoice)

    def run_file(self, backend: Backend) -> RunFile:
        facts, task = backend.facts, self.task
        config = EvalConfig(
            model=self.model,
            task=task.spec.name,
            version=task.spec.version,
            data_sha=task.data_sha(self.data),
            limit=self.limit,
            samples=self.samples,
            sampling=self.sampling,
            task_options=task.options,
            builder_options=task.builder_options,
            prompt_sha=task.prompt_sha,
            fingerprint=facts.fingerprint,
            model_settings=facts.settings,
            judge=self.judge.settings(task.judge),
        )
        data = str(self.data.resolve()) if self.data else None
        return RunFile(
            config=config,
            model=facts,
            environment=environment(facts.device),
            data=data,
            active_params=self.active_params,
        )


async def evaluate(
    evaluation: Evaluation, backend: Backend, progress: Progress | None = None
) -> ResultCard:
    """Runs or resumes one evaluation on an open backend.

    Raises:
        UsageError: the run folder holds something else.
        RunError: the model cannot be asked or the disk is full; finished rows are kept.
    """
    progress = progress or Silent()
    run = RunDir(evaluation.run)
    with run.locked():
        file = run.begin(evaluation.run_file(backend))
        async with evaluation.judge.opened() as judging:
            scoring = _scoring(evaluation.task, file, run, judging)
            with log_to(run.path / "log.txt"), run.generations, run.scores:
                await _fill(run, evaluation, file, scoring, backend, progress)
                file = run.asked(file, backend.facts)
            return await _summarize(evaluation.task, evaluation.examples, run, file, scoring)


async def rescore(
    run: RunDir, task: Task, data: Path | None = None, judge: JudgeChoice | None = None
) -> ResultCard:
    """Scores a finished run again, without the model, and writes its card. The judge is the run's
    own, asked with the settings given; another one writes beside it.

    Raises:
        UsageError: the data file is gone or changed, or the run is unfinished.
    """
    file, judge = run.load(), judge or JudgeChoice()
    path = data or (Path(file.data) if file.data else task.sample)
    if task.data_sha(path) != file.config.data_sha:
        raise UsageError(f"{path} is not the data of {run.path}", "name the right file with --data")
    examples = task.examples(path, file.config.limit)
    with run.locked():
        async with judge.opened() as judging:
            scoring = _scoring(task, file, run, judging)
            if judge.settings(task.judge) != file.config.judge:
                run = RunDir(run.path, scoring.sha[:8])
                scoring.journal = run.scores
            with run.scores:
                await scoring.catch_up(_pairs(run, examples), run.scored(scoring.sha))
            return await _summarize(task, examples, run, file, scoring)


async def _fill(
    run: RunDir,
    evaluation: Evaluation,
    file: RunFile,
    scoring: Scoring,
    backend: Backend,
    progress: Progress,
) -> None:
    """Generates and scores whatever the two journals lack."""
    config, done = file.config, run.samples()
    work = plan(
        evaluation.task, evaluation.examples, config.samples, config.sampling, config.fingerprint
    )
    missing = owed(work, done)
    log.info("%d of %d samples to generate", len(missing), len(work))
    progress.start(run.path.name, len(work), len(work) - len(missing))

    async def finished(one: Work, sample: Sample) -> None:
        await backlog.add(scoring.keep, one.example, sample)
        if sample.failure:
            log.warning("%s: %s", one.key.example_id, sample.failure.message)
        progress.advance(sample)

    try:
        await scoring.catch_up(_pairs(run, evaluation.examples), run.scored(scoring.sha))
        async with scoring.backlog() as backlog:
            await generate(backend, missing, run.generations, finished)
    finally:
        progress.stop()


async def _summarize(
    task: Task, examples: Sequence[Example], run: RunDir, file: RunFile, scoring: Scoring
) -> ResultCard:
    """Writes the card of a run all of whose samples have an outcome.

    Raises:
        UsageError: some have none; the run must be resumed first.
    """
    pairs = list(_pairs(run, examples))
    total = len(examples) * file.config.samples
    if len(pairs) != total:
        raise UsageError(
            f"{run.path} holds {len(pairs)} of {total} samples",
            "resume it with the command that began it",
        )
    scored = run.scored(scoring.sha)
    table = [
        Row.of(example, sample, scored.get(sample.key) or await scoring.score(example, sample))
        for example, sample in pairs
    ]
    card = build_card(task, file, scoring.scorers, scoring.sha, table)
    run.save_card(card)
    return card


def _pairs(run: RunDir, examples: Sequence[Example]) -> Iterator[tuple[Example, Sample]]:
    """Every sample that has an outcome, in the order of the examples."""
    found: dict[str, list[Sample]] = defaultdict(list)
    for sample in run.samples().values():
        found[sample.key.example_id].append(sample)
    for example in examples:
        for sample in sorted(found[example.id], key=lambda one: one.key.sample_index):
            yield example, sample


def _scoring(task: Task, file: RunFile, run: RunDir, judging: Judging) -> Scoring:
    model = file.model
    scorers = task.scorers(model.name, model.architecture, file.active_params, judging)
    return Scoring(scorers, run.scores, judging)

"""One evaluation from end to end: ask, score, sum up; resumable at every point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lt_bench.backends import Backend
from lt_bench.config import EvalConfig, Sampling
from lt_bench.records import Example, ResultCard
from lt_bench.run.environment import environment
from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.run.log import log_to
from lt_bench.run.openrun import OpenRun
from lt_bench.run.progress import Progress, Silent
from lt_bench.run.rundir import RunDir, RunFile
from lt_bench.run.shard import Shard
from lt_bench.task import Task


@dataclass(frozen=True)
class Evaluation:
    """What one run evaluates. `data` None is the task's own sample; `examples` are those of the
    shard where there is one; `active_params` is the size to count with when the model's is unknown
    (parameters, not billions)."""

    model: str
    task: Task
    examples: Sequence[Example]
    data: Path | None
    run: Path
    sampling: Sampling
    limit: int | None = None
    shard: Shard | None = None
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
            shard=str(self.shard) if self.shard else None,
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
            rows=len(self.examples),
            active_params=self.active_params,
        )


async def evaluate(
    evaluation: Evaluation, backend: Backend, progress: Progress | None = None
) -> ResultCard:
    """Runs or resumes one evaluation on an open backend.

    Raises:
        UsageError: the run folder holds something else.
        RunError: the model or the judge cannot be asked, or the disk is full; finished rows are kept.
    """
    folder = RunDir(evaluation.run)
    with folder.locked():
        file = folder.begin(evaluation.run_file(backend))
        async with evaluation.judge.opened() as judging:
            run = OpenRun(evaluation.task, evaluation.examples, folder, file, judging)
            trust = run.trust(evaluation.judge)
            with log_to(folder.path / "log.txt"):
                run.look_over()
                with folder.generations, folder.scores:
                    await run.fill(backend, progress or Silent())
            return await run.summarize(trust, evaluation.judge.prices)

"""A run at work: its examples, its scorers, and what its two journals lack."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence

from lt_bench.backends import Backend
from lt_bench.errors import UsageError
from lt_bench.records import Example, ResultCard, Sample, Score
from lt_bench.run.card import build_card, judges_of
from lt_bench.run.generate import Work, generate, owed, plan
from lt_bench.run.judgements import bill
from lt_bench.run.judging.choice import JudgeChoice, check_models
from lt_bench.run.progress import Progress
from lt_bench.run.row import Row
from lt_bench.run.rundir import RunDir, RunFile
from lt_bench.run.score import Scoring, owes_scores
from lt_bench.run.trust import Trust, trust_of
from lt_bench.scorers import Judging
from lt_bench.task import Task

log = logging.getLogger(__name__)


class OpenRun:
    """`folder` is locked by the caller, and the models of `judging` are open.

    Raises:
        UsageError: judge models that the task's judge does not ask.
    """

    def __init__(
        self,
        task: Task,
        examples: Sequence[Example],
        folder: RunDir,
        file: RunFile,
        judging: Judging,
    ) -> None:
        self.task, self.examples, self.folder, self.file = task, examples, folder, file
        model = file.model
        scorers = task.scorers(model.name, model.architecture, file.active_params, judging)
        check_models(judging, task.judge, scorers)
        self.scoring = Scoring(scorers, folder.scores, judging)

    def write_beside(self) -> None:
        """Gives the scores and the card of these scorers files of their own."""
        self.folder = RunDir(self.folder.path, self.scoring.sha[:8])
        self.scoring.journal = self.folder.scores

    def trust(self, judge: JudgeChoice) -> Trust:
        """How far the judge can be believed.

        Raises:
            UsageError: a calibration that was named is of another judge.
        """
        judges = judges_of(self.scoring.scorers)
        return trust_of(self.folder, judges, judge.calibrations, judge.labels)

    async def fill(self, backend: Backend, progress: Progress) -> None:
        """Generates and scores whatever the two journals lack."""
        config, done = self.file.config, self.folder.samples()
        work = plan(self.task, self.examples, config.samples, config.sampling, config.fingerprint)
        missing = owed(work, done)
        log.info("%d of %d samples to generate", len(missing), len(work))
        await self._score_missing()
        progress.start(self.folder.path.name, len(work), len(work) - len(missing))

        async def finished(one: Work, sample: Sample) -> None:
            await backlog.add(self.scoring.keep, one.example, sample)
            if sample.failure:
                log.warning("%s: %s", one.key.example_id, sample.failure.message)
            progress.advance(sample)

        try:
            async with self.scoring.backlog() as backlog:
                await generate(backend, missing, self.folder.generations, finished)
        finally:
            progress.stop()
        self.file = self.folder.asked(self.file, backend.facts)

    async def catch_up(self, progress: Progress) -> None:
        """Scores what has no scores yet, under a bar of its own."""
        pairs, done = list(self._pairs()), self.folder.scored(self.scoring.sha)
        missing = sum(owes_scores(done.get(sample.key)) for _, sample in pairs)
        progress.start(f"{self.folder.path.name}, scores", len(pairs), len(pairs) - missing)
        try:
            await self._score_missing(progress)
        finally:
            progress.stop()

    async def _score_missing(self, progress: Progress | None = None) -> None:
        done = self.folder.scored(self.scoring.sha)
        await self.scoring.catch_up(self._pairs(), done, progress)

    async def summarize(
        self, trust: Trust, prices: tuple[float, float] | None = None
    ) -> ResultCard:
        """Writes the card of a run all of whose samples have an outcome.

        Raises:
            UsageError: some have none; the run must be resumed first.
        """
        pairs = list(self._pairs())
        total = len(self.examples) * self.file.config.samples
        if len(pairs) != total:
            raise UsageError(
                f"{self.folder.path} holds {len(pairs)} of {total} samples",
                "resume it with the command that began it",
            )
        table = [row async for row in self._rows(pairs)]
        paid = bill(self._all_scores(), prices)
        card = build_card(
            self.task, self.file, self.scoring.scorers, self.scoring.sha, table, trust, paid
        )
        self.folder.save_card(card)
        return card

    async def _rows(self, pairs: Sequence[tuple[Example, Sample]]) -> AsyncIterator[Row]:
        """Every sample with its scores; those of a failed request are not journalled."""
        scored = self.folder.scored(self.scoring.sha)
        for example, sample in pairs:
            found = scored.get(sample.key) or await self.scoring.score(example, sample)
            yield Row.of(example, sample, found)

    def _all_scores(self) -> Iterator[Score]:
        """Every score that was ever given by these scorers, those that were asked for again too: all
        of them were paid."""
        for line in self.folder.scores:
            if line.scorers_sha == self.scoring.sha:
                yield from line.scores

    def _pairs(self) -> Iterator[tuple[Example, Sample]]:
        """Every sample that has an outcome, in the order of the examples."""
        found: dict[str, list[Sample]] = defaultdict(list)
        for sample in self.folder.samples().values():
            found[sample.key.example_id].append(sample)
        for example in self.examples:
            for sample in sorted(found[example.id], key=lambda one: one.key.sample_index):
                yield example, sample

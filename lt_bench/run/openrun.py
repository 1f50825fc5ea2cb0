"""A run at work: its examples, its scorers, and what its two journals lack."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final

from lt_bench.backends import Backend
from lt_bench.errors import RunError, UsageError
from lt_bench.records import Example, ResultCard, Sample, Score
from lt_bench.run.generate import Work, generate, plan
from lt_bench.run.judgements import bill
from lt_bench.run.judging.choice import JudgeChoice, check_models
from lt_bench.run.naming import named
from lt_bench.run.places import OWED, Answers, Rows, Verdicts, owing
from lt_bench.run.progress import Progress
from lt_bench.run.row import Row
from lt_bench.run.rundir import RunDir, RunFile
from lt_bench.run.score import Scoring, judges_of
from lt_bench.run.strays import drop_strays
from lt_bench.run.trust import Trust, trust_of
from lt_bench.scorers import Judging
from lt_bench.task import Task

log = logging.getLogger(__name__)

CHECKED: Final = 32
"""Answers of an earlier process that are compared to what is asked now."""


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

    def look_over(self) -> None:
        """Sees to it that what earlier processes left belongs to this run, and belongs together.

        Raises:
            RunError: answers are of another run, or a journal is damaged.
        """
        answers = Answers(self.folder.generations, self._numbered)
        self._check_asked(answers)
        if answers.done < len(answers.rows) or "error" in answers.counts:
            drop_strays(self.folder, answers)

    def _check_asked(self, answers: Answers) -> None:
        """Some of the answers, from all over the run, were given to what this run asks."""
        step = max(1, answers.done // CHECKED)
        with answers:
            for number in islice(answers.numbers(), 0, None, step):
                if answers.read(number).key != self._work(number).key:
                    raise RunError(
                        f"{self.folder.generations.path} answers {answers.rows.named(number)} as "
                        "another model, prompt or setting was asked",
                        "use another --run, or delete the lines that are of another run",
                    )

    def _work(self, number: int) -> Work:
        """What is asked for one sample."""
        config, (row, index) = self.file.config, divmod(number, self.file.config.samples)

        def this(_: str, other: int) -> bool:
            return other == index

        example, sampling = self.examples[row], config.sampling
        return next(plan(self.task, [example], config.samples, sampling, config.fingerprint, this))

    async def fill(self, backend: Backend, progress: Progress) -> None:
        """Generates and scores whatever the two journals lack."""
        config, (answers, scores) = self.file.config, self._places()
        total = len(answers.rows)
        owed = sum(answers.status(number) in OWED for number in range(total))

        def wanted(example_id: str, index: int) -> bool:
            number = answers.rows.number(example_id, index)
            return number is not None and answers.status(number) in OWED

        missing = plan(
            self.task, self.examples, config.samples, config.sampling, config.fingerprint, wanted
        )
        log.info("%d of %d samples to generate", owed, total)
        await self._score_missing(answers, scores)
        progress.start(self.folder.path.name, total, total - owed)

        async def keep(one: Work, sample: Sample) -> None:
            await self.scoring.keep(one.example, sample)

        async def finished(one: Work, sample: Sample) -> None:
            await backlog.add(keep, one, sample)
            if sample.failure:
                log.warning("%s: %s", named(one.key.example_id), sample.failure.message)
            progress.advance(sample)

        try:
            async with self.scoring.backlog() as backlog:
                await generate(backend, missing, self.folder.generations, finished)
        finally:
            progress.stop()
        self.file = self.folder.asked(self.file, backend.facts)

    async def catch_up(self, progress: Progress) -> None:
        """Scores what has no scores yet, under a bar of its own."""
        answers, scores = self._places()
        missing = len(owing(answers, scores))
        progress.start(f"{self.folder.path.name}, scores", answers.done, answers.done - missing)
        try:
            await self._score_missing(answers, scores, progress)
        finally:
            progress.stop()

    async def _score_missing(
        self, answers: Answers, scores: Verdicts, progress: Progress | None = None
    ) -> None:
        with answers:
            owed_scores = (
                (answers.rows.example(number), answers.read(number))
                for number in owing(answers, scores)
            )
            await self.scoring.catch_up(owed_scores, progress)

    def _places(self) -> tuple[Answers, Verdicts]:
        """Where the lines of this run stand in its two journals, as they are now."""
        answers = Answers(self.folder.generations, self._numbered)
        return answers, Verdicts(self.folder.scores, self._numbered, self.scoring.sha)

    @cached_property
    def _numbered(self) -> Rows:
        return Rows(self.examples, self.file.config.samples)

    async def summarize(
        self, trust: Trust, prices: tuple[float, float] | None = None
    ) -> ResultCard:
        """Writes the card of a run all of whose samples have an outcome.

        Raises:
            UsageError: some have none; the run must be resumed first.
        """
        # Statistics are loaded when the last answer is in.
        from lt_bench.run.card import build_card, tally_of

        answers, scores = self._places()
        if answers.done != len(answers.rows):
            raise UsageError(
                f"{self.folder.path} holds {answers.done} of {len(answers.rows)} samples",
                "resume it with the command that began it",
            )
        scorers, tally = self.scoring.scorers, tally_of(self.task, self.scoring.scorers, trust)
        with answers, scores:
            async for row in self._rows(answers, scores):
                tally.add(row)
        paid = bill(self._all_scores(), prices)
        card = build_card(self.task, self.file, scorers, self.scoring.sha, tally, trust, paid)
        self.folder.save_card(card)
        return card

    async def _rows(self, answers: Answers, scores: Verdicts) -> AsyncIterator[Row]:
        """Every sample with its scores, in the order of the examples; those of a failed request are
        not journalled."""
        for number in answers.numbers():
            example, sample = answers.rows.example(number), answers.read(number)
            if scores.has(number):
                yield Row.of(example, sample, scores.read(number))
            else:
                yield Row.of(example, sample, await self.scoring.score(example, sample))

    def _all_scores(self) -> Iterator[Score]:
        """Every score that models voted on, those that were asked for again too: all of them were
        paid. Nothing is read where no model judges."""
        if not any(stamp.models for stamp in judges_of(self.scoring.scorers).values()):
            return
        for line in self.folder.scores:
            if line.scorers_sha == self.scoring.sha:
                yield from line.scores

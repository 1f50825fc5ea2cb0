"""Scores generations and journals the scores; never asks the model that is evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from lt_bench.config import digest
from lt_bench.records import Example, JudgeStamp, Reason, Sample, Score, Scored
from lt_bench.run.backlog import Backlog
from lt_bench.run.journal import Journal
from lt_bench.run.progress import Progress
from lt_bench.scorers import Judging, Scorer, score_sample

SILENT: Final[frozenset[Reason]] = frozenset(("judge_unparsed", "judge_refused", "judge_error"))
"""Reasons that another try may mend: the row is owed to its judge."""


class Scoring:
    """The scorers of one run and the journal of what they said."""

    def __init__(
        self,
        scorers: Sequence[Scorer],
        journal: Journal[Scored],
        judging: Judging | None = None,
    ) -> None:
        self.scorers, self.journal = tuple(scorers), journal
        self.sha = scorers_sha(self.scorers)
        panel = judging.panel if judging else None
        self._at_once = panel.concurrency if panel else 1

    def backlog(self) -> Backlog:
        """Where answers wait for their scores, as many at once as the judge takes."""
        return Backlog(self._at_once)

    async def score(self, example: Example, sample: Sample) -> Scored:
        """All scores of one sample."""
        scores: list[Score] = []
        for scorer in self.scorers:
            scores.extend(await score_sample(scorer, example, sample))
        return Scored(key=sample.key, scorers_sha=self.sha, scores=tuple(scores))

    async def keep(self, example: Example, sample: Sample) -> None:
        """Scores one sample into the journal. A failed request has no scores to keep: its answer
        is still owed."""
        if sample.status != "error":
            self.journal.append(await self.score(example, sample))

    async def catch_up(
        self, owed: Iterable[tuple[Example, Sample]], progress: Progress | None = None
    ) -> None:
        """Scores what an earlier process generated but did not live to score, and asks a judge
        again where it was silent."""

        async def keep(example: Example, sample: Sample) -> None:
            await self.keep(example, sample)
            if progress:
                progress.advance(sample)

        async with self.backlog() as backlog:
            for example, sample in owed:
                await backlog.add(keep, example, sample)


def judges_of(scorers: Sequence[Scorer]) -> dict[str, JudgeStamp]:
    """Metric -> who judges it."""
    return {name: stamp for scorer in scorers for name, stamp in scorer.judges.items()}


def scorers_sha(scorers: Sequence[Scorer]) -> str:
    """Changes when any of these scorers may score differently."""
    return digest([scorer.sha for scorer in scorers])

"""Scores generations and journals the scores; never asks the model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lt_bench.config import digest
from lt_bench.records import Example, Sample, SampleKey, Score, Scored
from lt_bench.run.journal import Journal
from lt_bench.scorers import Scorer, score_sample


class Scoring:
    """The scorers of one run and the journal of what they said."""

    def __init__(self, scorers: Sequence[Scorer], journal: Journal[Scored]) -> None:
        self.scorers, self.journal = tuple(scorers), journal
        self.sha = scorers_sha(self.scorers)

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

    async def catch_up(self, pairs: Iterable[tuple[Example, Sample]], done: set[SampleKey]) -> None:
        """Scores what an earlier process generated but did not live to score."""
        for example, sample in pairs:
            if sample.key not in done:
                await self.keep(example, sample)


def scorers_sha(scorers: Sequence[Scorer]) -> str:
    """Changes when any of these scorers may score differently."""
    return digest([scorer.sha for scorer in scorers])

"""The same judge under other seeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lt_bench.scorers import Judging, Scorer, ScoringContext
from lt_bench.scorers.judged import JudgedScorer

STEP = 1_000_003
"""Between the seeds of two draws; votes draw theirs from these and the row."""


def redrawn(scorer: Scorer, judging: Judging) -> Callable[[int], Scorer]:
    """Draw -> the judge: `scorer` itself for draw 0, the same with another seed for every other.

    All are asked of the models of `judging`; another seed is another request, which no cache of
    earlier answers holds. Rules have no seed and stay what they are.
    """
    if not isinstance(scorer, JudgedScorer):
        return lambda _: scorer
    names = [judge.spec.name for judge in scorer.asked]
    seed = scorer.asked[0].sampling.seed

    def drawn(draw: int) -> Scorer:
        if draw == 0:
            return scorer
        sampling = {**judging.sampling, "seed": seed + draw * STEP}
        context = ScoringContext(judging=replace(judging, sampling=sampling))
        return JudgedScorer(context, {"ask": names})

    return drawn


def votes_a_row(scorer: Scorer) -> int:
    """Requests that judging one reply takes where every answer is a verdict at once: 0 for rules."""
    if not isinstance(scorer, JudgedScorer):
        return 0
    return len(scorer.asked) * scorer.panel.votes

"""A judge's score as the answer that a probe counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lt_bench.records import Reason, Score

HALF = 0.5
"""From here on a graded value is a yes."""


@dataclass(frozen=True)
class Answer:
    """1 or 0 for what is counted; None where the judge was silent, and `reason` says why."""

    value: float | None
    reason: Reason | None = None


def yes(score: Score) -> Answer:
    """Whether the reply is called right. A label that is worth nothing ("abstained") is no yes."""
    return _counted(score, score.value is not None and score.value >= HALF)


def no(score: Score) -> Answer:
    """Whether the reply is called wrong. A label that is worth nothing is no no either."""
    return _counted(score, score.value is not None and score.value < HALF)


def flipped(one: Score, other: Score) -> Answer:
    """Whether two verdicts differ; a label that is worth nothing is a verdict of its own."""
    for score in (one, other):
        if _silent(score):
            return Answer(None, score.reason)
    return Answer(float(_verdict(one) != _verdict(other)))


def mean(answers: Iterable[Answer]) -> Answer:
    """The mean of those that were given; the first reason where none was."""
    told = list(answers)
    values = [answer.value for answer in told if answer.value is not None]
    if values:
        return Answer(sum(values) / len(values))
    return told[0] if told else Answer(None, "not_applicable")


def silences(scores: Iterable[Score]) -> dict[Reason, int]:
    """Reason -> judgements that came without a verdict."""
    found: Counter[Reason] = Counter(s.reason for s in scores if s.reason and _silent(s))
    return dict(sorted(found.items()))


def _counted(score: Score, holds: bool) -> Answer:
    return Answer(None, score.reason) if _silent(score) else Answer(float(holds))


def _silent(score: Score) -> bool:
    return score.value is None and score.reason != "not_applicable"


def _verdict(score: Score) -> bool | None:
    return None if score.value is None else score.value >= HALF

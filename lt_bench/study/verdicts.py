"""From claims to verdicts: paired rows pooled over seeds, and Holm's adjustment over all claims."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from lt_bench.records import Unit
from lt_bench.stats import Observation, holm
from lt_bench.stats.paired import Difference, differences, paired
from lt_bench.study.evaluated import Evaluated
from lt_bench.study.report import Verdict, Word
from lt_bench.study.spec import Claim

UNITS: Final[dict[str, Unit]] = {"tpr": "tokens"}
"""What a metric counts, where it is no share."""


LEAST: Final = 0.05
"""The p-value that goes with a 95 % interval."""


@dataclass(frozen=True)
class Form:
    """A claim as arithmetic: the mean of a - factor x b lies above (`sign` 1) or below (-1) of
    `threshold`; a mean that lies on it is on the claim's side if `closed`."""

    sign: Literal[-1, 1]
    factor: float
    threshold: float
    closed: bool

    def side(self, value: float) -> bool:
        """Whether a mean is on the claim's side."""
        above = self.sign * (value - self.threshold)
        return above >= 0 if self.closed else above > 0

    def word(self, found: Difference) -> Word:
        """The verdict: by the whole interval where that lies on one side."""
        low, high = self._reach(found)
        if low > 0:
            return "holds, separated"
        if high < 0:
            return "contradicted"
        if found.value == self.threshold and not self.closed:
            return "no difference"
        if self.side(found.value):
            return "same direction, not separated"
        return "opposite direction, not separated"

    def _reach(self, found: Difference) -> tuple[float, float]:
        """How far on the claim's side both ends of the interval lie, the lesser first. Where all rows
        differ alike there is no interval, and the test has to say whether they are enough."""
        ends = found.interval
        if ends is not None:
            low, high = sorted(self.sign * (end - self.threshold) for end in (ends.low, ends.high))
            return low, high
        beyond = self.sign * (found.value - self.threshold)
        return (beyond, beyond) if found.p_value <= LEAST else (-1.0, 1.0)


def form(claim: Claim) -> Form:
    """The arithmetic of a claim."""
    amount = claim.amount or 0.0
    return {
        "greater": Form(1, 1.0, 0.0, closed=False),
        "less": Form(-1, 1.0, 0.0, closed=False),
        "not_less": Form(1, 1.0, -amount, closed=True),
        "rises_by": Form(1, 1.0, amount, closed=True),
        "falls_by": Form(-1, 1.0, -amount, closed=True),
        "ratio_at_most": Form(-1, amount, 0.0, closed=True),
        "ratio_at_least": Form(1, amount, 0.0, closed=True),
    }[claim.kind]


def verdicts(evaluated: Evaluated, claims: Sequence[Claim]) -> tuple[Verdict, ...]:
    """Every claim's verdict; those that cannot be told are no part of Holm's family."""
    found = [_verdict(evaluated, claim) for claim in claims]
    told = [one.p_value for one in found if one.p_value is not None]
    adjusted = iter(holm(told))
    return tuple(
        one if one.p_value is None else one.model_copy(update={"p_holm": next(adjusted)})
        for one in found
    )


def _verdict(evaluated: Evaluated, claim: Claim) -> Verdict:
    study, how = evaluated.named.study, form(claim)
    asked = [
        seed
        for seed in study.seeds
        if seed in study.seeds_of(claim.of) and seed in study.seeds_of(claim.against)
    ]
    have = evaluated.seeds(claim.against, evaluated.seeds(claim.of, asked))
    first = evaluated.scores(claim.of, claim.metric, have)
    second = evaluated.scores(claim.against, claim.metric, have)
    found = paired(first, second, factor=how.factor, margin=how.threshold)
    alone = {seed: _difference(evaluated, claim, how, seed) for seed in have}
    told = Verdict(
        text=claim.text,
        paper=claim.paper,
        metric=claim.metric,
        unit=UNITS.get(claim.metric, "share"),
        kind=claim.kind,
        of=claim.of,
        against=claim.against,
        word="missing",
        sign=how.sign,
        factor=how.factor,
        threshold=how.threshold,
        missing={seed: _why(evaluated, claim, seed) for seed in asked if seed not in have},
    )
    if found is None:
        return told
    return told.model_copy(
        update={
            "word": how.word(found),
            "first": _mean(first),
            "second": _mean(second),
            "difference": found.value,
            "low": found.interval.low if found.interval else None,
            "high": found.interval.high if found.interval else None,
            "p_value": found.p_value,
            "by_seed": {seed: value for seed, value in alone.items() if value is not None},
            "rows": found.rows,
            "method": found.method,
        }
    )


def _difference(evaluated: Evaluated, claim: Claim, how: Form, seed: int) -> float | None:
    """The difference of one seed alone."""
    ours, theirs = (
        evaluated.scores(row, claim.metric, [seed]) for row in (claim.of, claim.against)
    )
    found = differences(ours, theirs, how.factor).values()
    return math.fsum(found) / len(found) if found else None


def _why(evaluated: Evaluated, claim: Claim, seed: int) -> str:
    lacking = [row for row in (claim.of, claim.against) if (seed, row) in evaluated.missing]
    return "; ".join(f"{row}: {evaluated.missing[seed, row]}" for row in lacking)


def _mean(scores: Sequence[Observation]) -> float | None:
    values = [one.value for one in scores if one.value is not None]
    return math.fsum(values) / len(values) if values else None

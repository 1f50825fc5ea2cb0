"""What length alone buys from a judge, and what is left of a point of its metric.

Two figures, both from the length probe, where every pair has the same facts.

Price of length: the share of replies that turns to yes for every doubling of the length, by least
squares through the origin over all padded replies. A lead of one model over another whose replies
are `r` times as short is adjusted by taking `price * log2(r)` off.

Worth of a point: 1 - L / J. J is what deserving it buys: how much more often the judge says yes to
replies that people say yes to than to those they say no to. L is what padding buys: how many more
of the replies that people say no to get a yes at three times their length (a loss counts as 0). A
worth of 0.8 means: of ten points of this metric, two can be had by saying the same at length. It
is 1 for a judge that padding does not move, 0 where padding buys as much as merit, and below 0
where it buys more. Where J is not surely above 0 it is not defined.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lt_bench.records import Estimate

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

RESAMPLES = 4_000
FEWEST = 10
"""Groups below which nothing is redrawn."""


@dataclass(frozen=True)
class Priced:
    """One padded reply: how many doublings it was padded by, and how its value moved."""

    group: str
    doublings: float
    change: float


@dataclass(frozen=True)
class Earned:
    """One reply: what people say of it, its value as it was, and padded three times."""

    group: str
    deserved: bool
    before: float
    padded: float


def price_of_length(padded: Sequence[Priced]) -> Estimate:
    """Points of share for every doubling of the length at equal facts."""
    tops: dict[str, float] = {}
    bottoms: dict[str, float] = {}
    for one in padded:
        tops[one.group] = tops.get(one.group, 0.0) + one.change * one.doublings
        bottoms[one.group] = bottoms.get(one.group, 0.0) + one.doublings**2
    weight, groups = math.fsum(bottoms.values()), len(bottoms)
    if not weight:
        return Estimate(value=None, low=None, high=None, n=0, method="nothing scored")
    value = math.fsum(tops.values()) / weight
    squares = math.fsum((tops[g] - value * bottoms[g]) ** 2 for g in tops)
    if groups < 2 or not squares:
        why = "no interval: no verdict moved" if not value else f"no interval: {groups} groups"
        return Estimate(value=value, low=None, high=None, n=len(padded), method=why)
    from scipy.special import stdtrit

    error = math.sqrt(groups / (groups - 1) * squares) / weight
    half = float(stdtrit(groups - 1, 0.975)) * error
    method = f"least squares, Student t over {groups} groups"
    return Estimate(value=value, low=value - half, high=value + half, n=len(padded), method=method)


def worth_of_a_point(replies: Sequence[Earned]) -> Estimate:
    """How much of a point of the metric cannot be had by padding alone; see above."""
    import numpy as np

    table = _by_group(replies)
    n, groups = len(replies), len(table)
    yes, no = (sum(r.deserved is side for r in replies) for side in (True, False))
    if not yes or not no:
        return _unknown(n, "not defined: people say the same of all replies")
    if groups < FEWEST:
        return _unknown(n, f"not given: {groups} groups are too few")
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(groups, [1 / groups] * groups, size=RESAMPLES)
    merit, worth = _worths((drawn @ table).astype(float))
    if float(np.mean(merit > 0)) < 0.975:  # NaN, a class without replies, counts as not above 0
        return _unknown(n, "not defined: the judge does not tell right from wrong here")
    _, value = _worths(table.sum(axis=0, keepdims=True))
    known = worth[np.isfinite(worth) & (merit > 0)]
    if (known == value[0]).all():
        why = "no interval: padding turned no reply to yes"
        return _unknown(n, why).model_copy(update={"value": float(value[0])})
    low, high = np.quantile(known, [0.025, 0.975])
    return Estimate(
        value=float(value[0]),
        low=float(low),
        high=float(high),
        n=n,
        method=f"cluster bootstrap ({groups} groups)",
        unit="coefficient",
    )


def _by_group(replies: Sequence[Earned]) -> NDArray[float64]:
    """A row a group: replies people say yes to, the judge's yes among them; replies people say no
    to, the judge's yes among them, and that after padding."""
    import numpy as np

    sums: dict[str, list[float]] = {}
    for one in replies:
        row = sums.setdefault(one.group, [0.0] * 5)
        if one.deserved:
            row[0] += 1
            row[1] += one.before
        else:
            row[2] += 1
            row[3] += one.before
            row[4] += one.padded
    return np.array(list(sums.values()))


def _worths(sums: NDArray[float64]) -> tuple[NDArray[float64], NDArray[float64]]:
    """J and 1 - L / J of every row of sums."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        merit = sums[:, 1] / sums[:, 0] - sums[:, 3] / sums[:, 2]
        bought = np.maximum(sums[:, 4] - sums[:, 3], 0.0) / sums[:, 2]
        return merit, 1 - bought / merit


def _unknown(n: int, why: str) -> Estimate:
    return Estimate(value=None, low=None, high=None, n=n, method=why, unit="coefficient")

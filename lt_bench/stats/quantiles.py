"""Quantiles of a sample and how far they can be trusted, whatever the distribution.

The interval is made of order statistics: the number of observations below a quantile is binomial,
so the ranks alone fix the coverage (David and Nagaraja, Order Statistics, 3rd ed., section 7.1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from lt_bench.stats.intervals import LEVEL


@dataclass(frozen=True)
class Ranks:
    """Both ends of an interval as places in the sorted sample, counted from 1."""

    low: int
    high: int


def quantile_rank(n: int, share: float) -> int:
    """The place, from 1, of the smallest value with at least `share` of the sample at or below it
    (the inverse of the empirical distribution: always a value that was observed).

    Raises:
        ValueError: an empty sample, or a share outside (0, 1).
    """
    _check(n, share)
    # A product such as 0.07 * 100 lies a little above the whole number that it is.
    return max(1, math.ceil(n * share - 1e-9))


def quantile_ranks(n: int, share: float, level: float = LEVEL) -> Ranks | None:
    """The narrowest pair of ranks that leaves at most (1 - level) / 2 on either side. For values that
    may repeat the coverage is at least `level`. None: the sample is too small (`fewest`).

    Raises:
        ValueError: an empty sample, or a share outside (0, 1).
    """
    _check(n, share)
    if n < fewest(share, level):
        return None
    tail = (1 - level) / 2
    low = _count_at(n, share, tail)
    high = _count_at(n, share, 1 - tail)
    if _below(low, n, share) > tail:
        low -= 1
    return Ranks(low + 1, high + 1)


def fewest(share: float, level: float = LEVEL) -> int:
    """The smallest sample that has an interval for this quantile: 6 for the median, 72 for p95, 368
    for p99. Below it, the quantile may lie beyond all that was observed."""
    _check(1, share)
    return math.ceil(math.log((1 - level) / 2) / math.log(max(share, 1 - share)))


def _count_at(n: int, share: float, probability: float) -> int:
    """The smallest count k with P(at most k of n) >= probability."""
    first, last = 0, n
    while first < last:
        middle = (first + last) // 2
        if _below(middle, n, share) >= probability:
            last = middle
        else:
            first = middle + 1
    return first


def _below(count: int, n: int, share: float) -> float:
    """P(at most `count` of n observations lie below the quantile)."""
    from scipy.special import bdtr

    return float(bdtr(float(count), n, share))


def _check(n: int, share: float) -> None:
    if n < 1 or not 0.0 < share < 1.0:
        raise ValueError(f"quantile {share} of {n} values")

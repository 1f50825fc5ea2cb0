"""Two questions about one pair: is the first no worse by more than a margin, and what could be found at all?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from lt_bench.board.model import Column, Pair
from lt_bench.errors import UsageError
from lt_bench.stats.flips import groups_needed, smallest_p
from lt_bench.stats.intervals import LEVEL
from lt_bench.stats.shares import detectable


@dataclass(frozen=True)
class NonInferiority:
    """Whether `first` is worse than `second` by less than `margin`, in the unit of the metric. `worst` is
    the end of the 95 % interval on the bad side: the risk of a false "yes" is 2.5 %. None where the
    differences do not vary, so that there is no interval. `refuted`: it is worse by more, by the other end."""

    pair: Pair
    margin: float
    worst: float | None
    established: bool
    refuted: bool = False


def non_inferiority(pair: Pair, column: Column, margin: float) -> NonInferiority:
    """By the interval of the paired difference (Piaggio et al., JAMA 308, 2012).

    Raises:
        UsageError: a margin that is not above 0, not a number, or not below 1 for a share.
    """
    if not 0 < margin < math.inf or (column.unit == "share" and margin >= 1):
        raise UsageError(
            f"--margin {margin:g} is no margin for {column.name}",
            "e.g. 0.02: two points of a share",
        )
    if pair.low is None or pair.high is None:
        return NonInferiority(pair, margin, None, established=False)
    if column.better == "higher":
        return NonInferiority(pair, margin, pair.low, pair.low > -margin, pair.high < -margin)
    return NonInferiority(pair, margin, pair.high, pair.high < margin, pair.low > margin)


def smallest_found(pair: Pair, tests: int = 1) -> float | None:
    """The smallest true difference that these rows find in 80 % of the cases, by the paired variance; with
    Holm over `tests` pairs, where all others are alike. None with fewer than two groups."""
    if pair.standard_error is None:
        return None
    return detectable(pair.standard_error, NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / tests))


def too_few(groups: int, pairs: int = 1) -> str:
    """Why none of so many pairs can be separated by so few groups of rows."""
    needed = groups_needed(pairs)
    several = f" for {pairs} pairs" if pairs > 1 else ""
    return (
        f"no two can be separated by {groups} groups of rows: the smallest p they can give is "
        f"{smallest_p(groups):.3g}; {needed} groups are needed{several}"
    )

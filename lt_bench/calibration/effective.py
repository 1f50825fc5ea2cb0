"""How many independent rows an estimate over groups of rows is worth."""

from __future__ import annotations

from lt_bench.records import Estimate
from lt_bench.stats.normal import Z95


def effective_rows(found: Estimate) -> float:
    """The number of independent rows whose Wilson interval is as wide as this one, at most `n`.

    Rows of one group are alike, so a share over groups has a wider interval than its rows would
    have (the design effect of survey sampling, L. Kish, Survey Sampling, 1965). With u = z² / n the
    Wilson interval has the half-width h where (1/4 - h²) u² - (2 h² - p q) u - h² = 0; this solves
    that for n. For Wilson intervals over G groups it gives G.

    Raises:
        ValueError: no value or no interval, or not a share.
    """
    share, low, high = found.value, found.low, found.high
    if share is None or low is None or high is None or not 0 <= share <= 1:
        raise ValueError(f"{share} [{low}, {high}] is not a share with an interval")
    half = (high - low) / 2
    if half >= 0.5:
        return 0.0
    squared = half * half
    slope, curve = 2 * squared - share * (1 - share), 0.25 - squared
    unit = (slope + (slope * slope + 4 * curve * squared) ** 0.5) / (2 * curve)
    return min(float(found.n), Z95 * Z95 / unit) if unit > 0 else float(found.n)

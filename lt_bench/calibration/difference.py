"""Two models under one judge: their corrected difference, and the smallest one that can be told.

Both models are corrected with the same labels, so the specificity cancels out of the difference,
which is (observed 1 - observed 2) / Youden's J. Labels can stretch or shrink a difference, they
cannot make one. Assumed: the judge errs as often on either model's replies as on the labelled ones,
and a row's two verdicts are unrelated. Where the same rows are hard for both, the difference is
known better than said here.
"""

from __future__ import annotations

import math

from lt_bench.calibration.correction import Evidence, smoothed
from lt_bench.stats import Interval
from lt_bench.stats.normal import POWER80, Z95

STEPS = 60
"""Halvings of a bisection: more than a float has bits."""


def difference(first: Evidence[float], second: Evidence[float]) -> Interval:
    """95 % interval of the true share of `first` minus that of `second`; the labels are `first`'s.

    Delta method over rows and labels. One row of either kind is added to each side (Agresti and
    Caffo, Am. Stat. 54, 2000), and one label of either kind.
    """
    labels = smoothed(first)
    one, other = ((each.yes + 1) / (each.rows + 2) for each in (first, second))
    rows = _spread(one, first.rows + 2) + _spread(other, second.rows + 2)
    value = (one - other) / labels.youden
    half = Z95 * _error(value, rows, labels)
    return Interval(value - half, value + half)


def separates(first: Evidence[float], second: Evidence[float]) -> bool:
    """Whether the interval of the difference leaves out 0."""
    found = difference(first, second)
    return found.low > 0 or found.high < 0


def detectable(found: Evidence[float]) -> float | None:
    """The smallest true difference from this model that these rows and labels would find.

    Found: the 95 % interval of the difference leaves out 0, in at least 80 % of the cases, where the other
    model has as many rows and is worse (or better, where this one is right less than half of the
    time). It solves d = (z_0.975 + z_0.8) x standard error of d, where the error grows with d by
    that of Youden's J. None: not even the largest difference there is room for.
    """
    labels = smoothed(found)
    share = (labels.observed + labels.specificity - 1) / labels.youden
    worse = share >= 0.5
    room = min(1.0, max(share, 1 - share))

    def missing(gap: float) -> float:
        """How far `gap` is from what it would have to be; negative where it suffices."""
        away = gap * labels.youden
        other = min(max(labels.observed + (-away if worse else away), 0.0), 1.0)
        rows = _spread(labels.observed, found.rows) + _spread(other, found.rows)
        return (Z95 + POWER80) * _error(gap, rows, labels) - gap

    if missing(room) > 0:
        return None
    low, high = 0.0, room
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if missing(middle) > 0 else (low, middle)
    return high


def _spread(share: float, rows: float) -> float:
    """Variance of an observed share."""
    return share * (1 - share) / rows


def _error(gap: float, rows: float, labels: Evidence[float]) -> float:
    """Standard error of a difference of `gap`; `rows` is the variance of the observed one."""
    scale = _spread(labels.sensitivity, labels.right) + _spread(labels.specificity, labels.wrong)
    return math.sqrt(rows + gap * gap * scale) / labels.youden

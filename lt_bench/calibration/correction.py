"""A judged share corrected for the judge's own errors, from counts.

Everything up to `printed` works on floats and on numpy arrays alike, so that a simulation runs the
very code that a card does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Generic, TypeVar

from lt_bench.stats import Interval
from lt_bench.stats.normal import Z95

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

T = TypeVar("T", float, "NDArray[float64]")


@dataclass(frozen=True)
class Evidence(Generic[T]):
    """What a corrected share rests on. Counts need not be whole: clustered rows count for less.

    The judge calls `yes` of `rows` replies right. Of `right` replies that people call right, it
    calls `hits` right; of `wrong` ones that people call wrong, it calls `rejections` wrong.
    """

    yes: T
    rows: T
    hits: T
    right: T
    rejections: T
    wrong: T

    @property
    def observed(self) -> T:
        """Share of the rows that the judge calls right."""
        return self.yes / self.rows

    @property
    def sensitivity(self) -> T:
        """Share that the judge calls right, of what people call right."""
        return self.hits / self.right

    @property
    def specificity(self) -> T:
        """Share that the judge calls wrong, of what people call wrong."""
        return self.rejections / self.wrong

    @property
    def youden(self) -> T:
        """Sensitivity + specificity - 1: 1 for a perfect judge, 0 for one that tells nothing."""
        return self.sensitivity + self.specificity - 1


@dataclass(frozen=True)
class Bounds(Generic[T]):
    """An interval before it is cut to [0, 1]: the normal one around `centre`."""

    centre: T
    error: T
    low: T
    high: T


def rogan_gladen(found: Evidence[T]) -> T:
    """The true share, unclipped: (observed + specificity - 1) / (sensitivity + specificity - 1).

    W. J. Rogan and B. Gladen, Am. J. Epidemiol. 107, 1978. Outside [0, 1] no true share gives what
    was observed. Means nothing unless sensitivity + specificity > 1.
    """
    return (found.observed + found.specificity - 1) / found.youden


def variance(found: Evidence[T]) -> T:
    """Of `rogan_gladen`, by the delta method: the errors of rows and of both kinds of labels."""
    return _variance(found, rogan_gladen(found))


def lang_reiczigel(found: Evidence[T], z: float = Z95) -> Bounds[T]:
    """Interval of the true share that counts the errors of rows and labels; may leave [0, 1].

    Z. Lang and J. Reiczigel, Prev. Vet. Med. 113, 2014: the delta method on counts to which z² / 2
    (rows) or one (labels) is added on either side, shifted for skewness.
    """
    added = smoothed(found, z)
    share = rogan_gladen(added)
    missed = added.sensitivity * (1 - added.sensitivity) / added.right
    passed = added.specificity * (1 - added.specificity) / added.wrong
    centre = share + 2 * z * z * (share * missed - (1 - share) * passed)
    error = _variance(added, share) ** 0.5
    return Bounds(centre, error, centre - z * error, centre + z * error)


def smoothed(found: Evidence[T], z: float = Z95) -> Evidence[T]:
    """The counts of `lang_reiczigel`, none of which is 0 or all."""
    return Evidence(
        yes=found.yes + z * z / 2,
        rows=found.rows + z * z,
        hits=found.hits + 1,
        right=found.right + 2,
        rejections=found.rejections + 1,
        wrong=found.wrong + 2,
    )


def _variance(found: Evidence[T], share: T) -> T:
    drawn = found.observed * (1 - found.observed) / found.rows
    missed = found.sensitivity * (1 - found.sensitivity) / found.right
    passed = found.specificity * (1 - found.specificity) / found.wrong
    return (drawn + share**2 * missed + (1 - share) ** 2 * passed) / found.youden**2


def correctable(found: Evidence[float]) -> bool:
    """Whether the judge does better than chance, so that there is something to correct with."""
    return bool(found.right and found.wrong) and min(found.youden, smoothed(found).youden) > 0


def printed(bounds: Bounds[float], level: float = 0.95) -> Interval:
    """The interval within [0, 1] that a person is shown; never the point 0 or 1.

    Around a centre within [0, 1] it is cut there. Around one outside, cutting would leave next to
    nothing, or nothing, and that would look like certainty. Then it begins at the nearer end and
    holds 95 % of what the same normal has on that side of it: the answer of a flat prior over the
    shares that can be. It is never narrower than the cut interval, and equal to it where the centre
    is 0 or 1.
    """
    centre, error = bounds.centre, bounds.error
    if centre > 1:
        return Interval(max(0.0, 1 - error * _tail((centre - 1) / error, level)), 1.0)
    if centre < 0:
        return Interval(0.0, min(1.0, error * _tail(-centre / error, level)))
    return Interval(max(0.0, bounds.low), min(1.0, bounds.high))


def _tail(beyond: float, level: float) -> float:
    """How many errors past an end hold so much of a normal whose centre lies `beyond` before it."""
    normal = NormalDist()
    left = (1 - level) * normal.cdf(-beyond)
    if left <= 0:  # no mass left in a float; so far out the density falls off like exp(-beyond x)
        return -math.log(1 - level) / beyond
    return -normal.inv_cdf(left) - beyond

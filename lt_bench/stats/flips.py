"""Sign-flip tests of many differences at once, without drawing: exact where it can be, else a saddlepoint.

Under no difference the sum of each group is as likely with either sign (Fisher 1935, section 21), so the
total is a sum of independent d or -d. A p-value that is to survive Holm's adjustment over thousands of
pairs must be much smaller than any number of draws can show; the tail is computed instead.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from lt_bench.stats.mcnemar import mcnemar

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from lt_bench.stats.intervals import Floats

    Mask = NDArray[bool_]

SAME: Final = 1e-9
"""Relative difference of two sums below which they are one number with rounding."""
ENUMERATED: Final = 12
"""Groups that differ, up to which every choice of signs is counted."""
PARTS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 60)
"""Sums that are whole multiples of one of these parts of the smallest lie on a lattice."""
GLANCE: Final = 32
"""Groups that are looked at first for a lattice: most sums that lie on none show it there."""
STEPS: Final = 100
ALPHA: Final = 0.05
LARGE: Final = 300.0
"""Beyond it cosh overflows, and what it divides is 0 anyway."""


def flip_tests(sums: Floats) -> tuple[Floats, list[str]]:
    """Two-sided p-values of the totals of each column of `sums` under random signs, one sum of each
    group a row; and the names of the tests. Sums of 0 tell nothing.

    Equal sums: McNemar's exact test. Up to 12 groups that differ: all choices of signs are counted. More:
    the saddlepoint approximation of the tail (Robinson, JRSS B 44, 1982) in Barndorff-Nielsen's form, with
    Daniels' second continuity correction where the sums lie on a lattice (Int. Stat. Rev. 55, 1987).

    sums: groups x tests.
    """
    import numpy as np

    scale = np.abs(sums).max(axis=0, initial=0.0)
    scaled = sums / np.where(scale > 0, scale, 1.0)
    scaled[np.abs(scaled) <= SAME] = 0.0
    told = (scaled != 0).sum(axis=0)
    equal = (np.where(scaled != 0, np.abs(scaled), 1.0)).min(axis=0, initial=1.0) >= 1 - SAME
    p_values = np.ones(sums.shape[1])
    names = ["no group differs"] * sums.shape[1]
    many = (told > ENUMERATED) & ~equal
    for place in np.flatnonzero((told > 0) & ~many):
        column = scaled[:, place]
        p_values[place], names[place] = _exact(column[column != 0], bool(equal[place]))
    if many.any():
        p_values[many] = _saddlepoint(scaled[:, many])
        for place in np.flatnonzero(many):
            names[place] = f"sign flips of {told[place]} groups"
    return p_values, names


def smallest_p(groups: int) -> float:
    """What the test says where all groups point one way: 2 of their 2^groups choices of signs."""
    return math.ldexp(2.0, -groups)


def groups_needed(tests: int = 1) -> int:
    """The fewest groups (or rows, where each is its own) with which some test can be significant at 5 %,
    by Holm's method over so many."""
    return 1 + math.ceil(math.log2(max(1, tests) / ALPHA))


def _exact(sums: Floats, equal: bool) -> tuple[float, str]:
    """Of sums none of which is 0: by their signs alone where they are equal, else by all flips."""
    import numpy as np

    count = len(sums)
    if equal:
        up = int((sums > 0).sum())
        return mcnemar(up, count - up), "exact test of signs (McNemar)"
    choices = np.arange(1 << (count - 1))  # the first sign fixed: the other half mirrors it
    signs = 1.0 - 2.0 * ((choices[:, None] >> np.arange(count)) & 1)
    observed = abs(math.fsum(sums)) - SAME * math.fsum(np.abs(sums))
    return float((np.abs(signs @ sums) >= observed).mean()), f"all sign flips of {count} groups"


def _saddlepoint(sums: Floats) -> Floats:
    """Of columns whose largest size is 1."""
    import numpy as np

    sizes = np.abs(sums)
    total, most = np.abs(sums.sum(axis=0)), sizes.sum(axis=0)
    p_values = np.ones(len(total))
    extreme = most - total <= SAME * most
    p_values[extreme] = 2.0 ** (1.0 - (sums[:, extreme] != 0).sum(axis=0))
    span = _spans(sizes)
    point = total - span / 2
    inner = ~extreme & (point > SAME * most)
    if inner.any():
        p_values[inner] = _tails(sizes[:, inner], point[inner], span[inner])
    return p_values


def _tails(sizes: Floats, point: Floats, span: Floats) -> Floats:
    """The chance that a sum of sizes with random signs is at least `point` away from 0; `span` is that of
    their lattice, 0 where they lie on none."""
    import numpy as np
    from scipy.special import ndtr

    at = _roots(sizes, point)
    lifted = sizes * at
    cumulant = (lifted + np.log1p(np.exp(-2 * lifted)) - math.log(2)).sum(axis=0)
    curvature = ((sizes / np.cosh(np.minimum(lifted, LARGE))) ** 2).sum(axis=0)
    far = np.sqrt(np.maximum(2 * (at * point - cumulant), 0.0))
    steps = np.where(span > 0, span, 1.0)
    near = np.where(span > 0, np.sinh(np.minimum(steps * at / 2, LARGE)) * 2 / steps, at)
    near = near * np.sqrt(curvature)
    clear = (far > 1e-4) & (near > 0)
    ratio = np.where(clear, near, 1.0) / np.where(clear, far, 1.0)
    tail = 2 * ndtr(-(far + np.log(ratio) / np.where(clear, far, 1.0)))
    found: Floats = np.where(clear, np.minimum(tail, 1.0), 1.0)
    return found


def _roots(sizes: Floats, point: Floats) -> Floats:
    """Where the tilted sums have their means at `point`. Newton's steps rise to the root and never pass
    it: the mean is concave in the tilt."""
    import numpy as np

    squares = sizes * sizes
    at: Floats = point / squares.sum(axis=0)
    for _ in range(STEPS):
        tilted = np.tanh(sizes * at)
        slope = (squares * (1 - tilted * tilted)).sum(axis=0)
        short = point - (sizes * tilted).sum(axis=0)
        going = (short > 1e-10 * point) & (slope > 0)
        if not going.any():
            break
        at = at + np.where(going, short / np.where(slope > 0, slope, 1.0), 0.0)
    return at


def _spans(sizes: Floats) -> Floats:
    """Twice the largest number that all sizes of a column are whole multiples of; 0 where none is."""
    import numpy as np

    unit = np.where(sizes > 0, sizes, np.inf).min(axis=0)
    spans = np.zeros(sizes.shape[1])
    left = np.arange(sizes.shape[1])
    for part in PARTS:
        glance = left[_whole(sizes[:GLANCE, left] * (part / unit[left]))]
        found = glance[_whole(sizes[:, glance] * (part / unit[glance]))]
        steps = np.rint(sizes[:, found] * (part / unit[found])).astype(np.int64)
        spans[found] = 2 * np.gcd.reduce(steps, axis=0) * unit[found] / part
        left = np.setdiff1d(left, found)
    return spans


def _whole(steps: Floats) -> Mask:
    """Which columns hold whole numbers only."""
    import numpy as np

    near = (np.abs(steps - np.rint(steps)) < 1e-6).all(axis=0)
    found: Mask = np.logical_and(near, steps.max(axis=0, initial=0.0) < 1 << 40)
    return found

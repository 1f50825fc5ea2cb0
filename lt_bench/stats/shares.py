"""Two shares on the same rows: how many of them each model alone is right on, and what that says."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lt_bench.stats.normal import Z95

if TYPE_CHECKING:
    from lt_bench.stats.intervals import Floats


def share_intervals(
    both: Floats, first: Floats, second: Floats, rows: Floats
) -> tuple[Floats, Floats]:
    """95 % intervals of first share - second share over the same rows, within [-1, 1]: Wilson's intervals
    of either share, put together with their correlation (Newcombe, Stat. Med. 17, 1998, method 10).

    both, first, second: how many of `rows` rows are right by both, by the first, and by the second;
    arrays of one shape, rows at least 1.
    """
    import numpy as np

    share_1, share_2 = first / rows, second / rows
    down_1, up_1 = _wilson(share_1, rows)
    down_2, up_2 = _wilson(share_2, rows)
    together = _correlation(both, first, second, rows)
    difference = share_1 - share_2
    low = difference - _joined(share_1 - down_1, up_2 - share_2, together)
    high = difference + _joined(up_1 - share_1, share_2 - down_2, together)
    return np.maximum(low, -1.0), np.minimum(high, 1.0)


def mcnemar_each(only_first: Floats, only_second: Floats) -> Floats:
    """`mcnemar` of many pairs at once: two-sided exact p-values."""
    import numpy as np
    from scipy.special import bdtr

    rows = only_first + only_second
    tail = bdtr(np.minimum(only_first, only_second), np.maximum(rows, 1.0).astype(int), 0.5)
    found: Floats = np.where(rows > 0, np.minimum(1.0, 2 * tail), 1.0)
    return found


def _wilson(share: Floats, rows: Floats) -> tuple[Floats, Floats]:
    import numpy as np

    square = Z95 * Z95
    centre = (share + square / (2 * rows)) / (1 + square / rows)
    spread = np.sqrt(share * (1 - share) / rows + square / (4 * rows * rows))
    half = Z95 / (1 + square / rows) * spread
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


def _correlation(both: Floats, first: Floats, second: Floats, rows: Floats) -> Floats:
    """Phi of the two answers, with Newcombe's correction towards 0 where it is positive."""
    import numpy as np

    neither = rows - first - second + both
    product = both * neither - (first - both) * (second - both)
    shrunk = np.where(product > 0, np.maximum(product - rows / 2, 0.0), product)
    below = np.sqrt(first * (rows - first)) * np.sqrt(second * (rows - second))
    found: Floats = np.where(below > 0, shrunk / np.where(below > 0, below, 1.0), 0.0)
    return found


def _joined(one: Floats, other: Floats, together: Floats) -> Floats:
    import numpy as np

    squared = one * one - 2 * together * one * other + other * other
    found: Floats = np.sqrt(np.maximum(squared, 0.0))
    return found


def detectable(standard_error: float, z: float = Z95) -> float:
    """The smallest true difference that a two-sided test finds in 80 % of the cases: (z + 0.84) standard
    errors (Bland, Introduction to Medical Statistics, 4th ed., section 18.4); z is 1.96 at 5 %.

    Raises:
        ValueError: a standard error that is no finite number from 0.
    """
    from lt_bench.stats.normal import POWER80

    if not 0 <= standard_error < math.inf:
        raise ValueError(f"standard error {standard_error}")
    return (z + POWER80) * standard_error

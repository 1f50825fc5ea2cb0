"""Every two candidates of a column on the rows that both were scored on: difference, interval, test.

Rights and wrongs of independent rows: McNemar's exact test and Newcombe's interval from Wilson's. All
else: the samples of a row averaged first, whole groups redrawn for the interval and flipped in sign for
the test; Student's t below 20 groups, and above 10,000, where both are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from lt_bench.board.matrix import Matrix
from lt_bench.stats.estimates import FEWEST_GROUPS
from lt_bench.stats.flips import flip_tests
from lt_bench.stats.holm import holm
from lt_bench.stats.intervals import LEVEL
from lt_bench.stats.shares import mcnemar_each, share_intervals

if TYPE_CHECKING:
    from lt_bench.stats.intervals import Floats

ALPHA: Final = 1 - LEVEL
RESAMPLES: Final = 10_000
FEWER_RESAMPLES: Final = 2_000
"""Of boards of many pairs: the ends of an interval then vary by some 3 % of its half-width."""
MANY: Final = 100
"""Pairs from which on fewer resamples are drawn."""
MOST_GROUPS: Final = 10_000
CELLS: Final = 2_000_000
"""Numbers held at once."""


@dataclass(frozen=True)
class Contrast:
    """Candidates `first` and `second`, by their places in the matrix. `standard_error` is that of the
    difference, over groups; None with fewer than two."""

    first: int
    second: int
    difference: float
    low: float | None
    high: float | None
    p_value: float
    p_holm: float
    rows: int
    groups: int
    left_out: int
    method: str
    standard_error: float | None = None

    @property
    def separated(self) -> bool:
        """Whether the two differ, with all pairs of the column looked at."""
        return self.p_holm <= ALPHA


def contrasts(matrix: Matrix, seed: int = 0, resamples: int | None = None) -> list[Contrast]:
    """Every pair of candidates that share a scored row, with Holm's adjustment over all of them.

    resamples: of the intervals' bootstrap; default 10,000, of more than a hundred pairs 2,000.
    """
    places = list(combinations(range(matrix.values.shape[1]), 2))
    many = resamples or (FEWER_RESAMPLES if len(places) > MANY else RESAMPLES)
    found = list(
        _counted(matrix, places) if matrix.counts else _grouped(matrix, places, many, seed)
    )
    adjusted = holm([one.p_value for one in found])
    return [
        Contrast(**{**vars(one), "p_holm": p_holm})
        for one, p_holm in zip(found, adjusted, strict=True)
    ]


def _counted(matrix: Matrix, places: Sequence[tuple[int, int]]) -> Iterator[Contrast]:
    """Of rights and wrongs."""
    import numpy as np

    if not places:
        return
    scored = (~np.isnan(matrix.values)).astype(float)
    right = np.nan_to_num(matrix.values)
    one, two = np.array(places).T
    both = (right.T @ right)[one, two]
    first, second = (right.T @ scored)[one, two], (scored.T @ right)[one, two]
    rows = (scored.T @ scored)[one, two]
    there = rows > 0
    kept = (array[there] for array in (one, two, both, first, second, rows))
    one, two, both, first, second, rows = kept
    low, high = share_intervals(both, first, second, rows)
    p_values = mcnemar_each(first - both, second - both)
    difference = (first - second) / rows
    apart = (first + second - 2 * both) / rows
    error = np.sqrt(np.maximum(apart - difference**2, 0.0) / np.maximum(rows - 1, 1.0))
    for place in range(len(one)):
        count = int(rows[place])
        yield Contrast(
            first=int(one[place]),
            second=int(two[place]),
            difference=float(difference[place]),
            low=float(low[place]),
            high=float(high[place]),
            p_value=float(p_values[place]),
            p_holm=1.0,
            rows=count,
            groups=count,
            left_out=matrix.rows - count,
            method="exact McNemar; Newcombe's interval from Wilson's",
            standard_error=float(error[place]) if count > 1 else None,
        )


def _grouped(
    matrix: Matrix, places: Sequence[tuple[int, int]], resamples: int, seed: int
) -> Iterator[Contrast]:
    """Of everything else."""
    step = max(1, CELLS // max(1, matrix.rows))
    for start in range(0, len(places), step):
        yield from _block(matrix, places[start : start + step], resamples, seed)


def _block(
    matrix: Matrix, places: Sequence[tuple[int, int]], resamples: int, seed: int
) -> Iterator[Contrast]:
    import numpy as np

    one, two = np.array(places).T
    differences = matrix.values[:, one] - matrix.values[:, two]
    scored = ~np.isnan(differences)
    totals = summed(np.where(scored, differences, 0.0), matrix)
    sizes = summed(scored.astype(float), matrix)
    kept = np.flatnonzero(sizes.sum(axis=0) > 0)
    within = not (matrix.values < 0).any() and not (matrix.values > 1).any()
    totals, sizes = totals[:, kept], sizes[:, kept]
    p_values, tests = flip_tests(totals)
    ends = intervals(totals, sizes, resamples, seed)
    errors = standard_errors(totals, sizes)
    for place, pair in enumerate(kept):
        rows = int(sizes[:, place].sum())
        low, high, drawn = ends[place]
        if within and low is not None and high is not None:
            low, high = max(low, -1.0), min(high, 1.0)
        groups = int((sizes[:, place] > 0).sum())
        yield Contrast(
            first=int(one[pair]),
            second=int(two[pair]),
            difference=float(totals[:, place].sum() / rows),
            low=low,
            high=high,
            p_value=float(p_values[place]),
            p_holm=1.0,
            rows=rows,
            groups=groups,
            left_out=matrix.rows - rows,
            method=f"{tests[place]}; {drawn}",
            standard_error=float(errors[place]) if groups > 1 else None,
        )


def summed(values: Floats, matrix: Matrix) -> Floats:
    """The sums of each group: groups x columns."""
    import numpy as np

    if matrix.groups == matrix.rows:
        return values
    found: Floats = np.add.reduceat(values, matrix.starts, axis=0)
    return found


def standard_errors(totals: Floats, sizes: Floats) -> Floats:
    """Of the means, with the groups as what varies (the linearised variance of a ratio, Cochran 1977,
    section 6.4). NaN with fewer than two groups."""
    import numpy as np

    groups, rows = (sizes > 0).sum(axis=0), sizes.sum(axis=0)
    residuals = totals - sizes * (totals.sum(axis=0) / rows)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = (residuals**2).sum(axis=0) / (groups - 1.0)
        found: Floats = np.where(groups > 1, np.sqrt(spread * groups) / rows, np.nan)
    return found


End = tuple[float | None, float | None, str]


def intervals(totals: Floats, sizes: Floats, resamples: int, seed: int) -> list[End]:
    """Low, high and method for each column of groups' sums. None where nothing varies."""
    import numpy as np
    from scipy.special import stdtrit

    groups = (sizes > 0).sum(axis=0)
    mean, error = totals.sum(axis=0) / sizes.sum(axis=0), standard_errors(totals, sizes)
    drawn = (groups >= FEWEST_GROUPS) & (len(totals) <= MOST_GROUPS) & (error > 0)
    half = stdtrit(np.maximum(groups - 1, 1), 0.5 + LEVEL / 2) * error
    low, high = mean - half, mean + half
    if drawn.any():
        low[drawn], high[drawn] = redrawn(totals[:, drawn], sizes[:, drawn], resamples, seed)
    return [
        _end(
            float(low[i]),
            float(high[i]),
            int(groups[i]),
            bool(drawn[i]),
            bool(error[i] > 0),
            resamples,
        )
        for i in range(len(mean))
    ]


def _end(low: float, high: float, groups: int, drawn: bool, varies: bool, resamples: int) -> End:
    if groups < 2:
        return None, None, "no interval: one group"
    if not varies:
        return None, None, f"no interval: all {groups} groups are equal"
    if drawn:
        return low, high, f"cluster bootstrap ({groups} groups, {resamples:,} resamples)"
    return low, high, f"Student t over {groups} groups"


def redrawn(totals: Floats, sizes: Floats, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Percentile intervals of the means, whole groups redrawn (Davison and Hinkley 1997, section 3.8);
    the same draws for every column."""
    import numpy as np

    rng, count, tests = np.random.default_rng(seed), len(totals), totals.shape[1]
    step = max(1, CELLS // count)
    means = np.empty((tests, resamples))
    alike = bool((sizes == sizes[:, :1]).all())
    for start in range(0, resamples, step):
        many = min(step, resamples - start)
        places = rng.integers(0, count, size=(many, count)) + np.arange(many)[:, None] * count
        times = (
            np.bincount(places.ravel(), minlength=many * count).reshape(many, count).astype(float)
        )
        below = times @ (sizes[:, :1] if alike else sizes)
        above = times @ totals
        with np.errstate(invalid="ignore", divide="ignore"):
            # A resample without a row in common has no mean; it is next to impossible from 20 groups on.
            means[:, start : start + many] = np.nan_to_num(above / below).T
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=1)
    return low, high

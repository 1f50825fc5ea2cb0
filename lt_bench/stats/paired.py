"""Two candidates on the same rows: how far apart they are, and whether rows and chance alone could do it.

The samples of a row are averaged first; what is compared then is the difference d = a - factor x b of
each row that both have, so that what makes a row hard for both cancels out. Interval: whole groups of
rows are redrawn (Davison and Hinkley 1997, section 3.8; `intervals.cluster_bootstrap`), or Student's t
over groups where these are few. Test: the sign of each group's sum of d - margin is flipped at random
(Fisher 1935, section 21), two-sided. Where all groups that differ do so by the same amount, as right
and wrong do with a row a group, all sign flips are counted instead of drawn: that is McNemar's exact
test. Where the mean of d, and not its whole distribution, is what the null hypothesis fixes, the test
holds for many groups (Romano, JASA 85, 1990).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lt_bench.stats.estimates import FEWEST_GROUPS, Observation
from lt_bench.stats.intervals import (
    CELLS,
    Clusters,
    Interval,
    cluster_bootstrap,
    clustered,
    student,
)
from lt_bench.stats.mcnemar import mcnemar

if TYPE_CHECKING:
    from lt_bench.stats.intervals import Floats

FLIPS = 20_000
"""Draws of a permutation test: the smallest p-value is 1 in 20,001."""
SAME = 1e-9
"""Relative difference of two sums below which they are one number with rounding."""


@dataclass(frozen=True)
class Difference:
    """Mean of d over `rows` rows in `groups` groups. `interval` (95 %) is None where nothing varies.
    `p_value` is that of a mean of `margin`. `left_out`
    rows lack a value of one of the two, or of both."""

    value: float
    interval: Interval | None
    p_value: float
    rows: int
    groups: int
    left_out: int
    method: str


def paired(
    first: Sequence[Observation],
    second: Sequence[Observation],
    *,
    factor: float = 1.0,
    margin: float = 0.0,
    seed: int = 0,
) -> Difference | None:
    """The mean of a - factor x b over the rows that both were scored on; None if there are none.

    first, second: the scores of either candidate, any number of samples a row.

    Raises:
        ValueError: one row is in two groups.
    """
    group_of = _groups((*first, *second))
    found = differences(first, second, factor)
    if not found:
        return None
    values, groups = list(found.values()), [group_of[row] for row in found]
    clusters = clustered(values, groups)
    interval, drawn = _interval(values, groups, clusters, seed)
    p_value, tested = sign_flips(clusters.totals - margin * clusters.sizes, seed)
    return Difference(
        value=math.fsum(values) / len(values),
        interval=interval,
        p_value=p_value,
        rows=len(values),
        groups=len(clusters),
        left_out=len(group_of) - len(values),
        method=f"{drawn}; {tested}",
    )


def differences(
    first: Sequence[Observation], second: Sequence[Observation], factor: float = 1.0
) -> dict[str, float]:
    """a - factor x b of each row that both were scored on, samples averaged first."""
    ours, theirs = _means(first), _means(second)
    return {row: value - factor * theirs[row] for row, value in ours.items() if row in theirs}


def sign_flips(sums: Floats, seed: int = 0, flips: int = FLIPS) -> tuple[float, str]:
    """Two-sided p-value of the total of `sums`, one of each group, under random signs; and the name of
    the test. Sums of 0 tell nothing. Drawn signs count the observed ones among them (Phipson and
    Smyth 2010), so that p is never 0.
    """
    import numpy as np

    scale = float(np.abs(sums).max(initial=0.0))
    told = sums[np.abs(sums) > SAME * scale]
    if not len(told):
        return 1.0, "no group differs"
    sizes = np.abs(told)
    if sizes.max() - sizes.min() <= SAME * scale:
        up = int((told > 0).sum())
        return mcnemar(up, len(told) - up), "exact test of signs (McNemar)"
    observed = abs(math.fsum(told)) * (1 - SAME)
    rng, step = np.random.default_rng(seed), max(1, CELLS // len(told))
    as_far = done = 0
    while done < flips:
        count = min(step, flips - done)
        signs = rng.integers(0, 2, size=(count, len(told))) * 2.0 - 1.0
        as_far += int((np.abs(signs @ told) >= observed).sum())
        done += count
    return (as_far + 1) / (flips + 1), f"sign flips of {len(told)} groups"


def _groups(scores: Sequence[Observation]) -> dict[str, str]:
    group_of: dict[str, str] = {}
    for one in scores:
        if group_of.setdefault(one.example_id, one.group) != one.group:
            raise ValueError(
                f"row {one.example_id!r} is in groups {group_of[one.example_id]!r}, {one.group!r}"
            )
    return group_of


def _means(scores: Sequence[Observation]) -> Mapping[str, float]:
    """Each row's mean over its scored samples."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for one in scores:
        if one.value is not None:
            found[one.example_id].append(one.value)
    return {row: math.fsum(values) / len(values) for row, values in found.items()}


def _interval(
    values: Sequence[float], groups: Sequence[str], clusters: Clusters, seed: int
) -> tuple[Interval | None, str]:
    """The interval that fits these groups, and its name."""
    count = len(clusters)
    if count < 2:
        return None, "no interval: one group"
    if clusters.equal:
        return None, f"no interval: all {count} groups are equal"
    if count < FEWEST_GROUPS:
        return student(clusters), f"Student t over {count} groups"
    drawn = cluster_bootstrap(values, groups, seed=seed)
    return drawn, f"cluster bootstrap ({count} groups)"

"""Shares whose denominator varies with the rows: precision, recall, F1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lt_bench.records import Estimate
from lt_bench.stats.estimates import FEWEST_GROUPS
from lt_bench.stats.intervals import Clusters, bootstrap, numbered, wilson

if TYPE_CHECKING:
    from lt_bench.stats.intervals import Floats, Ints


def ratio(
    parts: Sequence[float], wholes: Sequence[float], groups: Sequence[str], seed: int = 0
) -> Estimate:
    """The sum of `parts` over the sum of `wholes`, one entry a row, with its interval over groups.

    0 <= part <= whole; rows without a whole say nothing and are not counted in `n`. Where every row is
    a group of its own and a whole of 1, Wilson; else a cluster bootstrap of the ratio; with fewer than
    20 groups, or when all are equal, Wilson over the number of groups.
    """
    import numpy as np

    return ratio_of(np.asarray(parts, float), np.asarray(wholes, float), numbered(groups), seed)


def ratio_of(parts: Floats, wholes: Floats, groups: Ints, seed: int = 0) -> Estimate:
    """`ratio` of columns; `groups` holds the number of each row's group, from 0."""
    import numpy as np

    there = wholes > 0
    parts, wholes, groups = parts[there], wholes[there], groups[there]
    if not len(parts):
        return Estimate(value=None, low=None, high=None, n=0, method="nothing scored")
    kept = np.unique(groups, return_inverse=True)[1].reshape(-1)
    sums = (np.bincount(kept, weights=one).astype(float) for one in (parts, wholes))
    clusters = Clusters(*sums)
    value, count = float(parts.sum() / wholes.sum()), len(clusters)
    if count == len(parts) and (wholes == 1.0).all() and np.isin(parts, (0.0, 1.0)).all():
        interval, method = wilson(float(parts.sum()), count), "Wilson"
    elif count < FEWEST_GROUPS or clusters.equal:
        named = "1 group" if count == 1 else f"{count} groups"
        interval, method = wilson(min(value * count, count), count), f"Wilson over {named}"
    else:
        interval, method = bootstrap(clusters, seed), f"cluster bootstrap ({count} groups)"
    return Estimate(value=value, low=interval.low, high=interval.high, n=len(parts), method=method)

"""95 % intervals of a mean: Wilson for proportions, bootstrap and Student t over groups of rows.

Rows of one group (a product, a room, a dialogue) are not independent, and samples of one example
even less, so whole groups are what is redrawn or counted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64
    from numpy.random import Generator
    from numpy.typing import NDArray

    Floats = NDArray[float64]

LEVEL = 0.95
RESAMPLES = 10_000
CELLS = 100_000
"""Draws held in memory at once: few enough to stay in the processor's cache."""


@dataclass(frozen=True)
class Interval:
    """Both ends of a confidence interval."""

    low: float
    high: float


@dataclass(frozen=True)
class Cluster:
    """One group: the sum of its examples' means, and how many examples it has."""

    total: float
    size: int

    @property
    def mean(self) -> float:
        """Mean over the examples of the group."""
        return self.total / self.size


def clustered(values: Sequence[float], groups: Sequence[str]) -> list[Cluster]:
    """The groups of examples, in order of first appearance."""
    members: dict[str, list[float]] = {}
    for value, group in zip(values, groups, strict=True):
        members.setdefault(group, []).append(value)
    return [Cluster(math.fsum(inside), len(inside)) for inside in members.values()]


def wilson(successes: float, n: float, level: float = LEVEL) -> Interval:
    """Wilson score interval of a proportion (E. B. Wilson, JASA 22, 1927), within [0, 1].

    `successes` need not be whole: it may be a mean times a number of groups.

    Raises:
        ValueError: no trials, or successes outside [0, n].
    """
    if n <= 0 or not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} trials")
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Interval(low, high)


def student(clusters: Sequence[Cluster], level: float = LEVEL) -> Interval:
    """Student t interval of the mean over all examples, with the groups as what varies.

    With groups of one size this is the t interval of the group means; else each group counts by its
    size (the linearised variance of a ratio, Cochran 1977, section 6.4).

    Raises:
        ValueError: fewer than two groups.
    """
    count = len(clusters)
    if count < 2:
        raise ValueError(f"{count} groups")
    from scipy.special import stdtrit

    examples = sum(cluster.size for cluster in clusters)
    mean = math.fsum(cluster.total for cluster in clusters) / examples
    residuals = (cluster.total - cluster.size * mean for cluster in clusters)
    spread = math.fsum(residual * residual for residual in residuals) / (count - 1)
    error = math.sqrt(spread / count) / (examples / count)
    half = float(stdtrit(count - 1, 0.5 + level / 2)) * error
    return Interval(mean - half, mean + half)


def cluster_bootstrap(
    values: Sequence[float],
    groups: Sequence[str],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Interval:
    """Percentile interval of the mean over `values`, whole groups redrawn with replacement.

    values, groups: one entry an example. Each resample draws as many groups as there are and takes
    the mean over all examples in them (Davison and Hinkley 1997, section 3.8, strategy 1).

    Raises:
        ValueError: no values, or not one group for each.
    """
    if not values or len(values) != len(groups):
        raise ValueError(f"{len(values)} values in {len(groups)} groups")
    return bootstrap(clustered(values, groups), seed, resamples, level)


def bootstrap(
    clusters: Sequence[Cluster],
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Interval:
    """`cluster_bootstrap` of groups that are summed already. Equal arguments, equal interval."""
    import numpy as np

    kinds = Counter(clusters)
    # Groups that are alike are drawn together, by how often each kind comes up: the distribution
    # of drawing one by one, at a fraction of the work where kinds are few.
    drawn = list(kinds) if len(kinds) * 10 <= len(clusters) else list(clusters)
    totals = np.array([cluster.total for cluster in drawn])
    sizes = np.array([float(cluster.size) for cluster in drawn])
    weights = np.array([kinds[kind] for kind in drawn]) / len(clusters)
    rng, step = np.random.default_rng(seed), max(1, CELLS // len(drawn))
    means = []
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        if len(drawn) < len(clusters):
            means.append(_by_kind(rng, rows, len(clusters), weights, totals, sizes))
        else:
            means.append(_one_by_one(rng, rows, totals, sizes))
    tail = (1 - level) / 2
    low, high = np.quantile(np.concatenate(means), [tail, 1 - tail])
    return Interval(float(low), float(high))


def _by_kind(
    rng: Generator, rows: int, count: int, shares: Floats, totals: Floats, sizes: Floats
) -> Floats:
    """Means of `rows` resamples of `count` groups, drawn as counts of each kind."""
    counts = rng.multinomial(count, shares, size=rows).astype(float)
    means: Floats = (counts @ totals) / (counts @ sizes)
    return means


def _one_by_one(rng: Generator, rows: int, totals: Floats, sizes: Floats) -> Floats:
    """Means of `rows` resamples, every group drawn by its index."""
    drawn = rng.integers(0, len(totals), size=(rows, len(totals)))
    summed = totals.take(drawn).sum(axis=1)
    if (sizes == sizes[0]).all():
        same: Floats = summed / (sizes[0] * len(totals))
        return same
    means: Floats = summed / sizes.take(drawn).sum(axis=1)
    return means

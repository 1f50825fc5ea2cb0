"""95 % intervals of a mean: Wilson for proportions, bootstrap and Student t over groups of rows.

Rows of one group (a product, a room, a dialogue) are not independent, and samples of one example
even less, so whole groups are what is redrawn or counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.random import Generator
    from numpy.typing import NDArray

    Floats = NDArray[float64]
    Ints = NDArray[int64]

LEVEL = 0.95
RESAMPLES = 10_000
CELLS = 100_000
"""Draws held in memory at once: few enough to stay in the processor's cache."""
ALIKE = 10
"""Groups for each kind of them from which on drawing by kind is cheaper than one by one."""


@dataclass(frozen=True)
class Interval:
    """Both ends of a confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Clusters:
    """Groups of examples: the sum of the examples' means in each, and how many it has."""

    totals: Floats
    sizes: Floats

    def __len__(self) -> int:
        return len(self.totals)

    @property
    def means(self) -> Floats:
        """Mean over the examples of each group."""
        means: Floats = self.totals / self.sizes
        return means

    @property
    def equal(self) -> bool:
        """Every group has the same mean, up to the last bits of a float."""
        import numpy as np

        means = self.means
        return bool(np.isclose(means, means[0], rtol=1e-12, atol=0.0).all())

    @classmethod
    def of(cls, means: Floats, groups: Ints) -> Clusters:
        """The groups of examples; `groups` holds the number of each example's group, from 0."""
        import numpy as np

        sizes = np.bincount(groups)
        there = sizes > 0
        totals = np.bincount(groups, weights=means)
        return cls(totals[there].astype(float), sizes[there].astype(float))


def clustered(values: Sequence[float], groups: Sequence[str]) -> Clusters:
    """The groups of examples, in order of first appearance; one entry an example."""
    import numpy as np

    return Clusters.of(np.asarray(values, dtype=float), numbered(groups))


def numbered(names: Sequence[str]) -> Ints:
    """Each name as a whole number from 0, in order of first appearance."""
    import numpy as np

    if len(set(names)) == len(names):
        return np.arange(len(names))
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


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


def student(clusters: Clusters, level: float = LEVEL) -> Interval:
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

    examples = math.fsum(clusters.sizes)
    mean = math.fsum(clusters.totals) / examples
    residuals = clusters.totals - clusters.sizes * mean
    spread = math.fsum(residuals * residuals) / (count - 1)
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
    clusters: Clusters,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Interval:
    """`cluster_bootstrap` of groups that are summed already. Equal arguments, equal interval."""
    return bootstrap_each([clusters], seed, resamples, level)[0]


def bootstrap_each(
    several: Sequence[Clusters],
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> list[Interval]:
    """`bootstrap` of each, the same intervals as one by one.

    Groups that are alike are drawn together, by how often each kind comes up: the distribution of
    drawing one by one, at a fraction of the work where kinds are few. Two kinds are one binomial.
    What must be drawn one by one is drawn once for all that have as many groups.
    """
    import numpy as np

    means: dict[int, Floats] = {}
    slow: dict[int, list[int]] = {}
    for place, clusters in enumerate(several):
        rng, kinds = np.random.default_rng(seed), Kinds.of(clusters)
        if len(kinds.counts) == 2:
            means[place] = _of_two(rng, resamples, kinds)
        elif kinds.few:
            step = max(1, CELLS // len(kinds.counts))
            parts = [_by_kind(rng, rows, kinds) for rows in _steps(resamples, step)]
            means[place] = np.concatenate(parts)
        else:
            slow.setdefault(len(clusters), []).append(place)
    for count, places in slow.items():
        rng, step = np.random.default_rng(seed), max(1, CELLS // count)
        drawn = [several[place] for place in places]
        parts = [_one_by_one(rng, rows, drawn) for rows in _steps(resamples, step)]
        means.update(zip(places, np.concatenate(parts, axis=1), strict=True))
    tail = (1 - level) / 2
    ends = (np.quantile(means[place], [tail, 1 - tail]) for place in range(len(several)))
    return [Interval(float(low), float(high)) for low, high in ends]


@dataclass(frozen=True, eq=False)
class Kinds:
    """Groups that are alike, taken together: sum and size of one of them, and how many there are."""

    totals: Floats
    sizes: Floats
    counts: Ints

    @property
    def few(self) -> bool:
        """Whether drawing by kind is cheaper."""
        return len(self.counts) * ALIKE <= int(self.counts.sum())

    @classmethod
    def of(cls, clusters: Clusters) -> Kinds:
        """The kinds, by sum and then by size."""
        import numpy as np

        if (clusters.sizes == clusters.sizes[0]).all():
            kinds, counts = np.unique(clusters.totals, return_counts=True)
            return cls(kinds, np.full(len(kinds), clusters.sizes[0]), counts)
        order = np.lexsort((clusters.sizes, clusters.totals))
        totals, sizes = clusters.totals[order], clusters.sizes[order]
        first = np.ones(len(order), dtype=bool)
        first[1:] = (totals[1:] != totals[:-1]) | (sizes[1:] != sizes[:-1])
        starts = np.flatnonzero(first)
        counts = np.diff(np.append(starts, len(order)))
        return cls(totals[starts], sizes[starts], counts)


def _steps(total: int, step: int) -> list[int]:
    """`total` in pieces of `step`."""
    return [min(step, total - start) for start in range(0, total, step)]


def _of_two(rng: Generator, rows: int, kinds: Kinds) -> Floats:
    """Means of `rows` resamples of groups of two kinds: how often the second one came up decides."""
    count = int(kinds.counts.sum())
    second = rng.binomial(count, kinds.counts[1] / count, size=rows).astype(float)
    first = count - second
    summed = first * kinds.totals[0] + second * kinds.totals[1]
    means: Floats = summed / (first * kinds.sizes[0] + second * kinds.sizes[1])
    return means


def _by_kind(rng: Generator, rows: int, kinds: Kinds) -> Floats:
    """Means of `rows` resamples, drawn as counts of each kind."""
    count = int(kinds.counts.sum())
    counts = rng.multinomial(count, kinds.counts / count, size=rows).astype(float)
    means: Floats = (counts @ kinds.totals) / (counts @ kinds.sizes)
    return means


def _one_by_one(rng: Generator, rows: int, several: Sequence[Clusters]) -> Floats:
    """Means of `rows` resamples of each, every group drawn by its index; the same draws for all."""
    import numpy as np

    count = len(several[0])
    drawn = rng.integers(0, count, size=(rows, count))
    means = np.empty((len(several), rows))
    for place, clusters in enumerate(several):
        sizes = clusters.sizes
        summed = clusters.totals.take(drawn).sum(axis=1)
        if (sizes == sizes[0]).all():
            means[place] = summed / (sizes[0] * count)
        else:
            means[place] = summed / sizes.take(drawn).sum(axis=1)
    return means

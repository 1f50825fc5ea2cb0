"""A mean and how far it can be trusted: Wilson, cluster bootstrap and Student intervals, all 95 %.

Rows of one group (a product, a room, a dialogue) are not independent, and samples of one example
even less, so the group is what is counted or redrawn. Which interval applies is decided here, once
for all metrics, and named in `Estimate.method`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from lt_bench.records import Estimate, Reason, Unit

LEVEL = 0.95
RESAMPLES = 10_000
FEWEST_GROUPS = 20
"""Below this many groups a percentile bootstrap covers too little."""

CELLS = 2_000_000
"""Entries of the resampling matrix held in memory at once."""


@dataclass(frozen=True)
class Observation:
    """One score of one sample. `value` None: unscored, and `reason` says why."""

    example_id: str
    group: str
    value: float | None
    reason: Reason | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError(f"{self.example_id!r} needs a value or a reason, and not both")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"{self.example_id!r} has the value {self.value}")


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
    return _bootstrap(_clusters(values, groups), seed, resamples, level)


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


def estimate(observations: Sequence[Observation], unit: Unit = "share", seed: int = 0) -> Estimate:
    """The mean of a metric with its interval; `n` scored and `unscored` make up all observations.

    Samples are averaged within an example first, and the value is the plain mean over examples.
    0/1 scores with one sample an example and one example a group: Wilson. Else a cluster bootstrap
    over groups; with under 20 groups, or when all groups are equal, Wilson over the number of
    groups for shares and Student t for other units, which has no interval when nothing varies.

    Raises:
        ValueError: one example is in two groups.
    """
    scored = [(o.example_id, o.group, o.value) for o in observations if o.value is not None]
    missing = Counter(o.reason for o in observations if o.reason is not None)
    unscored: dict[Reason, int] = {reason: missing[reason] for reason in sorted(missing)}
    if not scored:
        return Estimate(
            value=None,
            low=None,
            high=None,
            n=0,
            unscored=unscored,
            method="nothing scored",
            unit=unit,
        )
    means, groups = _example_means(scored)
    value = math.fsum(means) / len(means)
    single = len(scored) == len(means) == len(set(groups))
    interval, method = _interval(means, groups, value, unit, single, seed)
    return Estimate(
        value=value,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        n=len(scored),
        unscored=unscored,
        method=method,
        unit=unit,
    )


def _example_means(
    scored: Sequence[tuple[str, str, float]],
) -> tuple[list[float], list[str]]:
    """Each example's mean over its samples and its group, in order of first appearance."""
    samples: dict[str, list[float]] = {}
    group_of: dict[str, str] = {}
    for example_id, group, value in scored:
        if group_of.setdefault(example_id, group) != group:
            raise ValueError(
                f"example {example_id!r} is in groups {group_of[example_id]!r}, {group!r}"
            )
        samples.setdefault(example_id, []).append(value)
    means = [math.fsum(values) / len(values) for values in samples.values()]
    return means, list(group_of.values())


def _interval(
    means: list[float], groups: list[str], value: float, unit: Unit, single: bool, seed: int
) -> tuple[Interval | None, str]:
    """The interval that fits these scores, and its name. `single`: one sample, one example a
    group."""
    if unit == "share" and single and all(mean in (0.0, 1.0) for mean in means):
        return wilson(math.fsum(means), len(means)), "Wilson"
    clusters = _clusters(means, groups)
    count, equal = len(clusters), _all_equal(clusters)
    if count >= FEWEST_GROUPS and not equal:
        interval = _bootstrap(clusters, seed, RESAMPLES, LEVEL)
        return interval, f"cluster bootstrap ({_groups(count)})"
    if unit == "share" and all(0.0 <= mean <= 1.0 for mean in means):
        return wilson(min(value * count, count), count), f"Wilson over {_groups(count)}"
    if count < 2:
        return None, "no interval: one group"
    if equal:
        return None, f"no interval: all {_groups(count)} are equal"
    interval = student(clusters)
    if min(means) >= 0.0:
        interval = Interval(max(interval.low, 0.0), interval.high)
    return interval, f"Student t over {_groups(count)}"


def _groups(count: int) -> str:
    return "1 group" if count == 1 else f"{count} groups"


def _clusters(values: Sequence[float], groups: Sequence[str]) -> list[Cluster]:
    members: dict[str, list[float]] = {}
    for value, group in zip(values, groups, strict=True):
        members.setdefault(group, []).append(value)
    return [Cluster(math.fsum(inside), len(inside)) for inside in members.values()]


def _all_equal(clusters: Sequence[Cluster]) -> bool:
    """Every group has the same mean, up to the last bits of a float."""
    first = clusters[0].mean
    return all(math.isclose(cluster.mean, first, rel_tol=1e-12) for cluster in clusters)


def _bootstrap(clusters: Sequence[Cluster], seed: int, resamples: int, level: float) -> Interval:
    """Groups that are alike are drawn together, by how often each kind comes up: the same
    distribution as drawing them one by one, at a fraction of the work where kinds are few."""
    import numpy as np

    kinds = Counter(clusters)
    totals = np.array([kind.total for kind in kinds])
    sizes = np.array([float(kind.size) for kind in kinds])
    shares = np.array(list(kinds.values())) / len(clusters)
    rng = np.random.default_rng(seed)
    step = max(1, CELLS // len(kinds))
    parts = []
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        counts = rng.multinomial(len(clusters), shares, size=rows).astype(float)
        parts.append((counts @ totals) / (counts @ sizes))
    tail = (1 - level) / 2
    low, high = np.quantile(np.concatenate(parts), [tail, 1 - tail])
    return Interval(float(low), float(high))

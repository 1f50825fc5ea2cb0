"""Which interval a metric gets: the rules that all cards and boards follow.

The value is a mean over examples; the interval treats whole groups of rows as what varies. The
method is chosen here, once for all metrics, and named in `Estimate.method`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lt_bench.records import Estimate, Reason, Unit
from lt_bench.stats.intervals import Cluster, Interval, bootstrap, clustered, student, wilson

FEWEST_GROUPS = 20
"""Below this many groups a percentile bootstrap covers too little."""


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
    clusters = clustered(means, groups)
    count, equal = len(clusters), _all_equal(clusters)
    if count >= FEWEST_GROUPS and not equal:
        interval = bootstrap(clusters, seed)
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


def _all_equal(clusters: Sequence[Cluster]) -> bool:
    """Every group has the same mean, up to the last bits of a float."""
    first = clusters[0].mean
    return all(math.isclose(cluster.mean, first, rel_tol=1e-12) for cluster in clusters)


def _groups(count: int) -> str:
    return "1 group" if count == 1 else f"{count} groups"

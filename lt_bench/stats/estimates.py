"""Which interval a metric gets: the rules that all cards and boards follow.

The value is a mean over examples; the interval treats whole groups of rows as what varies. The
method is chosen here, once for all metrics, and named in `Estimate.method`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

from lt_bench.records import Estimate, Reason, Unit
from lt_bench.stats.intervals import (
    RESAMPLES,
    Clusters,
    Interval,
    Kinds,
    bootstrap_each,
    numbered,
    student,
    wilson,
)

if TYPE_CHECKING:
    from lt_bench.stats.intervals import Floats, Ints

FEWEST_GROUPS = 20
"""Below this many groups a percentile bootstrap covers too little."""
MOST_DRAWS = 1_000_000_000
"""Above this many draws a bootstrap takes minutes, and with that many groups a t interval is the
same."""


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
    import numpy as np

    _check_groups(observations)
    missing = Counter(o.reason for o in observations if o.reason is not None)
    values = [math.nan if o.value is None else o.value for o in observations]
    scores = Scores(
        np.array(values, dtype=float),
        numbered([o.example_id for o in observations]),
        numbered([o.group for o in observations]),
        {reason: missing[reason] for reason in sorted(missing)},
    )
    return estimate_scores(scores, unit, seed)


@dataclass(frozen=True, eq=False)
class Scores:
    """One metric over some samples, as columns: values (NaN where unscored), the number of each
    sample's example and of its group (any whole numbers from 0), and why values are missing."""

    values: Floats
    examples: Ints
    groups: Ints
    unscored: dict[Reason, int]


def estimate_scores(scores: Scores, unit: Unit = "share", seed: int = 0) -> Estimate:
    """`estimate` of columns, for many rows."""
    return estimate_each([(scores, unit)], seed)[0]


def estimate_each(several: Iterable[tuple[Scores, Unit]], seed: int = 0) -> list[Estimate]:
    """`estimate_scores` of each metric of some rows; what they can share is done once. Of a metric
    that draws nothing no column is kept."""
    found: dict[int, Estimate] = {}
    drawn: dict[int, _Part] = {}
    for place, (scores, unit) in enumerate(several):
        part = _Part.of(scores, unit)
        if part.is_drawn:
            drawn[place] = part
        else:
            found[place] = part.estimate(None)
    intervals = bootstrap_each([part.clusters for part in drawn.values()], seed)
    for (place, part), interval in zip(drawn.items(), intervals, strict=True):
        found[place] = part.estimate(interval)
    return [found[place] for place in sorted(found)]


@dataclass(frozen=True, eq=False)
class _Part:
    """One metric of some rows on its way to an Estimate: its scored values, their examples' means
    and groups."""

    scores: Scores
    unit: Unit
    scored: int
    means: Floats
    clusters: Clusters

    @classmethod
    def of(cls, scores: Scores, unit: Unit) -> Self:
        import numpy as np

        there = ~np.isnan(scores.values)
        values = scores.values[there]
        means, groups = _example_means(values, scores.examples[there], scores.groups[there])
        return cls(scores, unit, len(values), means, Clusters.of(means, groups))

    @cached_property
    def is_wilson(self) -> bool:
        """Whether every row counts for itself and is 0 or 1."""
        single = self.scored == len(self.means) == len(self.clusters)
        zeros_and_ones = (self.means == 0.0) | (self.means == 1.0)
        return self.unit == "share" and single and bool(zeros_and_ones.all())

    @cached_property
    def is_drawn(self) -> bool:
        """Whether the interval is a bootstrap."""
        if not self.scored or self.is_wilson or len(self.clusters) < FEWEST_GROUPS:
            return False
        return not self.clusters.equal and not _too_many(self.clusters)

    def estimate(self, drawn: Interval | None) -> Estimate:
        value, interval, method = None, drawn, "nothing scored"
        if self.scored:
            value = math.fsum(self.means) / len(self.means)
            interval, method = self._interval(value, drawn)
        return Estimate(
            value=value,
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            n=self.scored,
            unscored=self.scores.unscored,
            method=method,
            unit=self.unit,
        )

    def _interval(self, value: float, drawn: Interval | None) -> tuple[Interval | None, str]:
        """The interval that fits these scores, and its name."""
        means, count = self.means, len(self.clusters)
        if self.is_wilson:
            return wilson(math.fsum(means), len(means)), "Wilson"
        if drawn is not None:
            return drawn, f"cluster bootstrap ({_groups(count)})"
        low, high, equal = float(means.min()), float(means.max()), self.clusters.equal
        share = self.unit == "share" and low >= 0.0 and high <= 1.0
        if share and (equal or count < FEWEST_GROUPS):
            return wilson(min(value * count, count), count), f"Wilson over {_groups(count)}"
        if count < 2:
            return None, "no interval: one group"
        if equal:
            return None, f"no interval: all {_groups(count)} are equal"
        ends = student(self.clusters)
        bounded = Interval(
            max(ends.low, 0.0) if low >= 0.0 else ends.low,
            min(ends.high, 1.0) if share else ends.high,
        )
        return bounded, f"Student t over {_groups(count)}"


def _check_groups(observations: Sequence[Observation]) -> None:
    group_of: dict[str, str] = {}
    for one in observations:
        if one.value is not None and group_of.setdefault(one.example_id, one.group) != one.group:
            raise ValueError(
                f"example {one.example_id!r} is in groups {group_of[one.example_id]!r}, "
                f"{one.group!r}"
            )


def _example_means(values: Floats, examples: Ints, groups: Ints) -> tuple[Floats, Ints]:
    """Each example's mean over its samples, and the number of its group."""
    import numpy as np

    samples = np.bincount(examples)
    there = np.flatnonzero(samples)
    group_of = np.zeros(len(samples), dtype=np.int64)
    group_of[examples] = groups
    means: Floats = np.bincount(examples, weights=values)[there] / samples[there]
    return means, group_of[there]


def _too_many(clusters: Clusters) -> bool:
    """Whether redrawing takes too long: very many groups, most of them unlike any other."""
    return RESAMPLES * len(clusters) > MOST_DRAWS and not Kinds.of(clusters).few


def _groups(count: int) -> str:
    return "1 group" if count == 1 else f"{count} groups"

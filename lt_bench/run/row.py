"""One sample of a run with everything that is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from lt_bench.records import Example, Sample, Score, Scored


@dataclass(frozen=True)
class Row:
    """One sample with its example and its scores by name."""

    example: Example
    sample: Sample
    scores: Mapping[str, Score]

    @classmethod
    def of(cls, example: Example, sample: Sample, scored: Scored) -> Self:
        return cls(example, sample, {score.name: score for score in scored.scores})

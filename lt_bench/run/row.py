"""One sample of a run with everything that is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from lt_bench.errors import RunError
from lt_bench.records import Example, Sample, Score, Scored
from lt_bench.run.naming import named


@dataclass(frozen=True)
class Row:
    """One sample with its example and its scores by name."""

    example: Example
    sample: Sample
    scores: Mapping[str, Score]

    @classmethod
    def of(cls, example: Example, sample: Sample, scored: Scored) -> Self:
        """Raises:
        RunError: the scores are those of another request.
        """
        row = cls(example, sample, {score.name: score for score in scored.scores})
        if scored.key != sample.key:
            raise RunError(
                f"the scores of {row.named} are of another request",
                "delete its line in the file of scores; it is scored again",
            )
        return row

    @property
    def named(self) -> str:
        return named(self.sample.key.example_id, self.sample.key.sample_index)

"""The scores of several candidates on the same rows, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lt_bench.stats.intervals import Floats, Ints


@dataclass(frozen=True, eq=False)
class Matrix:
    """One metric: `values` are rows x candidates, the samples of a row averaged, NaN where unscored.

    Rows of one group are next to each other: `starts` holds the place of each group's first row.
    `single`: every value is one sample's, so that 0 and 1 can be counted.
    """

    values: Floats
    starts: Ints
    single: bool

    @property
    def rows(self) -> int:
        return len(self.values)

    @property
    def groups(self) -> int:
        return len(self.starts)

    @property
    def counts(self) -> bool:
        """Whether rights and wrongs can be counted: one sample a row, one row a group, 0 or 1 each."""
        import numpy as np

        if not self.single or self.groups != self.rows:
            return False
        values = self.values
        return bool(((values == 0.0) | (values == 1.0) | np.isnan(values)).all())

    def only(self, places: Sequence[int]) -> Matrix:
        """Some of the candidates."""
        return Matrix(self.values[:, list(places)], self.starts, self.single)


@dataclass(frozen=True, eq=False)
class RowScores:
    """The scores of one candidate: a row a sample, in the order of examples and samples.

    `values` maps a metric to its column (NaN where unscored); `examples` and `groups` are names.
    """

    examples: Sequence[str]
    groups: Sequence[str]
    values: Mapping[str, Floats]


def row_means(values: Floats, examples: Ints, count: int) -> Floats:
    """Each example's mean over its scored samples, NaN where it has none; examples numbered from 0."""
    import numpy as np

    there = ~np.isnan(values)
    samples = np.bincount(examples[there], minlength=count)
    totals = np.bincount(examples[there], weights=values[there], minlength=count)
    means: Floats = np.where(samples > 0, totals / np.maximum(samples, 1), np.nan)
    return means

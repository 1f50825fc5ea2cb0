"""Whether the scores of the rows are those that a card was made of."""

from __future__ import annotations

from math import isclose
from typing import TYPE_CHECKING, Final

from lt_bench.board.matrix import row_means

if TYPE_CHECKING:
    from lt_bench.records import Estimate
    from lt_bench.stats.intervals import Floats, Ints

OFF: Final = 1e-9
"""How far the mean of the rows may lie from the card's, for the last bits of a sum."""


def disagreement(estimate: Estimate, values: Floats, examples: Ints, count: int) -> str:
    """What the card and its rows say, where that is not the same; else nothing.

    values: one a sample, NaN where unscored; examples: the number of its row, below `count`.
    """
    import numpy as np

    scored = ~np.isnan(values)
    if not np.isfinite(values[scored]).all():
        return "a row's score is infinite"
    with np.errstate(over="ignore"):
        means = row_means(values, examples, count)
        there = means[~np.isnan(means)]
        value = float(there.mean()) if len(there) else None
    samples, told = int(scored.sum()), estimate.value
    alike = (
        value is None
        if told is None
        else value is not None and isclose(value, told, rel_tol=OFF, abs_tol=OFF)
    )
    if alike and samples == estimate.n:
        return ""
    return f"the card says {told} of {estimate.n} samples, the scores say {value} of {samples}"

"""How long answers are: histograms of output tokens over bins that all entries share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from lt_bench.board.model import Lengths

if TYPE_CHECKING:
    from lt_bench.stats.intervals import Floats

BINS: Final = 24
SKEWED: Final = 10.0
"""How many times the median the longest answer is, from which on bins grow with length."""


def lengths(tokens: Mapping[str, Floats]) -> tuple[Lengths, ...]:
    """Entry -> output tokens of each sample, NaN where nobody counted; entries without any are left out."""
    import numpy as np

    counted = {entry: values[~np.isnan(values)] for entry, values in tokens.items()}
    counted = {entry: values for entry, values in counted.items() if len(values)}
    if not counted:
        return ()
    edges = _edges(np.concatenate(list(counted.values())))
    return tuple(
        Lengths(
            entry=entry,
            edges=tuple(map(float, edges)),
            counts=tuple(map(int, np.histogram(values, edges)[0])),
            median=float(np.median(values)),
            p95=float(np.quantile(values, 0.95)),
        )
        for entry, values in counted.items()
    )


def _edges(values: Floats) -> Floats:
    """From 0 to the longest: even, or growing where few answers are much longer than most. Counts are
    whole, so no bin is narrower than one token."""
    import numpy as np

    most, middle = max(float(values.max()), 1.0), max(float(np.median(values)), 1.0)
    bins = int(min(BINS, most))
    if most <= SKEWED * middle:
        edges: Floats = np.linspace(0.0, most, bins + 1)
        return edges
    grown = np.geomspace(1.0, most + 1.0, bins + 1) - 1.0
    return np.unique(np.concatenate([[0.0], np.round(grown[1:-1]), [most]]))

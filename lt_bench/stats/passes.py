"""pass^k: the chance that all of k samples of one example are right."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lt_bench.stats.intervals import Floats, Ints


def pass_hat(right: int, drawn: int, k: int) -> float:
    """The unbiased estimate C(right, k) / C(drawn, k) (Yao et al., tau-bench, 2024): the share of all
    choices of k samples in which each is right.

    Raises:
        ValueError: k below 1, fewer than k samples, or more right ones than there are.
    """
    if not 1 <= k <= drawn or not 0 <= right <= drawn:
        raise ValueError(f"no pass^{k} of {right} right among {drawn}")
    return comb(right, k) / comb(drawn, k)


def every(values: Floats, examples: Ints, k: int) -> Floats:
    """For each scored sample the pass^k of its example, NaN where it has fewer than k of them.

    values: 0 or 1, NaN where unscored; examples: the number of each sample's example, from 0.
    """
    import numpy as np

    there = ~np.isnan(values)
    size = int(examples.max()) + 1 if len(examples) else 0
    drawn = np.bincount(examples[there], minlength=size)
    right = np.bincount(examples[there], weights=values[there], minlength=size)
    kinds, place = np.unique(
        np.stack([right.round().astype(int), drawn]), axis=1, return_inverse=True
    )
    worth = [pass_hat(int(c), int(n), k) if n >= k else np.nan for c, n in kinds.T]
    of_example = np.array(worth, dtype=float)[place.reshape(-1)]
    found: Floats = np.where(there, of_example[examples], np.nan)
    return found

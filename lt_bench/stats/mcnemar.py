"""The exact test for two models that were right or wrong on the same rows."""

from __future__ import annotations


def mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided exact p-value of McNemar's test (Q. McNemar, Psychometrika 12, 1947).

    `only_first` rows are right by the first model alone, `only_second` by the second alone; rows on
    which both do the same tell nothing. Under no difference each of them is a fair coin, so p is
    twice the smaller binomial tail, at most 1. Computed in whole numbers and divided once.

    Raises:
        ValueError: a negative count.
    """
    if min(only_first, only_second) < 0:
        raise ValueError(f"{only_first} and {only_second} rows")
    rows = only_first + only_second
    ways = tail = 1
    for count in range(1, min(only_first, only_second) + 1):
        ways = ways * (rows - count + 1) // count
        tail += ways
    return min(1.0, 2 * tail / (1 << rows))

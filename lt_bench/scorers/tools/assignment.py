"""The assignment problem: one column for each row so that the gains sum to most."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf


def assign(gains: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Pairs (row, column), as many as the shorter side has, whose gains sum to most.

    The Hungarian method with potentials (Kuhn 1955; Munkres 1957), short side by short side by long
    side in time. gains: one row of equal length each.
    """
    if not gains or not gains[0]:
        return []
    if len(gains) > len(gains[0]):
        turned = [list(column) for column in zip(*gains, strict=True)]
        return sorted((row, column) for column, row in assign(turned))
    wide = len(gains[0])
    # Columns are numbered from 1; column 0 holds the row that is being placed.
    row_of = [-1] * (wide + 1)
    rows, columns = [0.0] * len(gains), [0.0] * (wide + 1)
    for row in range(len(gains)):
        row_of[0] = row
        _place(gains, row_of, rows, columns)
    return sorted(
        (row_of[column], column - 1) for column in range(1, wide + 1) if row_of[column] >= 0
    )


def _place(
    gains: Sequence[Sequence[float]], row_of: list[int], rows: list[float], columns: list[float]
) -> None:
    """Gives the row in column 0 a column, along the cheapest augmenting path."""
    wide = len(columns)
    slack, before, used = [inf] * wide, [0] * wide, [False] * wide
    here = 0
    while row_of[here] >= 0:
        used[here] = True
        row, step, onward = row_of[here], inf, 0
        for column in range(1, wide):
            if used[column]:
                continue
            cost = -gains[row][column - 1] - rows[row] - columns[column]
            if cost < slack[column]:
                slack[column], before[column] = cost, here
            if slack[column] < step:
                step, onward = slack[column], column
        for column in range(wide):
            if used[column]:
                rows[row_of[column]] += step
                columns[column] -= step
            else:
                slack[column] -= step
        here = onward
    while here:
        row_of[here] = row_of[before[here]]
        here = before[here]
    row_of[0] = -1

"""One column of a board: who takes which place in a metric, and what the tests say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lt_bench.board.comparing import Candidate, Table
from lt_bench.board.matrix import Matrix
from lt_bench.board.model import Better, Cell, Column, Pair
from lt_bench.board.pairwise import Contrast, contrasts
from lt_bench.board.ranks import order, places, rank_sets, ties, winner
from lt_bench.run.tally import COMPLETED

ALL: Final = 100
"""Candidates up to which every two of them are tested."""
TOP: Final = 30
"""How many of the best are tested where there are more."""


@dataclass(frozen=True)
class BuiltColumn:
    """The column with its cells and its tests."""

    column: Column
    cells: tuple[Cell, ...]
    pairs: tuple[Pair, ...]


def compared(values: Mapping[str, float], better: Better) -> list[str]:
    """Who is tested against whom, from the best to the worst."""
    ordered = order(values, better)
    return ordered if len(ordered) <= ALL else ordered[:TOP]


def built_column(
    column: Column,
    candidates: Sequence[Candidate],
    table: Table,
    matrix: Matrix | None,
    columns: Mapping[str, int],
) -> BuiltColumn:
    """The cells of all candidates in one metric.

    matrix: the scores of the table's entries, None where the metric is not tested; columns: entry -> its
    place in it.
    """
    values = ranked_values(column.name, table)
    ranks = places(values, column.better)
    tested = compared(values, column.better) if matrix else []
    found: list[Contrast] = []
    if matrix is not None:
        found = contrasts(matrix.only([columns[entry] for entry in tested]))
    sets = rank_sets(len(tested), found, column.better)
    groups = ties(range(len(tested)), found)
    number = {entry: place for place, entry in enumerate(tested)}
    cells = []
    for one in candidates:
        place, rank = number.get(one.id), ranks.get(one.id)
        cells.append(
            Cell(
                entry=one.id,
                metric=column.name,
                estimate=one.card.metrics.get(column.name),
                completed=one.card.slices.get(COMPLETED, {}).get(column.name),
                rank=rank,
                unranked="" if rank else why_unranked(one, column.name, table),
                ranks=None if place is None else sets[place],
                no_set="" if place is not None else _why_no_set(rank, matrix),
                tie=None if place is None else groups[place],
            )
        )
    told = "" if len(tested) in (0, len(values)) else f"the best {TOP} of {len(values)} by value"
    return BuiltColumn(
        column.model_copy(update={"compared": len(tested), "among": told}),
        tuple(cells),
        tuple(pair_of(one, tested, column) for one in found),
    )


def ranked_values(metric: str, table: Table) -> dict[str, float]:
    """Entry -> value, of those that take a rank."""
    found: dict[str, float] = {}
    for one in table.together:
        estimate = one.card.metrics.get(metric)
        if estimate and estimate.value is not None and (one.id, metric) not in table.unranked:
            found[one.id] = estimate.value
    return found


def why_unranked(one: Candidate, metric: str, table: Table) -> str:
    """Why an entry takes no rank in a metric."""
    if one.id in table.apart:
        return f"kept apart: {table.apart[one.id]}"
    if (one.id, metric) in table.unranked:
        return table.unranked[one.id, metric]
    if metric not in one.card.metrics:
        return "not measured"
    return "nothing scored"


def _why_no_set(rank: int | None, matrix: Matrix | None) -> str:
    if rank is None:
        return "not ranked"
    return (
        "not tested: the metric is not in the table" if matrix is None else "not among those tested"
    )


def pair_of(one: Contrast, entries: Sequence[str], column: Column) -> Pair:
    """A contrast by the names of its entries."""
    best, _ = winner(one, column.better)
    return Pair(
        metric=column.name,
        first=entries[one.first],
        second=entries[one.second],
        difference=one.difference,
        low=one.low,
        high=one.high,
        p_value=one.p_value,
        p_holm=one.p_holm,
        rows=one.rows,
        groups=one.groups,
        left_out=one.left_out,
        method=one.method,
        standard_error=one.standard_error,
        better=entries[best] if one.separated else "",
    )

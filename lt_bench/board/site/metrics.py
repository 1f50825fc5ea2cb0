"""All metrics of one entry, as its page lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from lt_bench.board.model import Board, Cell, Entry
from lt_bench.board.site import figures
from lt_bench.records import Estimate


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric: `cells` are value, interval, n, rank, its set, completed, bounds and unscored. `below`
    is what stands below its value where it is shown large."""

    name: Markup
    headline: bool
    known: bool
    value: str
    below: str
    cells: Markup
    method: str
    reason: str


def metric_rows(board: Board, entry: Entry, names: Mapping[str, Markup]) -> Iterator[MetricRow]:
    """The metrics that the entry has, those of the table first.

    names: metric -> its name as markup.
    """
    told = not entry.kept_apart  # the page says why at its top
    for column in sorted(board.metrics, key=lambda column: not column.shown):
        cell = board.cell(entry.id, column.name)
        if cell.estimate is not None:
            yield MetricRow(
                name=names[column.name],
                headline=column.shown,
                known=cell.estimate.value is not None,
                value=figures.valued(cell.estimate),
                below=_below(cell, cell.estimate),
                cells=_cells(cell, cell.estimate),
                method=cell.estimate.method,
                reason=_reason(cell, cell.estimate) if told and column.shown else "",
            )


def _reason(cell: Cell, estimate: Estimate) -> str:
    return "" if cell.unranked == estimate.method else cell.unranked


def _below(cell: Cell, estimate: Estimate) -> str:
    parts = [figures.interval(estimate)]
    if cell.rank is not None:
        parts.append(
            f"rank {cell.rank}" + (f" (may be {figures.places(cell)})" if cell.ranks else "")
        )
    return " · ".join(part for part in parts if part)


def _cells(cell: Cell, estimate: Estimate) -> Markup:
    completed = figures.value(cell.completed) if cell.completed is not None else ""
    shown = (
        figures.valued(estimate),
        figures.interval(estimate),
        str(estimate.n),
        "" if cell.rank is None else str(cell.rank),
        figures.places(cell),
        completed,
        figures.bounds(estimate),
        figures.unscored(estimate),
    )
    return Markup("".join(f"<td>{text}</td>" for text in shown))  # noqa: S704

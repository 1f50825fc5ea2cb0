"""Ablations as bars: what one change of a candidate does to each metric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lt_bench.board.model import Ablation, Bar, Board, Cell, Column, Entry
from lt_bench.board.site import figures


@dataclass(frozen=True)
class Figure:
    """One bar's figure, `bar` as CSS variables in per cent of the longest of its column."""

    metric: str
    value: str
    interval: str
    sort: str
    bar: str


@dataclass(frozen=True)
class BarLine:
    """The figures of one bar."""

    label: str
    entry: Entry
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Drawn:
    """An ablation with its bars. `own` where it holds runs, so that differences have intervals."""

    ablation: Ablation
    columns: tuple[Column, ...]
    lines: tuple[BarLine, ...]
    own: bool


def ablations(board: Board) -> Iterator[Drawn]:
    """Every ablation of the board."""
    for ablation in board.ablations:
        columns = tuple(board.by_name[name] for name in ablation.metrics)
        bars = [bar for bar in ablation.bars if bar.entry in board.by_id]
        drawn = {column.name: list(_figures(board, column, bars)) for column in columns}
        yield Drawn(
            ablation,
            columns,
            tuple(
                BarLine(
                    bar.label, board.by_id[bar.entry], tuple(drawn[c.name][at] for c in columns)
                )
                for at, bar in enumerate(bars)
            ),
            own=any(board.by_id[bar.entry].reported is None for bar in bars),
        )


def _figures(board: Board, column: Column, bars: Iterable[Bar]) -> Iterator[Figure]:
    cells = [board.cell(bar.entry, column.name) for bar in bars]
    longest = 1.0 if column.unit == "share" else max(map(_end, cells), default=0.0) or 1.0
    for cell in cells:
        estimate = cell.estimate
        known = estimate is not None and estimate.value is not None
        yield Figure(
            metric=column.name,
            value=cell.printed or figures.value(estimate),
            interval=figures.interval(estimate),
            sort=repr(estimate.value) if known and estimate is not None else "",
            bar=_bar(cell, longest),
        )


def _end(cell: Cell) -> float:
    estimate = cell.estimate
    if estimate is None or estimate.value is None:
        return 0.0
    return max(estimate.value, estimate.high or 0.0)


def _bar(cell: Cell, longest: float) -> str:
    estimate = cell.estimate
    if estimate is None or estimate.value is None:
        return ""
    text = f"--v:{estimate.value / longest * 100:.1f}%"
    if estimate.low is None or estimate.high is None:
        return text
    low, high = estimate.low / longest * 100, estimate.high / longest * 100
    return f"{text};--l:{low:.1f}%;--w:{high - low:.1f}%"

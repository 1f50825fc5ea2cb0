"""A board on the terminal: figures, differences, and what could be found at all."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lt_bench.board.margins import NonInferiority, smallest_found, too_few
from lt_bench.board.model import Board, Column
from lt_bench.board.wording import apart, difference, figure, p_value, place
from lt_bench.cli.cards import console
from lt_bench.plain import on_one_line
from lt_bench.stats.flips import groups_needed

LISTED = 20
"""Differences of a metric that are shown; --json has all."""


def show(board: Board, metrics: Sequence[str] = (), *, with_mdd: bool = False) -> None:
    """The table, then each metric's differences, the clearest first."""
    out = console()
    columns = [one for one in board.metrics if one.name in metrics] or list(board.shown)
    _figures(board, columns, out)
    for entry in board.entries:
        if entry.kept_apart:
            out.print(Text(on_one_line(f"kept apart: {entry.name}: {entry.kept_apart}")))
    for column in columns:
        _unranked(board, column, out)
    for column in columns:
        _differences(board, column, out)
    if with_mdd:
        for column in columns:
            _detectable(board, column, out)


def _figures(board: Board, columns: Sequence[Column], out: Console) -> None:
    title = (
        f"{board.task}@{board.version}, 95 % intervals in brackets, ranks that the tests leave open"
    )
    out.print(Text(on_one_line(title), style="bold"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("model")
    for column in columns:
        table.add_column(column.name, justify="right")
    for entry in board.entries:
        if entry.reported:
            continue
        cells = []
        for column in columns:
            cell = board.cell(entry.id, column.name)
            value, _, interval = figure(cell.estimate).partition(" [")
            told = "\n".join(filter(None, (value, interval and f"[{interval}", _rank(place(cell)))))
            cells.append(Text(told))
        table.add_row(Text(on_one_line(entry.name)), *cells)
    out.print(table)


def _rank(told: str) -> str:
    return f"rank {told}" if told else ""


def _unranked(board: Board, column: Column, out: Console) -> None:
    """Who takes no rank and why, a line a reason."""
    why: dict[str, list[str]] = {}
    for entry in board.entries:
        cell = board.cell(entry.id, column.name)
        if cell.unranked and not entry.kept_apart and not entry.reported:
            why.setdefault(cell.unranked, []).append(entry.name)
    for reason, named in why.items():
        line = f"no rank in {column.name} ({reason}): {', '.join(named)}"
        out.print(Text(on_one_line(line), style="dim"))


def _differences(board: Board, column: Column, out: Console) -> None:
    pairs = [one for one in board.pairs if one.metric == column.name]
    if not pairs:
        return
    clear = sum(bool(one.better) for one in pairs)
    out.print()
    among = f", among {column.among}" if column.among else ""
    head = f"{column.name}: {clear} of {len(pairs)} pairs separated{among}"
    out.print(Text(on_one_line(head), style="bold"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("first", "second"):
        table.add_column(heading)
    for heading in ("first − second", "p", "p (Holm)", "rows"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("how")
    ordered = sorted(pairs, key=lambda one: (one.p_holm, one.p_value))
    for one in ordered[:LISTED]:
        table.add_row(
            Text(on_one_line(board.by_id[one.first].name)),
            Text(on_one_line(board.by_id[one.second].name)),
            difference(one, column.unit),
            p_value(one.p_value),
            p_value(one.p_holm),
            str(one.rows),
            one.method,
        )
    out.print(table)
    if len(pairs) > LISTED:
        out.print(Text(f"and {len(pairs) - LISTED} more (--json has all)", style="dim"))


def _detectable(board: Board, column: Column, out: Console) -> None:
    """By the pair whose variance lies in the middle."""
    pairs = [one for one in board.pairs if one.metric == column.name]
    varying = sorted(filter(None, (one.standard_error for one in pairs)))
    if not pairs:
        return
    if not varying:
        line = f"{column.name}: no difference varies, so that nothing says what could be found"
        out.print(Text(on_one_line(line)))
        return
    middle = next(one for one in pairs if one.standard_error == varying[len(varying) // 2])
    if middle.groups < groups_needed(len(pairs)):
        out.print(Text(on_one_line(f"{column.name}: {too_few(middle.groups, len(pairs))}")))
        return
    alone, all_ = smallest_found(middle), smallest_found(middle, len(pairs))
    if alone is None or all_ is None:
        return
    holm = (
        f", {apart(all_, column.unit)} with Holm over {len(pairs)} pairs" if len(pairs) > 1 else ""
    )
    line = (
        f"{column.name}: {middle.rows} rows in {middle.groups} groups find a difference of "
        f"{apart(alone, column.unit)} in 80 % of the cases{holm}"
    )
    out.print(Text(on_one_line(line)))


def non_inferior(found: NonInferiority, board: Board) -> str:
    """The finding in a sentence."""
    pair = found.pair
    column = board.by_name[pair.metric]
    first, second = (on_one_line(board.by_id[one].name) for one in (pair.first, pair.second))
    told = f"{column.name} of {first} less {second}: {difference(pair, column.unit)}"
    margin = apart(found.margin, column.unit)
    if found.worst is None:
        return f"{told}; the differences do not vary, so that a margin of {margin} cannot be shown"
    verdict = "within" if found.established else "not shown to be within"
    if found.refuted:
        verdict = "worse by more than"
    return f"{told}; {verdict} a margin of {margin}"

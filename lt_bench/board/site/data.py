"""What the page's script draws from: two files of numbers beside the page, read when they are needed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lt_bench.board.model import Board, Cell, Entry
from lt_bench.board.site.table import kind
from lt_bench.plain import on_one_line
from lt_bench.records import Estimate


def plots(board: Board, entries: Iterable[Entry]) -> bytes:
    """data.js: names, columns, figures, fronts and pairs. Entries are named by their place."""
    entries = list(entries)
    place = {entry.id: at for at, entry in enumerate(entries)}
    shown = {column.name: at for at, column in enumerate(board.shown)}
    return _script(
        "board",
        {
            "entries": [_entry(entry) for entry in entries],
            "columns": [
                {"name": one.name, "unit": one.unit, "better": one.better, "kind": kind(one)}
                for one in board.metrics
            ],
            "values": {
                column.name: [_figure(board.cell(entry.id, column.name)) for entry in entries]
                for column in board.metrics
            },
            "paretos": [
                {
                    "quality": one.quality,
                    "cost": one.cost,
                    "front": [place[name] for name in one.front if name in place],
                    "beaten": [place[name] for name in one.beaten if name in place],
                }
                for one in board.paretos
            ],
            "pairs": {
                name: [
                    [
                        *(place[pair.first], place[pair.second], _short(pair.difference)),
                        *(_short(pair.low), _short(pair.high), _short(pair.p_holm)),
                        pair.rows,
                    ]
                    for pair in board.pairs
                    if pair.metric == name and pair.first in place and pair.second in place
                ]
                for name in shown
            },
        },
    )


def slices(board: Board, entries: Iterable[Entry]) -> bytes:
    """slices.js: of each slice and metric, the figures of the entries that have any."""
    place = {entry.id: at for at, entry in enumerate(entries)}
    names = {name: on_one_line(name) for name in {cell.slice for cell in board.slices}}
    found: dict[str, dict[str, dict[int, list[float | int | None]]]] = {}
    for cell in board.slices:
        of_slice = found.setdefault(names[cell.slice], {}).setdefault(cell.metric, {})
        of_slice[place[cell.entry]] = _ends(cell.estimate)
    return _script("slices", found)


def _entry(entry: Entry) -> dict[str, Any]:
    said: dict[str, Any] = {"id": entry.id, "name": on_one_line(entry.name)}
    if entry.reported is not None:
        said["reported"] = on_one_line(f"{entry.reported.paper}, {entry.reported.table}")
    if entry.kept_apart:
        said["apart"] = True
    return said


def _figure(cell: Cell) -> list[float | int | None] | None:
    return None if cell.estimate is None else _ends(cell.estimate)


def _ends(estimate: Estimate) -> list[float | int | None]:
    return [_short(estimate.value), _short(estimate.low), _short(estimate.high), estimate.n]


def _short(value: float | None) -> float | None:
    """Six digits are more than a plot shows; work alone may be far below 1."""
    if value is None:
        return None
    return round(value, 6) if value > 0.1 else float(f"{value:.6g}")


def _script(name: str, data: Any) -> bytes:
    import orjson

    packed = orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS)
    return b'"use strict";window.ltBench=window.ltBench||{};ltBench.%b=%b;\n' % (
        name.encode(),
        packed,
    )

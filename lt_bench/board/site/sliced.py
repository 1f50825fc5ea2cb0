"""What the slices of a board are for the page of each entry."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from lt_bench.board.model import Board
from lt_bench.board.site import figures
from lt_bench.records import Estimate


@dataclass(frozen=True, slots=True)
class Sliced:
    """Some of the rows of an entry: `cells` are its figures in the order of the table's columns."""

    name: str
    cells: Markup


def sliced(board: Board) -> dict[str, list[Sliced]]:
    """Entry -> its slices, in the order of the board."""
    found: dict[tuple[str, str], dict[str, Estimate]] = {}
    for cell in board.slices:
        found.setdefault((cell.entry, cell.slice), {})[cell.metric] = cell.estimate
    names = [column.name for column in board.shown]
    rows: dict[str, list[Sliced]] = {}
    for (entry, name), estimates in found.items():
        cells = "".join(f"<td>{figures.stacked(estimates.get(one))}</td>" for one in names)
        rows.setdefault(entry, []).append(Sliced(name, Markup(cells)))  # noqa: S704
    return rows

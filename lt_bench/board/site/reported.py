"""Rows of papers, table by table: figures as they were printed, and what an audit makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lt_bench.board.model import Board, Cell, Column, Entry, Grim, Source
from lt_bench.board.site import figures

CLASSES: Final[dict[Grim, str]] = {
    "consistent": "good",
    "not explained by k of n": "warn",
    "not a share of rows": "plain",
}


@dataclass(frozen=True)
class Printed:
    """One figure: as printed, what the audit came to, and the whole sentence of it."""

    value: str
    word: str = ""
    look: str = ""
    sentence: str = ""


@dataclass(frozen=True)
class Reported:
    """A row of a paper; `note` is what is said of it alone."""

    entry: Entry
    figures: tuple[Printed, ...]
    note: str


@dataclass(frozen=True)
class Paper:
    """One table of a paper; its columns are those of which it has a figure, `note` is said of all rows."""

    source: Source
    note: str
    columns: tuple[Column, ...]
    rows: tuple[Reported, ...]


def papers(board: Board) -> Iterator[Paper]:
    """The reported rows of a board by the table that they stand in."""
    tables: dict[tuple[str, str], list[Entry]] = {}
    for entry in board.entries:
        if entry.reported is not None:
            key = (entry.reported.paper, entry.reported.table)
            tables.setdefault(key, []).append(entry)
    for entries in tables.values():
        yield _paper(board, entries)


def _paper(board: Board, entries: Sequence[Entry]) -> Paper:
    sources = [entry.reported for entry in entries if entry.reported is not None]
    notes = [source.note for source in sources]
    same = len(entries) > 1 and len(set(notes)) == 1
    columns = tuple(
        column
        for column in board.metrics
        if any(_known(board.cell(entry.id, column.name)) for entry in entries)
    )
    rows = tuple(
        Reported(
            entry,
            tuple(_printed(board.cell(entry.id, one.name)) for one in columns),
            "" if same else note,
        )
        for entry, note in zip(entries, notes, strict=True)
    )
    return Paper(sources[0], notes[0] if same else "", columns, rows)


def _known(cell: Cell) -> bool:
    return bool(cell.printed) or (cell.estimate is not None and cell.estimate.value is not None)


def _printed(cell: Cell) -> Printed:
    if not _known(cell):
        return Printed(figures.DASH)
    look = CLASSES[cell.grim] if cell.grim else ""
    return Printed(cell.printed or figures.value(cell.estimate), cell.grim or "", look, cell.audit)

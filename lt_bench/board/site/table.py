"""The rows of the board's table, ready to be printed: cells with bars, places, ties and footnotes.

A board may have thousands of cells, so their markup is put together here and not in the template. It
holds numbers and our own words only; names and reasons go through the template, which escapes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from markupsafe import Markup

from lt_bench.board.model import Board, Cell, Column, Entry
from lt_bench.board.site import figures
from lt_bench.records import Unit

KINDS: Final[dict[Unit, str]] = {
    "tokens": "length",
    "characters": "length",
    "TFLOP": "work",
    "seconds": "time",
}
"""Groups of metrics that a reader may hide; what is none of these is quality, or faults where less
is better."""


@dataclass(frozen=True, slots=True)
class Place:
    """A rank in words: `shared` where others have it too, `low` and `high` of its confidence set."""

    rank: int
    shared: bool
    set: str
    low: int
    high: int
    tie: str


@dataclass(frozen=True, slots=True)
class Shown:
    """One figure of the table. `sort` is empty where it is missing; `bar` places interval and value
    along the column, in per cent."""

    metric: str
    kind: str
    value: str
    interval: str = ""
    sort: str = ""
    bar: str = ""
    partly: str = ""
    place: Place | None = None
    notes: tuple[int, ...] = ()

    @property
    def attributes(self) -> str:
        """Of its `td`: what the script sorts and ranks by."""
        text = f' data-kind="{self.kind}"'
        if self.sort:
            text += f' data-v="{self.sort}"'
        if self.place is not None:
            place = self.place
            text += f' data-rank="{place.rank}"'
            text += ' data-shared="1"' if place.shared else ""
            text += f' data-set="{place.set}"' if place.set else ""
            text += f' data-tie="{place.tie}"' if place.tie else ""
        return text

    @property
    def inside(self) -> str:
        """The figure, links to its notes, its interval in numbers and as a bar."""
        look = ("" if self.sort else " none") + (" noted" if self.notes else "")
        text = f'<span class="value{look}">{self.value}</span>'
        for note in self.notes:
            text += f'<sup><a href="#note-{note}" aria-label="note {note}">{note}</a></sup>'
        if self.interval:
            text += f'<span class="interval">{self.interval}</span>'
        if self.bar:
            text += f'<i class="bar" style="{self.bar}"></i>'
        if self.partly:
            text += f'<span class="partly">{self.partly}</span>'
        return text


@dataclass(frozen=True)
class Line:
    """An entry and its figures, in the order of the columns; `front` where it is on a Pareto front."""

    entry: Entry
    cells: tuple[Shown, ...]
    front: bool = False

    @property
    def inside(self) -> Markup:
        """All its figures."""
        return Markup("".join(f"<td{one.attributes}>{one.inside}</td>" for one in self.cells))  # noqa: S704

    @property
    def place(self) -> Place | None:
        """Its rank in the first column, which the table shows before a reader picks another."""
        return self.cells[0].place if self.cells else None


@dataclass(frozen=True)
class Leader:
    """Who is first in a column; `others` share the place."""

    column: Column
    entry: Entry
    value: str
    others: int


@dataclass
class Footnotes:
    """Sentences by number, each once."""

    numbers: dict[str, int] = field(default_factory=dict)

    def of(self, *sentences: str) -> tuple[int, ...]:
        told = dict.fromkeys(text for text in sentences if text)
        return tuple(self.numbers.setdefault(text, len(self.numbers) + 1) for text in told)


def kind(column: Column) -> str:
    """The group of metrics a column belongs to."""
    found = KINDS.get(column.unit)
    return found or ("quality" if column.better == "higher" else "faults")


def lines(board: Board, entries: Iterable[Entry], footnotes: Footnotes | None = None) -> list[Line]:
    """Rows of the entries, in their order; without footnotes where the reason stands beside them."""
    entries = list(entries)
    front = {entry for pareto in board.paretos for entry in pareto.front}
    columns = [list(_column(board, column, entries, footnotes)) for column in board.shown]
    return [
        Line(entry, tuple(column[at] for column in columns), entry.id in front)
        for at, entry in enumerate(entries)
    ]


def leaders(board: Board, entries: Iterable[Entry]) -> Iterator[Leader]:
    """The first of each column that has one; nobody is first alone."""
    entries = list(entries)
    if len(entries) < 2:
        return
    for column in board.shown:
        cells = [(entry, board.cell(entry.id, column.name)) for entry in entries]
        first = [(entry, cell) for entry, cell in cells if cell.rank == 1]
        if first:
            entry, cell = first[0]
            yield Leader(column, entry, figures.valued(cell.estimate), len(first) - 1)


def _column(
    board: Board, column: Column, entries: list[Entry], footnotes: Footnotes | None
) -> Iterator[Shown]:
    cells = [board.cell(entry.id, column.name) for entry in entries]
    noted = footnotes.of if footnotes is not None else _nothing
    shared = Counter(cell.rank for cell in cells)
    ties = Counter(cell.tie for cell in cells)
    low, high = _reach(cells)
    group = kind(column)
    for cell in cells:
        estimate = cell.estimate
        if estimate is None or estimate.value is None:
            yield Shown(column.name, group, figures.DASH, notes=noted(cell.unranked))
            continue
        lacking = figures.missing(estimate)
        yield Shown(
            metric=column.name,
            kind=group,
            value=figures.value(estimate),
            interval=figures.interval(estimate),
            sort=repr(estimate.value),
            bar=_bar(estimate.low, estimate.value, estimate.high, low, high),
            partly=f"{estimate.n} of {estimate.n + lacking} scored" if lacking else "",
            place=_place(cell, shared, ties),
            notes=noted(cell.unranked, cell.no_set if cell.rank is not None else ""),
        )


def _nothing(*_: str) -> tuple[int, ...]:
    return ()


def _place(cell: Cell, shared: Counter[int | None], ties: Counter[int | None]) -> Place | None:
    if cell.rank is None:
        return None
    ends = (cell.ranks.low, cell.ranks.high) if cell.ranks else (cell.rank, cell.rank)
    return Place(
        rank=cell.rank,
        shared=shared[cell.rank] > 1,
        set=figures.places(cell),
        low=ends[0],
        high=ends[1],
        tie=figures.letter(cell.tie) if cell.tie and ties[cell.tie] > 1 else "",
    )


def _reach(cells: Iterable[Cell]) -> tuple[float, float]:
    """The smallest and the largest figure of a column, intervals included."""
    ends = [
        end
        for cell in cells
        if cell.estimate is not None
        for end in (cell.estimate.low, cell.estimate.value, cell.estimate.high)
        if end is not None
    ]
    return (min(ends), max(ends)) if ends else (0.0, 0.0)


def _bar(low: float | None, value: float, high: float | None, least: float, most: float) -> str:
    """CSS variables: where the interval begins, how long it is, and where the value is."""
    span = (most - least) or 1.0
    first, last = value if low is None else low, value if high is None else high
    begin, at, end = ((x - least) / span * 100 for x in (first, value, last))
    return f"--l:{begin:.1f}%;--w:{end - begin:.1f}%;--v:{at:.1f}%"

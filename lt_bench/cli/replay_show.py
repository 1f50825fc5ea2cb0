"""Rows of a replay on the terminal: a table of them, or one row in boxes; plain lines in a pipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer
from rich import box
from rich.console import Console, Group
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from lt_bench.cli.replay_evidence import LETTERS, Section
from lt_bench.cli.replay_row import COLOURS, sections
from lt_bench.plain import on_one_line, printable
from lt_bench.replay.diagnosis import CODES
from lt_bench.replay.rows import ReplayRow, Side
from lt_bench.replay.source import Source
from lt_bench.replay.words import NAMES

INDENT = "  "


def one_row(row: ReplayRow, sources: Sequence[Source]) -> None:
    """Every section of one row."""
    out = Console(highlight=False)
    for section in sections(row, sources):
        if not out.is_terminal:
            _plain_section(section)
        elif section.boxed:
            out.print(_panel(section))
        else:
            out.print(Text(section.title, style=f"bold {section.colour}"))
            for line in section.lines:
                out.print(Padding(line, (0, 0, 0, len(INDENT))))


def _panel(section: Section) -> Panel:
    return Panel(
        Group(*section.lines),
        title=Text(section.title, style=section.colour),
        title_align="left",
        border_style=section.colour,
        box=box.ROUNDED,
    )


def _plain_section(section: Section) -> None:
    typer.echo(f"--- {section.title}")
    for line in section.lines:
        typer.echo(f"{INDENT}{line.plain}" if line.plain else "")


# --- the list --------------------------------------------------------------------------------


def table(found: Sequence[ReplayRow], sources: Sequence[Source]) -> None:
    """A line a row; in a pipe its columns are parted by tabs."""
    out = Console(highlight=False)
    headings = _headings(sources)
    if not out.is_terminal:
        typer.echo("\t".join(headings))
        for row in found:
            typer.echo("\t".join(cell.plain for cell in _cells(row)))
        return
    for number, source in enumerate(sources):
        out.print(_counts(found, source, number, several=len(sources) > 1))
    drawn = Table(box=None, pad_edge=False, header_style="bold", expand=True)
    for name in headings:
        drawn.add_column(name, **_shape(name))
    for row in found:
        drawn.add_row(*_cells(row))
    out.print(drawn)
    if not found:
        out.print("no row meets these filters", style="dim")


def _shape(name: str) -> dict[str, Any]:
    """How a column is drawn: numbers to the right, and the question takes what is left of the line."""
    shape: dict[str, Any] = {"no_wrap": True, "overflow": "ellipsis"}
    if name == "question":
        return {**shape, "ratio": 1}
    if name == "row":
        return {**shape, "min_width": 12, "max_width": 32}
    if name.startswith("diagnosis"):
        return {**shape, "min_width": max(map(len, NAMES.values()))}
    return {**shape, "min_width": len(name), "justify": "right"}


def _counts(found: Sequence[ReplayRow], source: Source, number: int, *, several: bool) -> Text:
    """ "A moe.rft: 81 right, 57 unsupported"."""
    counts = Counter(side.code for row in found if (side := row.sides[number]))
    name = f"{LETTERS[number]} {source.name}" if several else source.name
    text = Text(f"{on_one_line(name)}: ", style="bold")
    told = [code for code in CODES if counts[code]]
    for place, code in enumerate(told):
        text.append(", " if place else "", "default")
        text.append(f"{counts[code]} {NAMES[code]}", f"not bold {COLOURS[code]}")
    return text


def _headings(sources: Sequence[Source]) -> list[str]:
    several = len(sources) > 1
    each = [
        f"{name} {LETTERS[number]}" if several else name
        for number in range(len(sources))
        for name in ("diagnosis", "quality", "tokens")
    ]
    return ["row", *each, "question"]


def _cells(row: ReplayRow) -> list[Text]:
    question = row.example.question if row.example else ""
    cells = [Text(on_one_line(row.anchor))]
    for side in row.sides:
        cells += _side(side)
    return [*cells, Text(on_one_line(question))]


def _side(side: Side | None) -> list[Text]:
    if side is None:
        return [Text("–", "dim")] * 3
    value = side.value(side.quality)
    return [
        Text(NAMES[side.code], COLOURS[side.code]),
        Text("–" if value is None else f"{value:.3g}"),
        Text("–" if side.tokens is None else str(side.tokens)),
    ]


# --- around it -------------------------------------------------------------------------------


def written(
    found: Sequence[ReplayRow], sources: Sequence[Source], file: Path, limit: int | None
) -> None:
    """Writes the page, and says where it is."""
    from lt_bench.replay.writing import MOST, write

    most = limit or MOST
    write(found, sources, file, most)
    kept = min(most, len(found))
    more = f" of {len(found)}; --limit N takes more" if kept < len(found) else ""
    typer.echo(f"{printable(str(file))}: {kept} row{'s' if kept != 1 else ''}{more}")


def problems(sources: Sequence[Source]) -> None:
    """What is missing or damaged, on stderr."""
    for source in sources:
        for problem in source.problems:
            typer.echo(on_one_line(f"{source.name}: {problem}"), err=True)

"""The figures of a data set: tables with bars, and histograms of lengths."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Final

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from lt_bench.builders.survey import Stats, Survey, histogram
from lt_bench.cli.cards import console
from lt_bench.cli.data.counting import counted
from lt_bench.plain import printable

BAR: Final = 30
"""Characters of the longest bar."""
PLOTTED: Final = ("question", "history", "evidence", "reply", "text")
TAGS: Final = 100
_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"


def show(title: str, survey: Survey) -> None:
    """Everything about a data set that fits on a page or two."""
    out, stats = console(), survey.stats()
    rows = f"{stats.records} row"
    groups = f" in {counted(stats.groups, 'group')}" if stats.groups else ""
    out.print(Text(printable(f"{title}: {counted(stats.rows, rows)}{groups}"), style="bold"))
    for name, counts in _tables(stats):
        _counts(out, name, counts, stats.rows)
    _lengths(out, stats)
    for name in PLOTTED:
        if any(survey.lengths.get(name, ())):
            _plot(out, name, survey.lengths[name])


def _tables(stats: Stats) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Heading and counts of each table; one that says the same of every row is left to `_facts`."""
    yield "task", stats.tasks
    yield "language", stats.langs
    yield "answerability", stats.answerability
    yield "licence", stats.licenses
    yield "label", stats.labels
    yield "kind of document", stats.kinds
    yield "tag", stats.tags


def _counts(out: Console, name: str, counts: Mapping[str, int], rows: int) -> None:
    if not counts:
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(name, no_wrap=True)
    for heading in ("rows", "share"):
        table.add_column(heading, justify="right")
    table.add_column("")
    # Labels and documents are several to a row, so that their shares are of themselves.
    whole = sum(counts.values()) if name in ("label", "kind of document") else rows
    for value, count in list(counts.items())[:TAGS]:
        share = count / whole
        table.add_row(Text(printable(value)), f"{count:,}", f"{share:.1%}", _bar(share, "cyan"))
    out.print()
    out.print(table)
    if len(counts) > TAGS:
        out.print(f"… and {len(counts) - TAGS:,} more (--json lists all)")


def _lengths(out: Console, stats: Stats) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("length")
    for heading in ("smallest", "median", "mean", "95 %", "largest"):
        table.add_column(heading, justify="right")
    for name, found in stats.lengths.items():
        unit = "count" if name == "documents" else "characters"
        cells = (found.low, found.median, round(found.mean, 1), found.p95, found.high)
        table.add_row(f"{name} ({unit})", *(f"{cell:,}" for cell in map(_short, cells)))
    out.print()
    out.print(table)


def _short(value: float) -> float | int:
    return int(value) if value == int(value) else value


def _plot(out: Console, name: str, lengths: Mapping[int, int]) -> None:
    bins = histogram(lengths)
    most = max(bin_.rows for bin_ in bins)
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_column()
    for bin_ in bins:
        span = f"{bin_.low:,}–{bin_.high:,}" if bin_.high > bin_.low else f"{bin_.low:,}"
        table.add_row(span, f"{bin_.rows:,}", _bar(bin_.rows / most, "green"))
    heading = Text(f"{name}, rows by characters", style="bold")
    out.print(Group(Text(), heading, table))


def _bar(share: float, style: str) -> Text:
    """A bar of eighths of characters; of whole ones where the encoding has no blocks."""
    if not _has_blocks():
        return Text("#" * round(share * BAR), style=style)
    eighths = max(round(share * BAR * 8), int(share > 0))
    full, rest = divmod(eighths, 8)
    return Text("█" * full + (_EIGHTHS[rest] if rest else ""), style=style)


def _has_blocks() -> bool:
    try:
        _EIGHTHS.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True

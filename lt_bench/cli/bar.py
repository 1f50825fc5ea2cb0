"""Progress of a run as a live bar in a terminal."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar

from lt_bench.cli.progress import fates_in_words
from lt_bench.plain import printable
from lt_bench.records import Sample


class TerminalProgress:
    """A bar with counts of what went wrong."""

    def __init__(self) -> None:
        self.fates: Counter[str] = Counter()
        self.bar = Bar(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[fates]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )

    def start(self, title: str, total: int, done: int) -> None:
        self.fates.clear()
        self.row = self.bar.add_task(printable(title), total=total, completed=done, fates="")
        self.bar.start()

    def advance(self, sample: Sample) -> None:
        self.fates[sample.status] += 1
        self.bar.update(self.row, advance=1, fates=fates_in_words(self.fates))

    def stop(self) -> None:
        self.bar.stop()

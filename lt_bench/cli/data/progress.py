"""Progress of data commands on stderr: a bar in a terminal, plain lines in a pipe or a log."""

from __future__ import annotations

import sys
import time
from contextlib import suppress

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from lt_bench.builders.progress import Progress
from lt_bench.cli.data.counting import counted
from lt_bench.plain import printable

LINE_SECONDS = 10.0
SHOWN_EVERY = 0.1
"""Seconds between two drawings; rows are far quicker."""


def choose() -> Progress:
    """The form that suits where stderr goes."""
    return TerminalProgress() if sys.stderr.isatty() else LineProgress()


class TerminalProgress:
    """A bar for each part of the work; one that moves to and fro where the end is not known."""

    def __init__(self) -> None:
        self.bar = Bar(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[counted]}"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.task: TaskID | None = None

    def start(self, title: str, total: int | None) -> None:
        self.total, self.done, self.drawn = total, 0, 0.0
        self.task = self.bar.add_task(printable(title), total=total, counted="")
        self.bar.start()

    def advance(self) -> None:
        self.done += 1
        now = time.monotonic()
        if now - self.drawn >= SHOWN_EVERY and self.task is not None:
            self.drawn = now
            self.bar.update(self.task, completed=self.done, counted=_counted(self.done, self.total))

    def stop(self) -> None:
        self.bar.stop()
        if self.task is not None:
            self.bar.remove_task(self.task)
            self.task = None


class LineProgress:
    """A line every ten seconds, and one at the end of work that took so long."""

    def start(self, title: str, total: int | None) -> None:
        self.title, self.total, self.done = title, total, 0
        self.told, self.long = time.monotonic(), False

    def advance(self) -> None:
        self.done += 1
        if time.monotonic() - self.told >= LINE_SECONDS:
            self.told, self.long = time.monotonic(), True
            _line(f"{self.title}: {_counted(self.done, self.total)}")

    def stop(self) -> None:
        if self.long:
            _line(f"{self.title}: {_counted(self.done, None)}")


def _counted(done: int, total: int | None) -> str:
    return counted(done, "row") if total is None else f"{done:,} of {counted(total, 'row')}"


def _line(text: str) -> None:
    """A log that cannot be written is no reason to end the work that it tells of."""
    with suppress(OSError):
        print(printable(text), file=sys.stderr, flush=True)

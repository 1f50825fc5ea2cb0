"""Progress of a judge through labelled replies, on stderr."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from lt_bench.plain import printable

if TYPE_CHECKING:
    from lt_bench.run.judging.rating import Rated

LINE_SECONDS = 10.0


@contextmanager
def rating(title: str, total: int) -> Iterator[Callable[[Rated], None]]:
    """What to call for every rated reply: a bar in a terminal, a line in ten seconds elsewhere."""
    show = _in_terminal if sys.stderr.isatty() else _in_lines
    with show(printable(title), total) as tell:
        reasons: Counter[str] = Counter()

        def finished(rated: Rated) -> None:
            reasons.update(_why_silent(rated))
            tell(", ".join(f"{n} {reason}" for reason, n in sorted(reasons.items())))

        yield finished


def _why_silent(rated: Rated) -> set[str]:
    reasons = {score.reason for score in rated.scores.values()}
    return {reason for reason in reasons if reason and reason != "not_applicable"}


@contextmanager
def _in_terminal(title: str, total: int) -> Iterator[Callable[[str], None]]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[silent]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        row = bar.add_task(title, total=total, silent="")
        yield lambda silent: bar.update(row, advance=1, silent=silent)


@contextmanager
def _in_lines(title: str, total: int) -> Iterator[Callable[[str], None]]:
    done, told = 0, time.monotonic()

    def tell(silent: str) -> None:
        nonlocal done, told
        done += 1
        if time.monotonic() - told >= LINE_SECONDS:
            told = time.monotonic()
            _line(f"{title}: {done}/{total} {silent}".rstrip())

    yield tell


def _line(text: str) -> None:
    """A log that cannot be written is no reason to end the work that it tells of."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)

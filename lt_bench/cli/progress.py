"""Progress of a run on stderr: a live bar in a terminal, plain lines in a pipe or a log."""

from __future__ import annotations

import sys
import time
from collections import Counter
from contextlib import suppress

from lt_bench.plain import printable
from lt_bench.records import Sample
from lt_bench.run.progress import Progress

LINE_SECONDS = 10.0
LINE_SHARE = 0.1


def choose() -> Progress:
    """The form that suits where stderr goes."""
    if not sys.stderr.isatty():
        return LineProgress()
    from lt_bench.cli.bar import TerminalProgress

    return TerminalProgress()


class LineProgress:
    """A line at every tenth of the work, or every ten seconds if that is rarer."""

    def start(self, title: str, total: int, done: int) -> None:
        self.title, self.total, self.done = title, total, done
        self.fates: Counter[str] = Counter()
        self.told_at, self.told = time.monotonic(), done
        resumed = f" ({done} already done)" if done else ""
        _line(f"{title}: {total} samples{resumed}")

    def advance(self, sample: Sample) -> None:
        self.done += 1
        self.fates[sample.status] += 1
        late = time.monotonic() - self.told_at >= LINE_SECONDS
        if self.done == self.total or (late and self.done - self.told >= LINE_SHARE * self.total):
            self.told_at, self.told = time.monotonic(), self.done
            _line(f"{self.title}: {self.done}/{self.total} {fates_in_words(self.fates)}".rstrip())

    def stop(self) -> None: ...


def fates_in_words(fates: Counter[str]) -> str:
    """ "3 truncated, 1 error"; nothing while all is well."""
    return ", ".join(f"{n} {fate}" for fate, n in sorted(fates.items()) if fate != "ok")


def _line(text: str) -> None:
    """A log that cannot be written is no reason to end the run that it tells of."""
    with suppress(OSError):
        print(printable(text), file=sys.stderr, flush=True)

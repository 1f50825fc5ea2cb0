"""What the making of a data set tells while it goes on; the command shows it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    def start(self, title: str, total: int | None) -> None:
        """A part of the work begins; `total` is None where nobody knows."""
        ...

    def advance(self) -> None: ...

    def stop(self) -> None: ...


class Silent:
    """Shows nothing."""

    def start(self, title: str, total: int | None) -> None: ...

    def advance(self) -> None: ...

    def stop(self) -> None: ...


@contextmanager
def part(progress: Progress, title: str, total: int | None = None) -> Iterator[None]:
    """One part of the work, over when the block ends, in whatever way."""
    progress.start(title, total)
    try:
        yield
    finally:
        progress.stop()

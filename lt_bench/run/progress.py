"""What a run tells while it goes on; the command shows it, the library stays silent."""

from __future__ import annotations

from typing import Protocol

from lt_bench.records import Sample


class Progress(Protocol):
    def start(self, title: str, total: int, done: int) -> None: ...

    def advance(self, sample: Sample) -> None: ...

    def stop(self) -> None: ...


class Silent:
    """Shows nothing."""

    def start(self, title: str, total: int, done: int) -> None: ...

    def advance(self, sample: Sample) -> None: ...

    def stop(self) -> None: ...

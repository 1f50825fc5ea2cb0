"""Requests that come one at a time, gathered until no more come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from lt_bench.backends.openai.batch.asked import Asked
from lt_bench.records import Turn


class Gathering:
    """Hands what was gathered to `send` once `quiet` seconds have passed without another, or as soon as
    `most` are gathered: then nobody is left who could ask."""

    def __init__(self, quiet: float, most: int, send: Callable[[list[Asked]], None]) -> None:
        self._quiet, self._most, self._send = quiet, most, send
        self._gathered: list[Asked] = []
        self._last = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def ask(self, asked: Asked) -> asyncio.Future[Turn]:
        """One more caller of this request waits; it is sent with the others, if it is new."""
        loop = asyncio.get_running_loop()
        if not asked.callers:
            self._gathered.append(asked)
        caller = asked.caller()
        self._last = loop.time()
        if len(self._gathered) >= self._most:
            self._flush()
        elif self._timer is None:
            self._timer = loop.call_at(self._last + self._quiet, self._ring)
        return caller

    def _ring(self) -> None:
        """The timer is not moved at every request, but looks when it rings whether it is time."""
        loop = asyncio.get_running_loop()
        due = self._last + self._quiet
        if loop.time() < due:
            self._timer = loop.call_at(due, self._ring)
        else:
            self._flush()

    def _flush(self) -> None:
        self.stop()
        gathered, self._gathered = self._gathered, []
        if gathered:
            self._send(gathered)

    def stop(self) -> None:
        """Nothing more is sent by itself."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

"""How long one attempt is waited for: in all, and for the next piece of an answer that has begun."""

from __future__ import annotations

import asyncio
import math
from types import TracebackType
from typing import Self


class Patience:
    """`async with Patience(total, idle)`: TimeoutError once `total` seconds are over, or once the
    stretch that `heard` has named is over without another word.

    One timer is set; it is not moved at every piece, but looks when it rings whether it is time.
    """

    def __init__(self, total: float, idle: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = self._loop.time() + total
        self._quiet = math.inf
        self._due = min(self._end, self._loop.time() + idle)
        self._timeout = asyncio.timeout(None)
        self.silent = False

    def heard(self, seconds: float) -> None:
        """A piece has come; the next one may take so many seconds."""
        self._quiet = self._loop.time() + seconds
        if self._quiet < self._due:
            self._set(self._quiet)

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        self._timer = self._loop.call_at(self._due, self._ring)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        await self._timeout.__aexit__(kind, error, trace)

    def _set(self, due: float) -> None:
        self._timer.cancel()
        self._due = due
        self._timer = self._loop.call_at(due, self._ring)

    def _ring(self) -> None:
        now, due = self._loop.time(), min(self._end, self._quiet)
        if due > now:
            self._set(due)
        else:
            self.silent = self._quiet < self._end
            self._timeout.reschedule(now)

"""Time of a measurement: the machine's clock, or a virtual one on which nothing ever waits."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")

DIGITS = 9
"""Times are kept to the nanosecond, so that on the virtual clock sums of them are exact."""

SHORTEST_SLEEP = 0.001
"""Seconds that a timer of the event loop can tell apart."""


class Clock(Protocol):
    """Seconds from an arbitrary start."""

    def now(self) -> float: ...

    async def until(self, at: float) -> None:
        """Returns at this time, never before; late when the process was busy."""
        ...


class WallClock:
    """The machine's finest steady clock, the one that backends time themselves by."""

    def now(self) -> float:
        return time.perf_counter()

    async def until(self, at: float) -> None:
        # Timers round to a millisecond and may ring early; the rest is spent looking.
        while (left := at - self.now()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(left if left > SHORTEST_SLEEP else 0)


class LoopClock:
    """The running event loop's own time: the virtual one on a `VirtualLoop`."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def until(self, at: float) -> None:
        left = at - self.now()
        if left > 0:
            await asyncio.sleep(left)


class _Jump(selectors.DefaultSelector):
    """Looks for events without waiting; where a loop would have waited, time jumps instead."""

    loop: VirtualLoop | None = None

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(None)
        events = super().select(0)
        if not events and timeout > 0 and self.loop is not None:
            self.loop.jump(timeout)
        return events


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time begins at 0 and passes only when everybody sleeps: hours of
    simulated requests take no time, and equal inputs give equal times to the nanosecond.

    For code that waits by asyncio alone. A network or a thread would be late by hours.
    """

    def __init__(self) -> None:
        selector = _Jump()
        self._virtual = 0.0
        super().__init__(selector)
        selector.loop = self

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._virtual

    def jump(self, seconds: float) -> None:
        """Lets this much time pass at once."""
        self._virtual = round(self._virtual + seconds, DIGITS)


def run_virtually(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """The coroutine's result, in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(coroutine)

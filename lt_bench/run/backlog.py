"""Answers that wait for their scores while the model goes on answering."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Final, ParamSpec, Self

Given = ParamSpec("Given")

ROOM: Final = 64
"""Jobs that may wait although every place is taken: an answer that has come must not wait for the
scores of those before it, or the next request goes out too late."""

TURN: Final = 0.001
"""Seconds of work after which others have their turn."""


class Backlog:
    """Runs at most `size` jobs at once, in the order in which they were added. `add` waits while
    `ROOM` jobs wait, so that no more answers than that are held back; leaving the block waits for all.

    The first job that raises ends the block with its error, and cancels the others.
    """

    def __init__(self, size: int) -> None:
        self._size, self._working = size, 0
        self._jobs: deque[Callable[[], Awaitable[None]]] = deque()
        self._room = asyncio.Semaphore(ROOM)
        self._group = asyncio.TaskGroup()

    async def add(
        self, job: Callable[Given, Awaitable[None]], *args: Given.args, **kwargs: Given.kwargs
    ) -> None:
        """Has `job(*args, **kwargs)` done as soon as there is a place for it."""
        await self._room.acquire()
        self._jobs.append(lambda: job(*args, **kwargs))
        if self._working < self._size:
            self._working += 1
            self._group.create_task(self._work())

    async def _work(self) -> None:
        """Does jobs until none waits."""
        since = time.perf_counter()
        try:
            while self._jobs:
                job = self._jobs.popleft()
                self._room.release()
                await job()
                if time.perf_counter() - since > TURN:
                    # Whatever else is due goes first: answers to be taken in, requests to be sent.
                    await asyncio.sleep(0)
                    since = time.perf_counter()
        finally:
            self._working -= 1

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            await self._group.__aexit__(kind, error, trace)
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

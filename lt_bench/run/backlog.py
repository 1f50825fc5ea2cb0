"""Answers that wait for their scores while the model goes on answering."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import ParamSpec, Self

Given = ParamSpec("Given")


class Backlog:
    """Runs at most `size` jobs at once. `add` waits for a free place, so that no more than that many
    answers are held back; leaving the block waits for all of them.

    The first job that raises ends the block with its error, and cancels the others.
    """

    def __init__(self, size: int) -> None:
        self._places = asyncio.Semaphore(size)
        self._group = asyncio.TaskGroup()

    async def add(
        self, job: Callable[Given, Awaitable[None]], *args: Given.args, **kwargs: Given.kwargs
    ) -> None:
        """Starts `job(*args, **kwargs)` as soon as there is a place for it."""
        await self._places.acquire()

        async def run() -> None:
            try:
                await job(*args, **kwargs)
            finally:
                self._places.release()

        self._group.create_task(run())

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

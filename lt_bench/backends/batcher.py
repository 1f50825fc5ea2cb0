"""Single questions in, batches of similar length out: what a local engine stands behind.

    batcher = Batcher(decode, size=16)
    answer = await batcher.submit(item, key="greedy", length=len(prompt))

`decode` runs in one worker thread, one batch at a time, so that the event loop stays alive and
the model is never used by two threads.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from lt_bench.errors import LtBenchError, RowError

Item = TypeVar("Item")
Result = TypeVar("Result")

log = logging.getLogger(__name__)


@dataclass(eq=False)
class Ticket(Generic[Item, Result]):
    """One waiting question and the place its answer goes to."""

    item: Item
    key: Hashable
    length: int
    future: asyncio.Future[Result] = field(repr=False)

    @property
    def settled(self) -> bool:
        """The answer was given, or nobody waits for it any more. May be read from the worker
        thread."""
        return self.future.done()

    def answer(self, result: Result) -> None:
        """Hands the answer over while the rest of the batch goes on; safe from the worker thread.
        What `work` returns for this ticket later is ignored."""
        self.future.get_loop().call_soon_threadsafe(_deliver, self, result)


Work = Callable[[Sequence[Ticket[Item, Result]]], Sequence[Result | LtBenchError]]
"""Answers of one batch, in its order; an error in an answer's place fails that row alone."""


def pick(waiting: Sequence[Ticket[Item, Result]], size: int) -> list[Ticket[Item, Result]]:
    """At most `size` tickets to run next: one key, neighbours in length, the oldest among them.

    The waiting tickets of the oldest one's key are sorted by length and cut into blocks of
    `size`; its block is taken. So nobody waits for ever, and only the last block can be short.
    """
    oldest = waiting[0]
    group = sorted(
        (ticket for ticket in waiting if ticket.key == oldest.key), key=lambda each: each.length
    )
    place = next(index for index, ticket in enumerate(group) if ticket is oldest)
    start = min(place // size * size, max(0, len(group) - size))
    return group[start : start + size]


class Batcher(Generic[Item, Result]):
    """Gathers submitted items into batches for `work` and hands each answer back to its caller.

    `size`: rows a batch; `linger`: seconds to wait for more callers while they keep coming.
    """

    def __init__(self, work: Work[Item, Result], *, size: int, linger: float = 0.005) -> None:
        self._work, self._size, self._linger = work, size, linger
        self._waiting: list[Ticket[Item, Result]] = []
        self._running: Sequence[Ticket[Item, Result]] = ()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="lt-bench-engine")
        self._loop: asyncio.Task[None] | None = None
        self._closed = False

    async def submit(self, item: Item, *, key: Hashable, length: int) -> Result:
        """The answer to `item`; only items of one `key` share a batch.

        Raises:
            LtBenchError: what `work` said of this row, or of its whole batch.
        """
        if self._closed:
            raise RuntimeError("the batcher is closed")
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append(Ticket(item, key, length, future))
        if self._loop is None or self._loop.done():
            self._loop = asyncio.create_task(self._serve())
        return await future

    async def close(self) -> None:
        """Drop what waits, cancel what runs, and return once the worker thread is idle."""
        self._closed = True
        for ticket in (*self._waiting, *self._running):
            ticket.future.cancel()
        if self._loop is not None:
            await asyncio.gather(self._loop, return_exceptions=True)
        self._thread.shutdown(wait=True)

    async def _serve(self) -> None:
        """Run batches until nobody waits; the next `submit` starts again."""
        loop = asyncio.get_running_loop()
        while True:
            await self._gather()
            if not self._waiting:
                return
            batch = pick(self._waiting, self._size)
            chosen = {id(ticket) for ticket in batch}
            self._waiting = [each for each in self._waiting if id(each) not in chosen]
            self._running = batch
            answers = await loop.run_in_executor(self._thread, self._answers, batch)
            self._running = ()
            for ticket, answer in zip(batch, answers, strict=True):
                _deliver(ticket, answer)

    async def _gather(self) -> None:
        """Let callers that are about to ask do so, then forget those that have gone."""
        seen = -1
        while len(self._waiting) != seen:
            seen = len(self._waiting)
            await asyncio.sleep(self._linger)
        self._waiting = [ticket for ticket in self._waiting if not ticket.settled]

    def _answers(self, batch: Sequence[Ticket[Item, Result]]) -> Sequence[Result | LtBenchError]:
        """`work` on one batch, in the worker thread; what it raises is every row's answer."""
        try:
            return self._work(batch)
        except LtBenchError as error:
            return [_again(error) for _ in batch]
        except Exception as error:
            log.debug("a batch of %d rows failed", len(batch), exc_info=True)
            return [RowError("model", f"{type(error).__name__}: {error}") for _ in batch]


def _again(error: LtBenchError) -> LtBenchError:
    """An equal error of its own, so that rows do not share one traceback."""
    if isinstance(error, RowError):
        return RowError(error.kind, error.cause, error.attempts)
    return type(error)(error.cause, error.fix)


def _deliver(ticket: Ticket[Item, Result], answer: Result | LtBenchError) -> None:
    if ticket.future.done():
        return
    if isinstance(answer, LtBenchError):
        ticket.future.set_exception(answer)
    else:
        ticket.future.set_result(answer)

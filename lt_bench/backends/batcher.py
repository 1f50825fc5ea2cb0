"""Single questions in, batches of similar length out: what a local engine stands behind.

    batcher = Batcher(decode, size=16)
    answer = await batcher.submit(item, key="greedy", length=len(prompt))

`decode` runs in one worker thread, one batch at a time, so that the event loop stays alive and
the model is never used by two threads. While a batch runs, `batch.more(4)` brings further tickets
that fit to it, so that the places of finished rows are filled at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar, overload

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

    def answer(self, result: Result | LtBenchError) -> None:
        """Hands the answer over while the rest of the batch goes on; safe from the worker thread.
        What `work` returns for this ticket later is ignored."""
        self.future.get_loop().call_soon_threadsafe(_deliver, self, result)


class Batch(Sequence[Ticket[Item, Result]]):
    """The tickets that a run of `work` begins with, and the way to further ones."""

    def __init__(
        self,
        first: Sequence[Ticket[Item, Result]],
        take: Callable[[Hashable, int], list[Ticket[Item, Result]]],
    ) -> None:
        self.first, self.joined = tuple(first), list[Ticket[Item, Result]]()
        self._take = take

    def more(self, count: int) -> list[Ticket[Item, Result]]:
        """At most `count` waiting tickets of this batch's key, to be answered by `Ticket.answer`.
        None while an older ticket of another key waits: it would wait for ever. May be called
        from the worker thread."""
        joined = self._take(self.first[0].key, count)
        self.joined += joined
        return joined

    @property
    def everyone(self) -> list[Ticket[Item, Result]]:
        """All tickets so far."""
        return [*self.first, *self.joined]

    @overload
    def __getitem__(self, index: int) -> Ticket[Item, Result]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Ticket[Item, Result]]: ...
    def __getitem__(
        self, index: int | slice
    ) -> Ticket[Item, Result] | Sequence[Ticket[Item, Result]]:
        return self.first[index]

    def __len__(self) -> int:
        return len(self.first)


Work = Callable[[Batch[Item, Result]], Sequence[Result | LtBenchError]]
"""Answers of the tickets a batch began with, in its order; an error in an answer's place fails that
row alone."""


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
        self._lock = Lock()  # over `_waiting`, which the worker thread takes from
        self._running: Batch[Item, Result] | None = None
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
        with self._lock:
            self._waiting.append(Ticket(item, key, length, future))
        if self._loop is None or self._loop.done():
            self._loop = asyncio.create_task(self._serve())
        return await future

    async def close(self) -> None:
        """Drop what waits, cancel what runs, and return once the worker thread is idle."""
        self._closed = True
        with self._lock:
            running = self._running.everyone if self._running is not None else []
            for ticket in (*self._waiting, *running):
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
            batch = Batch(self._pick(self._size), self._take)
            self._running = batch
            answers = await loop.run_in_executor(self._thread, self._answers, batch)
            self._running = None
            for ticket, answer in zip(batch.everyone, answers, strict=True):
                _deliver(ticket, answer)

    def _pick(self, count: int) -> list[Ticket[Item, Result]]:
        with self._lock:
            chosen = pick(self._waiting, count)
            taken = {id(ticket) for ticket in chosen}
            self._waiting = [each for each in self._waiting if id(each) not in taken]
            return chosen

    def _take(self, key: Hashable, count: int) -> list[Ticket[Item, Result]]:
        """Tickets that join a running batch of `key`."""
        self._forget_settled()
        if self._closed or count < 1 or not self._waiting or self._waiting[0].key != key:
            return []
        return self._pick(count)

    def _forget_settled(self) -> None:
        with self._lock:
            self._waiting = [ticket for ticket in self._waiting if not ticket.settled]

    async def _gather(self) -> None:
        """Let callers that are about to ask do so, then forget those that have gone."""
        seen = -1
        while len(self._waiting) != seen:
            seen = len(self._waiting)
            await asyncio.sleep(self._linger)
        self._forget_settled()

    def _answers(self, batch: Batch[Item, Result]) -> list[Result | LtBenchError]:
        """`work` on one batch, in the worker thread, an answer for each of its tickets; what it
        raises is every row's answer."""
        try:
            answers = list(self._work(batch))
        except LtBenchError as error:
            return [_again(error) for _ in batch.everyone]
        except Exception as error:
            log.debug("a batch of %d rows failed", len(batch.everyone), exc_info=True)
            cause = f"{type(error).__name__}: {error}"
            return [RowError("model", cause) for _ in batch.everyone]
        return answers + [RowError("model", "left without an answer") for _ in batch.joined]


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

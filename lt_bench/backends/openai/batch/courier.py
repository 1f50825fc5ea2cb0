"""Brings requests to the Batch API and their answers back: new batches, and those of a command that died."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Collection, Iterator
from itertools import islice
from typing import Final

from lt_bench.backends.openai.batch.api import BatchApi
from lt_bench.backends.openai.batch.asked import Asked, body_of
from lt_bench.backends.openai.batch.batches import path_of
from lt_bench.backends.openai.batch.calls import Full
from lt_bench.backends.openai.batch.entry import Entry
from lt_bench.backends.openai.batch.ledger import Ledger
from lt_bench.backends.openai.batch.lines import request_line
from lt_bench.backends.openai.batch.spool import Spool, spools
from lt_bench.backends.openai.batch.state import BatchState
from lt_bench.backends.openai.batch.watch import FIRST_PAUSE, Watch, unknown
from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.errors import RunError

log = logging.getLogger(__name__)

AFTERWARDS: Final = 0.1
"""Seconds in which the last answers are written down before the run is ended."""


class Courier:
    """Every request that is handed over gets its answer or an error; nothing is raised to the caller."""

    def __init__(self, api: BatchApi, ledger: Ledger, options: OpenAIOptions, model: str) -> None:
        self._api, self._ledger, self._options, self._model = api, ledger, options, model
        self._watch = Watch(api, options)
        self._tasks: set[asyncio.Task[None]] = set()
        self._lane = asyncio.Lock()

    @property
    def left_behind(self) -> list[str]:
        """The batches that the server goes on with when nobody waits any more."""
        return self._watch.left_behind

    def take(self, asked: list[Asked]) -> None:
        """Starts on these requests."""
        self._start(self._begin(asked), asked)

    async def close(self) -> None:
        """Stops waiting; what is at the server stays there."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, work: Awaitable[None], asked: Collection[Asked]) -> None:
        task = asyncio.ensure_future(self._guarded(work, asked))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Awaitable[None], asked: Collection[Asked]) -> None:
        """Whoever waits learns of whatever goes wrong."""
        try:
            await work
        except Exception as error:  # noqa: BLE001 - it is raised where the answer is awaited
            for one in asked:
                one.fail(error)

    # --- Out ---------------------------------------------------------------------------------

    async def _begin(self, asked: list[Asked]) -> None:
        """Goes on with the batches that hold some of these, and sends the others."""
        left = {one.id: one for one in asked}
        for entry, names in self._ledger.holding(left).items():
            waiting = {name: left.pop(name) for name in names}
            for one in waiting.values():
                entry.recall(one)
            if entry.batch:
                hours = (time.time() - entry.made) / 3600
                say = "going on with %s, begun %.1f hours ago, for %d requests"
                log.info(say, entry.batch, hours, len(waiting))
            self._start(self._go_on(entry, waiting), waiting.values())
        await self._send(list(left.values()))

    async def _go_on(self, entry: Entry, waiting: dict[str, Asked]) -> None:
        """A batch of which it is not known how far it came."""
        if entry.batch:
            state = await self._api.batches.retrieve(entry.batch)
            if state is None:
                raise unknown(self._api.shown, entry, len(waiting))
        else:
            # Without a file, nothing was asked for.
            state = await self._find(entry) if entry.file else None
            if state is None:
                self._ledger.drop(entry)
                await self._send(list(waiting.values()))
                return
            entry.created(state.id)
            log.info("%s was found at the server again", state.id)
        await self._followed(entry, state, waiting)

    async def _find(self, entry: Entry) -> BatchState | None:
        asked = entry.path.stat().st_mtime
        return await self._api.batches.find(entry.tag, entry.made, asked)

    async def _send(self, asked: list[Asked]) -> None:
        """Makes new batches of these."""
        for spool in self._cut(asked, self._options.batch_requests):
            try:
                entry, state = await self._submit(spool)
            except Full as full:
                self._start(self._one_by_one(spool.asked, full.told), spool.asked)
            else:
                waiting = {one.id: one for one in spool.asked}
                self._start(self._followed(entry, state, waiting), spool.asked)

    def _cut(self, asked: list[Asked], requests: int) -> Iterator[Spool]:
        folder, size = self._ledger.folder, self._options.batch_bytes
        return spools(asked, self._line, folder=folder, requests=requests, size=size)

    def _line(self, one: Asked) -> bytes:
        dialect = self._api.server.dialect
        body = body_of(self._model, one.request, dialect, self._options.extra_body)
        return request_line(one.id, path_of(self._options), body)

    async def _submit(self, spool: Spool) -> tuple[Entry, BatchState]:
        """Makes one batch.

        Raises:
            Full: the server takes none for now.
        """
        asked = spool.asked
        entry = self._ledger.begin(asked, self._api.server.dialect)
        try:
            with spool.file:
                file = await self._api.files.upload(spool.file, f"{entry.tag}.jsonl", spool.size)
        except RunError:
            self._ledger.drop(entry)
            raise
        entry.uploaded(file)
        try:
            state = await self._api.batches.create(entry.file, entry.tag)
        except Full:
            self._ledger.drop(entry)
            raise
        entry.created(state.id)
        log.info(
            "%s: %d requests sent to %s (%.1f MB); answers within 24 hours",
            *(state.id, len(asked), self._api.shown, spool.size / 1e6),
        )
        return entry, state

    async def _one_by_one(self, asked: list[Asked], told: str) -> None:
        """For a server that takes no more at once: a batch when the one before it has ended, and a
        smaller one where it is too large alone."""
        log.info("%d requests wait until there is room: %s", len(asked), told)
        left, size, tries = asked, len(asked), 0
        async with self._lane:
            while left:
                await self._watch.idle()
                (spool, *_) = islice(self._cut(left, size), 1)
                try:
                    entry, state = await self._submit(spool)
                    waiting = {one.id: one for one in spool.asked}
                    await self._carry(entry, state, waiting)
                except Full as full:
                    if self._watch.busy:
                        continue
                    tries = tries + 1 if len(spool.asked) == 1 else 0
                    if tries >= self._options.max_attempts:
                        raise self._no_room(full.told) from None
                    size = max(1, len(spool.asked) // 2)
                    say = "a batch of %d is too large (%s): trying %d"
                    log.info(say, len(spool.asked), full.told, size)
                    await asyncio.sleep(min(FIRST_PAUSE * 2**tries, self._options.batch_poll))
                else:
                    left, tries = left[len(spool.asked) :], 0

    def _no_room(self, told: str) -> RunError:
        return RunError(
            f"{self._api.shown} takes no batch, not even of one request: {told}",
            "wait until other batches of your account have ended, then run the same command again",
        )

    # --- Back --------------------------------------------------------------------------------

    async def _followed(self, entry: Entry, state: BatchState, waiting: dict[str, Asked]) -> None:
        try:
            await self._carry(entry, state, waiting)
        except Full as full:
            await self._one_by_one(list(waiting.values()), full.told)

    async def _carry(self, entry: Entry, state: BatchState, waiting: dict[str, Asked]) -> None:
        """Follows a batch, and asks again where that may help, unless the run is over.

        Raises:
            Full: the server has put it off.
            RunError: the run is over.
        """
        try:
            outcome = await self._watch.follow(entry, state, waiting)
        except Full:
            self._ledger.drop(entry)
            raise
        if outcome.end is None:
            await self._send(outcome.again)
        if outcome.void:
            self._ledger.drop(entry)
        if outcome.end is not None:
            await asyncio.sleep(AFTERWARDS)
            raise outcome.end

"""Brings requests to the Batch API and their answers back: new batches, and those of a command that died."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Collection, Iterator
from itertools import islice
from typing import Final

from lt_bench.backends.openai.batch.api import BatchApi, FileGone, Full
from lt_bench.backends.openai.batch.asked import Asked, body_of
from lt_bench.backends.openai.batch.ledger import Entry, Ledger
from lt_bench.backends.openai.batch.lines import request_line
from lt_bench.backends.openai.batch.results import Results
from lt_bench.backends.openai.batch.spool import Spool, spools
from lt_bench.backends.openai.batch.state import BatchState
from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.backends.openai.rejection import Rejection
from lt_bench.errors import RunError

log = logging.getLogger(__name__)

SETTLED: Final = 10.0
"""Seconds after which a batch that was created is in the server's list."""
FULL: Final = ("token_limit_exceeded",)
"""Codes of a batch that the server puts off for its size, or for others that it is working on."""
FIRST_PAUSE: Final = 2.0
GROWTH: Final = 1.5
"""Between two looks at a batch: seconds at first, and by how much each pause is longer."""
AFTERWARDS: Final = 0.1
"""Seconds in which the last answers are written down before the run is ended."""
TOLD: Final = 0.1
"""Share of a batch that is news."""


class Courier:
    """Every request that is handed over gets its answer or an error; nothing is raised to the caller.
    `left_behind` are the batches that the server goes on with when nobody waits any more."""

    def __init__(self, api: BatchApi, ledger: Ledger, options: OpenAIOptions, model: str) -> None:
        self._api, self._ledger, self._options, self._model = api, ledger, options, model
        self._tasks: set[asyncio.Task[None]] = set()
        self._under_way: dict[Entry, asyncio.Event] = {}
        self._lane = asyncio.Lock()
        self.left_behind: list[str] = []

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
            state = await self._api.retrieve(entry.batch)
            if state is None:
                raise RunError(
                    f"{self._shown} does not know {entry.batch}, which was asked for "
                    f"{len(waiting)} of these rows",
                    "use the key and the project that began it; or, to ask and pay for them again, "
                    f"delete {entry.path}",
                )
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
        state = await self._api.find(entry.tag, entry.made)
        age = time.time() - entry.path.stat().st_mtime
        if state is None and age < SETTLED:
            await asyncio.sleep(SETTLED - age)
            state = await self._api.find(entry.tag, entry.made)
        return state

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
        return request_line(one.id, self._api.path, body)

    async def _submit(self, spool: Spool) -> tuple[Entry, BatchState]:
        """Makes one batch.

        Raises:
            Full: the server takes none for now.
        """
        asked = spool.asked
        entry = self._ledger.begin(asked, self._api.server.dialect)
        try:
            with spool.file:
                file = await self._api.upload(spool.file, f"{entry.tag}.jsonl", spool.size)
        except RunError:
            self._ledger.drop(entry)
            raise
        entry.uploaded(file)
        try:
            state = await self._api.create(entry.file, entry.tag)
        except Full:
            self._ledger.drop(entry)
            raise
        entry.created(state.id)
        log.info(
            "%s: %d requests sent to %s (%.1f MB); answers within 24 hours",
            *(state.id, len(asked), self._shown, spool.size / 1e6),
        )
        return entry, state

    async def _one_by_one(self, asked: list[Asked], told: str) -> None:
        """For a server that takes no more at once: a batch when the one before it has ended, and a
        smaller one where it is too large alone."""
        log.info("%d requests wait until there is room: %s", len(asked), told)
        left, size, tries = asked, len(asked), 0
        async with self._lane:
            while left:
                await self._alone()
                (spool, *_) = islice(self._cut(left, size), 1)
                try:
                    entry, state = await self._submit(spool)
                    waiting = {one.id: one for one in spool.asked}
                    await self._follow(entry, state, waiting)
                except Full as full:
                    if self._under_way:
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

    async def _alone(self) -> None:
        """Waits until no batch of this process is under way."""
        while self._under_way:
            await next(iter(self._under_way.values())).wait()

    def _no_room(self, told: str) -> RunError:
        return RunError(
            f"{self._shown} takes no batch, not even of one request: {told}",
            "wait until other batches of your account have ended, then run the same command again",
        )

    # --- Back --------------------------------------------------------------------------------

    async def _followed(self, entry: Entry, state: BatchState, waiting: dict[str, Asked]) -> None:
        try:
            await self._follow(entry, state, waiting)
        except Full as full:
            await self._one_by_one(list(waiting.values()), full.told)

    async def _follow(self, entry: Entry, state: BatchState, waiting: dict[str, Asked]) -> None:
        """Waits for the end of a batch and hands out what came of it.

        Raises:
            Full: the server has put it off.
            RunError: the run is over.
        """
        ended = self._under_way[entry] = asyncio.Event()
        try:
            state = await self._ended(state)
        except BaseException:
            self.left_behind.append(state.id)
            raise
        finally:
            self._under_way.pop(entry, None)
            ended.set()
        if state.status == "failed":
            await self._failed(entry, state, waiting)
            return
        results = Results(entry, waiting, self._api, self._options)
        await self._read(results, state)
        again = await results.rest(state)
        await self._finish(results, again)

    async def _finish(self, results: Results, again: list[Asked]) -> None:
        """Asks again where that may help, unless the run is over."""
        if results.end is not None:
            await asyncio.sleep(AFTERWARDS)
            raise results.end
        await self._send(again)

    async def _ended(self, state: BatchState) -> BatchState:
        pause, told = FIRST_PAUSE, (state.status, 0.0)
        while state.at_work:
            share = state.ended / state.total if state.total else 0.0
            if state.status != told[0] or share >= told[1] + TOLD:
                told = (state.status, share)
                log.info("%s: %s, %d of %d", state.id, state.status, state.ended, state.total)
            await asyncio.sleep(min(pause, self._options.batch_poll))
            pause *= GROWTH
            newer = await self._api.retrieve(state.id)
            if newer is None:
                raise RunError(
                    f"{self._shown} does not know {state.id} any more",
                    "was it deleted there? the same command asks for its rows again once its file "
                    f"in {self._ledger.folder} is deleted",
                )
            state = newer
        log.info("%s: %s, %d of %d", state.id, state.status, state.ended, state.total)
        return state

    async def _read(self, results: Results, state: BatchState) -> None:
        """The good answers first: a refusal means less where others were answered."""
        for file in filter(None, (state.output, state.errors)):
            try:
                await self._api.read(file, results.take)
            except FileGone:
                log.warning("%s: the server has its file %s no more", state.id, file)
        await results.hand_out()

    async def _failed(self, entry: Entry, state: BatchState, waiting: dict[str, Asked]) -> None:
        """The server looked at a batch and did not begin it, so that nothing of it is paid."""
        full = next((one for one in state.faults if one.rejection.code in FULL), None)
        if full is not None:
            self._ledger.drop(entry)
            raise Full(self._clean(full.rejection))
        results = Results(entry, waiting, self._api, self._options)
        blamed = {one.line: one.rejection for one in state.faults if one.line}
        whole = next((one.rejection for one in state.faults if not one.line), None)
        names = {entry.ids[line - 1]: why for line, why in blamed.items() if line <= len(entry.ids)}
        adapted = whole is not None and results.adapts(whole)
        if not names and not adapted:
            self._ledger.drop(entry)
            raise self._refused(state, whole)
        for name, why in names.items():
            results.refuse(name, why)
        await results.hand_out()
        said = self._clean(state.faults[0].rejection)
        log.warning("%s failed and is made anew: %s", state.id, said)
        await self._finish(results, [*results.again, *results.waiting.values()])
        self._ledger.drop(entry)

    def _refused(self, state: BatchState, why: Rejection | None) -> RunError:
        said = self._clean(why) if why else "no reason given"
        end = self._api.end_of(why) if why else None
        return end or RunError(
            f"{state.id} failed before it began: {said}",
            "mend the cause, then run the same command again: it makes a new batch",
        )

    def _clean(self, why: Rejection) -> str:
        """The server's words, without a key that it may have echoed."""
        return self._api.server.endpoint.redacted(why.message)

    @property
    def _shown(self) -> str:
        return self._api.server.endpoint.shown

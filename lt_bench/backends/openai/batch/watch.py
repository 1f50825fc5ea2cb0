"""Watches one batch to its end, and tells what came of it."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import Final

from lt_bench.backends.openai.batch.api import BatchApi
from lt_bench.backends.openai.batch.asked import Asked
from lt_bench.backends.openai.batch.calls import Away, Full
from lt_bench.backends.openai.batch.entry import Entry
from lt_bench.backends.openai.batch.files import FileGone
from lt_bench.backends.openai.batch.results import Results
from lt_bench.backends.openai.batch.state import BatchState
from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.backends.openai.rejection import Rejection
from lt_bench.errors import RunError

log = logging.getLogger(__name__)

FULL: Final = ("token_limit_exceeded",)
"""Codes of a batch that the server puts off for its size, or for others that it is working on."""
FIRST_PAUSE: Final = 2.0
GROWTH: Final = 1.5
"""Between two looks at a batch: seconds at first, and by how much each pause is longer."""
AWAY: Final = 3600.0
"""Seconds for which a server that fails at every look is waited for: the batch goes on meanwhile."""
DUE: Final = 25 * 3600.0
"""Seconds after which a batch is late: a day is what it was made for."""
WORKING: Final = frozenset(
    ("validating", "queued", "pending", "running", "in_progress", "finalizing", "cancelling")
)
"""What servers call a batch that is not done; after another word one may wait in vain."""
READ_AGAIN: Final = 1.0
"""Seconds after which files are read again that lack what the server counts."""
TOLD: Final = 0.1
"""Share of a batch that is news."""


@dataclass(frozen=True)
class Outcome:
    """What is left of a batch: requests for another one, or the run's `end`. `void`: the server never
    began it, so that nothing of it is paid."""

    again: list[Asked]
    end: RunError | None = None
    void: bool = False


class Unknown(RunError):
    """The server does not have a batch that it had."""


def unknown(shown: str, entry: Entry, waiting: int) -> Unknown:
    """Only the user can tell whether the rows that still wait for this batch may be paid again."""
    return Unknown(
        f"{shown} does not know {entry.batch}, which was asked for {waiting} of these rows",
        "use the key and the project that began it; or, to ask and pay for them again, "
        f"delete {entry.path}",
    )


class Watch:
    """Follows batches. `left_behind` are those that the server goes on with when nobody waits any more."""

    def __init__(self, api: BatchApi, options: OpenAIOptions) -> None:
        self._api, self._options = api, options
        self._under_way: dict[Entry, asyncio.Event] = {}
        self.left_behind: list[str] = []

    @property
    def busy(self) -> bool:
        """Some batch of this process is under way."""
        return bool(self._under_way)

    async def idle(self) -> None:
        """Waits until none is."""
        while self._under_way:
            await next(iter(self._under_way.values())).wait()

    async def follow(self, entry: Entry, state: BatchState, waiting: dict[str, Asked]) -> Outcome:
        """Waits for the end of a batch and hands out its answers.

        Raises:
            Full: the server has put it off.
            RunError: it cannot be followed, or the server refuses it whole.
        """
        ended = self._under_way[entry] = asyncio.Event()
        try:
            state = await self._ended(entry, state, len(waiting))
        except Unknown:
            raise
        except BaseException:
            self.left_behind.append(state.id)
            raise
        finally:
            self._under_way.pop(entry, None)
            ended.set()
        results = Results(entry, waiting, self._api, self._options)
        if state.status == "failed" and not state.output:
            return await self._failed(entry, results, state)
        await self._read(results, state)
        return Outcome(await results.rest(state), results.end)

    async def _ended(self, entry: Entry, state: BatchState, waiting: int) -> BatchState:
        pause, told, late = FIRST_PAUSE, (state.status, 0.0), False
        self._wonder(state)
        while state.at_work:
            share = state.ended / state.total if state.total else 0.0
            if state.status != told[0] or share >= told[1] + TOLD:
                told = (state.status, share)
                log.info("%s: %s, %d of %d", state.id, state.status, state.ended, state.total)
                self._wonder(state)
            age = time.time() - entry.made
            if age > DUE and not late:
                late = True
                say = "%s is still %r after %.0f hours, and a day was asked for; cancelled at the server, "
                say += "it keeps the answers that it has"
                log.warning(say, state.id, state.status, age / 3600)
            await asyncio.sleep(min(pause, self._options.batch_poll))
            pause *= GROWTH
            state = await self._look(entry, waiting)
        log.info("%s: %s, %d of %d", state.id, state.status, state.ended, state.total)
        return state

    def _wonder(self, state: BatchState) -> None:
        if state.at_work and state.status not in WORKING:
            say = "%s is %r, which is no word for a batch: waiting until it is completed"
            log.warning(say, state.id, state.status)

    async def _look(self, entry: Entry, waiting: int) -> BatchState:
        """A server that is away for a while does not end a wait of hours."""
        since, told = time.monotonic(), False
        while True:
            try:
                state = await self._api.batches.retrieve(entry.batch)
            except Away as away:
                if time.monotonic() - since > AWAY:
                    raise
                if not told:
                    log.warning("%s; still waiting for %s", away.cause, entry.batch)
                told = True
                await asyncio.sleep(self._options.batch_poll)
            else:
                if state is None:
                    raise unknown(self._api.shown, entry, waiting)
                return state

    async def _read(self, results: Results, state: BatchState) -> None:
        """The files of a batch; again where they tell less than the server counts."""
        await self._read_once(results, state)
        if state.status == "completed" and results.told < state.ended:
            await asyncio.sleep(READ_AGAIN)
            await self._read_once(results, state)
            if not results.told:
                results.lack(state)
        await results.hand_out()

    async def _read_once(self, results: Results, state: BatchState) -> None:
        """The good answers first: a refusal means less where others were answered."""
        for file in filter(None, (state.output, state.errors)):
            try:
                await self._api.files.read(file, results.take)
            except FileGone:
                results.lost(file)

    async def _failed(self, entry: Entry, results: Results, state: BatchState) -> Outcome:
        """The server looked at a batch and did not begin it.

        Raises:
            Full: it is too much for now.
        """
        full = next((one for one in state.faults if one.rejection.code in FULL), None)
        if full is not None:
            raise Full(self._api.clean(full.rejection))
        blamed = {one.line: one.rejection for one in state.faults if one.line}
        whole = next((one.rejection for one in state.faults if not one.line), None)
        names = {entry.ids[line - 1]: why for line, why in blamed.items() if line <= len(entry.ids)}
        adapted = whole is not None and results.adapts(whole)
        if not names and not adapted:
            return Outcome([], self._refused(state, whole), void=True)
        for name, why in names.items():
            results.refuse(name, why)
        await results.hand_out()
        said = self._api.clean(state.faults[0].rejection)
        log.warning("%s failed and is made anew: %s", state.id, said)
        return Outcome([*results.again, *results.waiting.values()], results.end, void=True)

    def _refused(self, state: BatchState, why: Rejection | None) -> RunError:
        said = self._api.clean(why) if why else "no reason given"
        end = self._api.end_of(why) if why else None
        return end or RunError(
            f"{state.id} failed before it began: {said}",
            "mend the cause, then run the same command again: it makes a new batch",
        )

"""Batches at the server: made, found again, looked at."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Final

from lt_bench.backends.openai.batch.calls import GOES_ON, Away, Calls, Full
from lt_bench.backends.openai.batch.state import TAG, BatchState, state_of, states_of
from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.backends.openai.rejection import Rejected, Rejection
from lt_bench.backends.openai.sdk.clients import AZURE
from lt_bench.backends.retry import Fault

PAGE: Final = 100
"""Batches that are listed at once."""
SKEW: Final = 86400.0
"""Seconds by which the server's clock may differ from ours."""
SETTLED: Final = 10.0
"""Seconds after which a batch that was created is in the server's list."""


@dataclass(frozen=True)
class Page:
    """A part of the server's list of batches; `more`: there are others behind it."""

    states: list[BatchState]
    more: bool


def path_of(options: OpenAIOptions) -> str:
    """The path that the requests in a batch are for."""
    return "/chat/completions" if options.client == AZURE else "/v1/chat/completions"


class Batches:
    """The calls under /batches."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._sdk = calls.sdk.batches.with_streaming_response
        self._path = path_of(calls.options)

    async def create(self, file: str, tag: str) -> BatchState:
        """A batch of the requests in `file`. After a call whose end nobody knows, the server is asked
        first whether it has it.

        Raises:
            Full: it takes none for now.
            RunError: it takes none at all.
        """
        unsure, since = 0.0, time.time()

        async def attempt() -> BatchState:
            nonlocal unsure
            if unsure and (found := await self.find(tag, since, unsure)) is not None:
                return found
            try:
                return await self._create(file, tag)
            except Rejected as rejected:
                unsure = time.time() if _undecided(rejected.rejection) else unsure
                if _lags(rejected.rejection):
                    raise Fault("server", self._calls.said(rejected.rejection)) from None
                raise
            except Exception:
                unsure = time.time()
                raise

        try:
            return await self._calls.patiently(attempt, "create", full=True)
        except Full as full:
            if unsure:  # it may have been made before
                raise Away(f"{self._calls.shown}: {full.told}", GOES_ON) from None
            raise
        except Rejected as rejected:
            raise self._calls.refused("POST /batches", rejected.rejection) from None

    async def _create(self, file: str, tag: str) -> BatchState:
        call = self._sdk.create(
            input_file_id=file,
            endpoint=self._path,
            completion_window="24h",
            metadata={TAG: tag},
            timeout=self._calls.timeout,
        )
        return state_of(await self._calls.json(call))

    async def find(self, tag: str, since: float, asked: float) -> BatchState | None:
        """The batch with this tag, among those that were made after `since`. It may have been asked for
        as late as `asked`, so that the server is given time to list it.

        Raises:
            RunError: the server does not list its batches.
        """
        found = await self._find(tag, since)
        age = time.time() - asked
        if found is None and age < SETTLED:
            await asyncio.sleep(SETTLED - age)
            found = await self._find(tag, since)
        return found

    async def _find(self, tag: str, since: float) -> BatchState | None:
        after = ""
        while True:
            page = await self._page(after)
            found = next((state for state in page.states if state.tag == tag), None)
            if found is not None or not page.states or not page.more:
                return found
            last = page.states[-1]
            if last.made < since - SKEW or last.id == after:
                return None
            after = last.id

    async def _page(self, after: str) -> Page:
        """A page of the server's list of batches, the newest first."""
        where = {"after": after} if after else {}

        async def attempt() -> Page:
            call = self._sdk.list(limit=PAGE, timeout=self._calls.timeout, **where)
            packet = await self._calls.json(call)
            return Page(states_of(packet), bool(packet.get("has_more")))

        try:
            return await self._calls.patiently(attempt, "list")
        except Rejected as rejected:
            raise self._calls.refused("GET /batches", rejected.rejection) from None

    async def retrieve(self, batch: str) -> BatchState | None:
        """The batch as it is now; None where the server does not know it.

        Raises:
            Away: it may tell in a while.
            RunError: the server does not tell.
        """

        async def attempt() -> BatchState:
            return state_of(
                await self._calls.json(self._sdk.retrieve(batch, timeout=self._calls.timeout))
            )

        try:
            return await self._calls.patiently(attempt, "retrieve")
        except Rejected as rejected:
            if rejected.rejection.status == 404:
                return None
            raise self._calls.refused(f"GET /batches/{batch}", rejected.rejection) from None


def _undecided(rejection: Rejection) -> bool:
    """Something on the way has given up; what is behind it may have made the batch."""
    return rejection.status >= 500 or rejection.status == 408


def _lags(rejection: Rejection) -> bool:
    """The server does not see a file yet that it has just taken."""
    words = rejection.words
    lacks = "find" in words or "no such" in words or "not exist" in words
    return rejection.status in (400, 404) and "file" in words and lacks

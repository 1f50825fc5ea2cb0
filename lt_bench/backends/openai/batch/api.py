"""The Batch API's calls, through a client of the openai package: files up, batches, files down."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from typing import IO, Any, Final, TypeVar

import openai

from lt_bench.backends.openai.batch.state import TAG, BatchState, id_of, state_of, states_of
from lt_bench.backends.openai.fatal import fatal_refusal, unreachable
from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.backends.openai.rejection import Rejected, Rejection, excerpt
from lt_bench.backends.openai.sdk.clients import AZURE, Client
from lt_bench.backends.openai.sdk.errors import asking, credentials, reading
from lt_bench.backends.openai.servers import Server
from lt_bench.backends.openai.transport import CONNECT, Disconnected
from lt_bench.backends.openai.wire import decode
from lt_bench.backends.retry import RETRIED, Draws, Fault, Retries
from lt_bench.errors import RowError, RunError

Result = TypeVar("Result")

SLOWEST: Final = 2**17
"""Bytes a second that an upload makes at least, on top of the usual time-out."""
PAGE: Final = 100
"""Batches that are listed at once."""
SKEW: Final = 86400.0
"""Seconds by which the server's clock may differ from ours."""
GOES_ON: Final = "run the same command again: it goes on with the batches that it has begun"
NO_BATCHES: Final = (404, 405, 501)


@dataclass(frozen=True)
class Page:
    """A part of the server's list of batches; `more`: there are others behind it."""

    states: list[BatchState]
    more: bool


class Full(Exception):
    """The server takes no batch for the time being; `told` are its words."""

    def __init__(self, told: str) -> None:
        super().__init__(told)
        self.told = told


class FileGone(Exception):
    """The server does not have a file any more."""


class BatchApi:
    """Each call is tried again within bounds; what remains is a RunError that says how to go on."""

    def __init__(self, client: Client, server: Server, options: OpenAIOptions, model: str) -> None:
        self._sdk, self.server, self._options, self._model = client.sdk, server, options, model
        azure = options.client == AZURE
        self.path = "/chat/completions" if azure else "/v1/chat/completions"
        self._retries = Retries(
            max_attempts=options.max_attempts, base=options.backoff, growth=4.0, max_wait=3600.0
        )
        self._reached = False

    async def close(self) -> None:
        await self._sdk.close()

    async def upload(self, file: IO[bytes], name: str, size: int) -> str:
        """The id of the file, once the server has taken it in.

        Raises:
            RunError: it takes none.
        """

        async def attempt() -> dict[str, Any]:
            file.seek(0)
            call = self._sdk.files.with_streaming_response.create(
                file=(name, file, "application/jsonl"), purpose="batch", timeout=self._timeout
            )
            packet = await self._json(call, size / SLOWEST)
            id_of(packet)
            return packet

        try:
            packet = await self._patiently(attempt, "upload")
            return await self._taken_in(packet)
        except Rejected as rejected:
            raise self._refused("POST /files", rejected.rejection) from None

    async def _taken_in(self, packet: dict[str, Any]) -> str:
        """Some servers look at a file before a batch may be made of it."""
        pause, found = 0.5, id_of(packet)
        call = self._sdk.files.with_streaming_response.retrieve
        while packet.get("status") in ("pending", "running"):
            await asyncio.sleep(min(pause, self._options.batch_poll))
            pause *= 1.5
            packet = await self._patiently(
                lambda: self._json(call(found, timeout=self._timeout)), "file"
            )
        if packet.get("status") == "error":
            told = excerpt(str(packet.get("status_details") or "no reason given"))
            raise RunError(f"{self._shown} refuses the uploaded file: {told}", GOES_ON)
        return found

    async def create(self, file: str, tag: str) -> BatchState:
        """A batch of the requests in `file`. After a call whose end nobody knows, the server is asked
        first whether it has it.

        Raises:
            Full: it takes none for now.
            RunError: it takes none at all.
        """
        unsure, since = False, time.time()

        async def attempt() -> BatchState:
            nonlocal unsure
            if unsure and (found := await self.find(tag, since)) is not None:
                return found
            unsure = True
            call = self._sdk.batches.with_streaming_response.create(
                input_file_id=file,
                endpoint=self.path,
                completion_window="24h",
                metadata={TAG: tag},
                timeout=self._timeout,
            )
            try:
                return state_of(await self._json(call))
            except Rejected as rejected:
                unsure = False
                if _lags(rejected.rejection):
                    raise Fault("server", self._said(rejected.rejection)) from None
                raise

        try:
            return await self._patiently(attempt, "create", full=True)
        except Rejected as rejected:
            raise self._refused("POST /batches", rejected.rejection) from None

    async def find(self, tag: str, since: float) -> BatchState | None:
        """The batch with this tag, among those that were made after `since`.

        Raises:
            RunError: the server does not list its batches.
        """
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
            call = self._sdk.batches.with_streaming_response.list
            packet = await self._json(call(limit=PAGE, timeout=self._timeout, **where))
            return Page(states_of(packet), bool(packet.get("has_more")))

        try:
            return await self._patiently(attempt, "list")
        except Rejected as rejected:
            raise self._refused("GET /batches", rejected.rejection) from None

    async def retrieve(self, batch: str) -> BatchState | None:
        """The batch as it is now; None where the server does not know it.

        Raises:
            RunError: the server does not tell.
        """

        async def attempt() -> BatchState:
            call = self._sdk.batches.with_streaming_response.retrieve
            return state_of(await self._json(call(batch, timeout=self._timeout)))

        try:
            return await self._patiently(attempt, "retrieve")
        except Rejected as rejected:
            if rejected.rejection.status == 404:
                return None
            raise self._refused(f"GET /batches/{batch}", rejected.rejection) from None

    async def read(self, file: str, line: Callable[[bytes], Awaitable[None]]) -> None:
        """Hands each line of a file to `line`; from the beginning again, if the connection breaks.

        Raises:
            FileGone: the server has it no more.
            RunError: it cannot be had.
        """

        async def attempt() -> None:
            async for one in self._lines(file):
                await line(one)

        try:
            await self._patiently(attempt, "read")
        except Rejected as rejected:
            if rejected.rejection.status in (404, 410):
                raise FileGone(file) from None
            raise self._refused(f"GET /files/{file}/content", rejected.rejection) from None

    async def _lines(self, file: str) -> AsyncIterator[bytes]:
        call = self._sdk.files.with_streaming_response.content(file, timeout=self._timeout)
        held: list[bytes] = []
        size = 0
        async with self._response(call) as response, aclosing(response.iter_bytes()) as chunks:
            while (chunk := await self._next(chunks)) is not None:
                head, newline, rest = chunk.partition(b"\n")
                held.append(head)
                size += len(head)
                if size > self._options.max_bytes:
                    raise RunError(f"{file} holds a line larger than {size} bytes", GOES_ON)
                if newline:
                    yield b"".join(held)
                    *lines, last = rest.split(b"\n")
                    for line in lines:
                        yield line
                    held, size = [last], len(last)
        if size:
            yield b"".join(held)

    async def _next(self, chunks: AsyncIterator[bytes]) -> bytes | None:
        try:
            with reading():
                async with asyncio.timeout(self._options.idle_timeout):
                    return await anext(chunks, None)
        except TimeoutError:
            raise Fault("timeout", "the file stopped coming") from None

    async def _json(self, call: Any, more: float = 0.0) -> dict[str, Any]:
        """What a call answers; `more` seconds than usual may go by."""
        body = b""
        try:
            async with (
                asyncio.timeout(self._options.timeout + more),
                self._response(call) as response,
            ):
                with reading():
                    async for chunk in response.iter_bytes():
                        body += chunk
                        if len(body) > self._options.max_bytes:
                            raise Fault("malformed", "the answer is larger than any")
        except TimeoutError:
            raise Fault("timeout", f"no answer within {self._options.timeout:g} s") from None
        return decode(body)

    @asynccontextmanager
    async def _response(self, call: Any) -> AsyncIterator[Any]:
        with asking(self.server):
            response = await call.__aenter__()
        self._reached = True
        self.server.keep_secret(credentials(response.http_request.headers))
        try:
            yield response
        finally:
            await call.__aexit__(None, None, None)

    async def _patiently(
        self, attempt: Callable[[], Awaitable[Result]], what: str, *, full: bool = False
    ) -> Result:
        """`full`: what stays refused as too much is not the end.

        Raises:
            Rejected: another try would be refused as well.
            RunError: every try failed.
        """
        try:
            result, _ = await self._retries.run(lambda: self._once(attempt), Draws(what))
            return result
        except RowError as error:
            if full and error.kind == "rate_limited":
                raise Full(error.cause) from None
            raise RunError(f"{self._shown}: {error.cause}", GOES_ON) from None

    async def _once(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        endpoint = self.server.endpoint
        try:
            return await attempt()
        except Rejected as rejected:
            fault = rejected.rejection.fault()
            if fault.kind not in RETRIED or rejected.rejection.out_of_money:
                raise
            raise Fault(fault.kind, endpoint.redacted(fault.cause), fault.wait) from None
        except Disconnected as lost:
            end = unreachable(lost, endpoint)
            if end is not None and not self._reached:
                raise end from None
            raise Fault("connection", f"the connection failed: {lost.words}") from None

    def _refused(self, call: str, rejection: Rejection) -> RunError:
        """What it means that the server does not take a call."""
        if rejection.status in NO_BATCHES and not rejection.blames_model:
            return RunError(
                f"{self._shown} has no Batch API: {call} answers HTTP {rejection.status}",
                "leave --batch out; OpenAI and Azure have one, and some providers that follow them",
            )
        return self.end_of(rejection) or RunError(
            f"{self._shown} refuses {call}: {self._said(rejection)}", GOES_ON
        )

    def end_of(self, rejection: Rejection) -> RunError | None:
        """The run's end, if no other request could get past this refusal."""
        clean = replace(rejection, message=self.server.endpoint.redacted(rejection.message))
        answered = self.server.has_answered
        return fatal_refusal(clean, self.server.endpoint, self._model, answered=answered)

    def _said(self, rejection: Rejection) -> str:
        return self.server.endpoint.redacted(rejection.fault().cause)

    @property
    def _shown(self) -> str:
        return self.server.endpoint.shown

    @property
    def _timeout(self) -> Any:
        return openai.Timeout(None, connect=CONNECT)


def _lags(rejection: Rejection) -> bool:
    """The server does not see a file yet that it has just taken."""
    words = rejection.words
    lacks = "find" in words or "no such" in words or "not exist" in words
    return rejection.status in (400, 404) and "file" in words and lacks

"""One call to the Batch API through a client of the openai package: tried again within bounds, and its
failures in words that say how to go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any, Final, TypeVar

import openai

from lt_bench.backends.openai.fatal import fatal_refusal, unreachable
from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.backends.openai.rejection import Rejected, Rejection
from lt_bench.backends.openai.sdk.clients import Client
from lt_bench.backends.openai.sdk.errors import asking, credentials, reading
from lt_bench.backends.openai.servers import Server
from lt_bench.backends.openai.transport import CONNECT, Disconnected
from lt_bench.backends.openai.wire import decode
from lt_bench.backends.retry import RETRIED, Draws, Fault, Retries
from lt_bench.errors import RowError, RunError

Result = TypeVar("Result")

GOES_ON: Final = "run the same command again: it goes on with the batches that it has begun"
MEND: Final = "mend the cause, then run the same command again: batches that it has begun are kept"
NO_BATCHES: Final = (404, 405, 501)


class Full(Exception):
    """The server takes no batch for the time being; `told` are its words."""

    def __init__(self, told: str) -> None:
        super().__init__(told)
        self.told = told


class Away(RunError):
    """Every try of a call failed in a way that may be gone in a while."""


class Calls:
    """How every call is made, whatever it is for."""

    def __init__(self, client: Client, server: Server, options: OpenAIOptions, model: str) -> None:
        self.sdk, self.server, self.options, self._model = client.sdk, server, options, model
        self._retries = Retries(
            max_attempts=options.max_attempts, base=options.backoff, growth=4.0, max_wait=3600.0
        )
        self._reached = False

    @property
    def shown(self) -> str:
        return self.server.endpoint.shown

    @property
    def timeout(self) -> Any:
        """Nothing but the connection is timed by the package."""
        return openai.Timeout(None, connect=CONNECT)

    async def json(self, call: Any, more: float = 0.0) -> dict[str, Any]:
        """What a call answers; `more` seconds than usual may go by.

        Raises:
            Fault, Rejected, Disconnected: this try failed.
        """
        body = bytearray()
        try:
            async with (
                asyncio.timeout(self.options.timeout + more),
                self._response(call) as response,
            ):
                with reading():
                    async for chunk in response.iter_bytes():
                        body += chunk
                        if len(body) > self.options.max_bytes:
                            raise Fault("malformed", "the answer is larger than any")
        except TimeoutError:
            raise Fault("timeout", f"no answer within {self.options.timeout:g} s") from None
        return decode(bytes(body))

    async def chunks(self, call: Any) -> AsyncGenerator[bytes, None]:
        """The bytes of a file as they come.

        Raises:
            Fault, Rejected, Disconnected: this try failed.
        """
        async with self._response(call) as response, aclosing(response.iter_bytes()) as chunks:
            while (chunk := await self._next(chunks)) is not None:
                yield chunk

    async def _next(self, chunks: AsyncIterator[bytes]) -> bytes | None:
        try:
            with reading():
                async with asyncio.timeout(self.options.idle_timeout):
                    return await anext(chunks, None)
        except TimeoutError:
            raise Fault("timeout", "the file stopped coming") from None

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

    async def patiently(
        self, attempt: Callable[[], Awaitable[Result]], what: str, *, full: bool = False
    ) -> Result:
        """What an attempt gives in the end. `full`: what stays refused as too much is not the end.

        Raises:
            Rejected: another try would be refused as well.
            Full: as it says.
            Away: every try failed.
            RunError: there is nobody at the address.
        """
        try:
            result, _ = await self._retries.run(lambda: self._once(attempt), Draws(what))
            return result
        except RowError as error:
            if full and error.kind == "rate_limited":
                raise Full(error.cause) from None
            raise Away(f"{self.shown}: {error.cause}", GOES_ON) from None

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

    def refused(self, call: str, rejection: Rejection) -> RunError:
        """What it means that the server does not take a call."""
        if rejection.status in NO_BATCHES and not rejection.blames_model:
            return RunError(
                f"{self.shown} has no Batch API: {call} answers HTTP {rejection.status}",
                "leave --batch out; OpenAI and Azure have one, and some providers that follow them",
            )
        return self.end_of(rejection) or RunError(
            f"{self.shown} refuses {call}: {self.said(rejection)}", MEND
        )

    def end_of(self, rejection: Rejection) -> RunError | None:
        """The run's end, if no other request could get past this refusal."""
        clean = replace(rejection, message=self.server.endpoint.redacted(rejection.message))
        answered = self.server.has_answered
        return fatal_refusal(clean, self.server.endpoint, self._model, answered=answered)

    def said(self, rejection: Rejection) -> str:
        """The server's words, without a key that it may have echoed."""
        return self.server.endpoint.redacted(rejection.fault().cause)

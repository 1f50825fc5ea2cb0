"""`openai/NAME`: any server that speaks the chat-completions protocol, asked over aiohttp."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from dataclasses import replace
from typing import Any, Self

import aiohttp
from pydantic import Field

from lt_bench.backends.base import ModelFacts, Request
from lt_bench.backends.counts import counted
from lt_bench.backends.openai.dialect import Dialect, check_extra, payload
from lt_bench.backends.openai.endpoint import OPENAI, open_endpoint
from lt_bench.backends.openai.fatal import disconnection, fatal_refusal, unreachable
from lt_bench.backends.openai.reception import Reception
from lt_bench.backends.openai.rejection import Rejected, Rejection, read_rejection
from lt_bench.backends.openai.wire import Answer
from lt_bench.backends.retry import Fault, Retries
from lt_bench.backends.turn import turn_from_fields
from lt_bench.config import Config, validate
from lt_bench.errors import RunError, UsageError
from lt_bench.records import Generation, Timings, Turn
from lt_bench.text.families import check as check_family

ERROR_BYTES = 65536
"""How much of an error page is read."""

GRACE = 2.0
"""Seconds that a finished answer waits for its usage and for the end of its stream."""

ADAPTATIONS = 5
"""Ways of asking that one attempt goes through before a refusal is final."""


class OpenAIOptions(Config):
    """Settings of `--set backend.*`. Times are in seconds.

    `timeout` bounds one attempt, `idle_timeout` the silence between two pieces of a stream;
    `backoff` is the first retry's longest pause and `max_wait` the longest Retry-After that is
    waited for. `extra_body` adds fields to each request, None takes one out. `fingerprint` names
    the weights behind the endpoint where the model's name does not.
    """

    base_url: str = OPENAI
    api_key_env: str | None = None
    concurrency: int = Field(default=64, ge=1)
    stream: bool = True
    timeout: float = Field(default=600.0, gt=0.0)
    idle_timeout: float = Field(default=300.0, gt=0.0)
    max_attempts: int = Field(default=6, ge=1)
    backoff: float = Field(default=1.0, ge=0.0)
    max_wait: float = Field(default=120.0, ge=0.0)
    max_bytes: int = Field(default=32 * 2**20, ge=1024)
    fingerprint: str | None = None
    family: str = "auto"
    extra_body: dict[str, Any] = Field(default_factory=dict)


class OpenAIBackend:
    """One model behind one endpoint.

    A fault that the server may get over is retried within bounds and then fails its row. What no
    row could get past (nobody listens, a bad key, an unknown model) ends the run. The key goes to
    the host it was named for only: redirects are not followed.
    """

    def __init__(self, target: str, options: dict[str, Any]) -> None:
        self.options = validate(OpenAIOptions, options, "openai backend")
        if not target.strip():
            raise UsageError("openai/ needs the model's name", "e.g. openai/Qwen/Qwen3-1.7B")
        check_family(self.options.family)
        check_extra(self.options.extra_body)
        self.model = target
        self.concurrency = self.options.concurrency
        self._endpoint = open_endpoint(self.options.base_url, self.options.api_key_env)
        self._retries = Retries(
            max_attempts=self.options.max_attempts,
            base=self.options.backoff,
            max_wait=self.options.max_wait,
        )
        self._dialect = Dialect(stream=self.options.stream)
        self._answered = False
        self._session: aiohttp.ClientSession | None = None

    @property
    def facts(self) -> ModelFacts:
        """The endpoint's model by name; its address is not part of its identity."""
        return ModelFacts(
            name=f"openai/{self.model}",
            backend="openai",
            fingerprint=self.options.fingerprint or self.model,
            counted_by="provider",
            settings=self.options.model_dump(include={"family", "extra_body"}, mode="json"),
        )

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self.concurrency),
            timeout=aiohttp.ClientTimeout(sock_connect=30.0),
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=self._endpoint.shown.startswith("https:"),
        )
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def generate(self, request: Request) -> Generation:
        """The model's answer, with the attempts it took.

        Raises:
            RowError: every attempt failed, or the server refuses this request for good.
            RunError: no request can succeed.
        """
        started = time.perf_counter()
        rng = random.Random(f"{request.example_id}|{request.sample_index}")
        turn, attempts = await self._retries.run(lambda: self._attempt(request, started), rng)
        return Generation(turns=(turn.model_copy(update={"attempts": attempts}),))

    async def _attempt(self, request: Request, started: float) -> Turn:
        """One attempt, in whatever dialect this server turns out to speak."""
        dialect = self._dialect
        for _ in range(ADAPTATIONS):
            try:
                return await self._ask(request, dialect, started)
            except Rejected as rejected:
                better = dialect.adapted(rejected.rejection)
                if better is None:
                    raise self._verdict(rejected.rejection) from None
                self._dialect = dialect = better
            except Fault as fault:
                # The chain is cut: what it quotes may hold the key.
                cause = self._endpoint.redacted(fault.cause)
                raise Fault(fault.kind, cause, fault.wait) from None
        raise Fault("bad_request", "the server refuses every way of asking")

    async def _ask(self, request: Request, dialect: Dialect, started: float) -> Turn:
        """Send the request once and read the answer.

        Raises:
            Fault, Rejected: there was none.
            RunError: nobody listens there, or the server sends us elsewhere.
        """
        sampling = request.sampling
        extra, schema = self.options.extra_body, request.answer_schema
        body = payload(self.model, request.prompt, sampling, dialect, extra, schema)
        reception = Reception(
            lambda: time.perf_counter() - started,
            self.options.max_bytes,
            sampling.stop,
            self.options.family,
        )
        queued = reception.now()
        try:
            async with asyncio.timeout(self.options.timeout):
                await self._exchange(body, reception)
        except aiohttp.ClientError as error:
            raise self._disconnected(error) from None
        except TimeoutError:
            if not reception.complete:
                cause = f"no answer within {self.options.timeout:g} s"
                raise Fault("timeout", cause) from None
        answer = reception.close()
        self._answered = True
        return self._turn(answer, reception, request, queued)

    async def _exchange(self, body: bytes, reception: Reception) -> None:
        """One HTTP exchange. Leaving it early closes its connection, so that an answer that comes
        too late finds nobody."""
        if self._session is None:
            raise RuntimeError("use the backend within `async with`")
        async with self._session.post(
            self._endpoint.chat,
            data=body,
            headers=self._endpoint.headers(),
            allow_redirects=False,
        ) as response:
            try:
                if response.status >= 300:
                    page = await _page(response)
                    raise Rejected(read_rejection(response.status, response.headers, page))
                await self._read(response, reception)
            except BaseException:
                response.close()
                raise

    async def _read(self, response: aiohttp.ClientResponse, reception: Reception) -> None:
        """Feed the body to `reception` until it has what it needs."""
        idle, clock = self.options.idle_timeout, asyncio.get_running_loop().time
        leaving = False
        try:
            async with asyncio.timeout(None) as limit:
                async for chunk in response.content.iter_any():
                    reception.feed(chunk)
                    if reception.stopped:
                        response.close()
                        return
                    if not leaving:
                        leaving = reception.complete
                        limit.reschedule(clock() + (min(GRACE, idle) if leaving else idle))
        except (TimeoutError, aiohttp.ClientError) as error:
            if reception.complete:
                response.close()
            elif isinstance(error, TimeoutError):
                raise Fault("timeout", f"the stream was silent for {idle:g} s") from None
            else:
                raise

    def _turn(self, answer: Answer, reception: Reception, request: Request, queued: float) -> Turn:
        thought, content = bool(answer.reasoning), answer.content
        if thought and content is not None:
            # What a server leaves between the trace it cut out and the reply belongs to neither,
            # and must not be taken for a stop string.
            content = content.lstrip()
        spoke = bool(answer.content or answer.reasoning or answer.tool_calls)
        timings = Timings(
            queued=queued,
            first_token=reception.first_token,
            first_reply_token=reception.first_spoken(answer.content or ""),
            total=reception.last,
        )
        return turn_from_fields(
            reasoning=answer.reasoning,
            content=content,
            finish_reason=answer.finish_reason,
            usage=counted(answer.usage, spoke=spoke, thought=thought),
            stop=request.sampling.stop,
            timings=timings,
            tool_calls=answer.tool_calls,
            family=self.options.family,
        )

    def _verdict(self, rejection: Rejection) -> RunError | Fault:
        """What a final refusal means: the run's end, or a fault of this row."""
        clean = replace(rejection, message=self._endpoint.redacted(rejection.message))
        end = fatal_refusal(clean, self._endpoint, self.model, answered=self._answered)
        return end or clean.fault()

    def _disconnected(self, error: aiohttp.ClientError) -> RunError | Fault:
        """A server that was never there ends the run; one that went away is a row's fault."""
        end = None if self._answered else unreachable(error, self._endpoint)
        return end or Fault("connection", f"the connection failed: {disconnection(error)}")


async def _page(response: aiohttp.ClientResponse) -> bytes:
    """The beginning of an error page; a page that does not end is not waited for."""
    page = b""
    with contextlib.suppress(TimeoutError, aiohttp.ClientError):
        async with asyncio.timeout(GRACE):
            async for chunk in response.content.iter_any():
                page += chunk
                if len(page) >= ERROR_BYTES:
                    break
    return page[:ERROR_BYTES]

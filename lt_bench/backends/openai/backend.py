"""`openai/NAME`: any server that speaks the chat-completions protocol, asked over aiohttp."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, Self

import aiohttp

from lt_bench.backends.base import ModelFacts, Request
from lt_bench.backends.counts import counted
from lt_bench.backends.openai.dialect import Dialect, check_extra, payload
from lt_bench.backends.openai.exchange import exchange
from lt_bench.backends.openai.fatal import disconnection, fatal_refusal, unreachable
from lt_bench.backends.openai.options import AUTO, OpenAIOptions
from lt_bench.backends.openai.reception import Reception
from lt_bench.backends.openai.rejection import Rejected, Rejection
from lt_bench.backends.openai.servers import Server, Servers
from lt_bench.backends.openai.wire import Answer
from lt_bench.backends.pacing import MOST, Pace, Paced
from lt_bench.backends.recount import Tokenizer, load_tokenizer, recounted
from lt_bench.backends.retry import Draws, Fault, Retries
from lt_bench.backends.turn import turn_from_fields
from lt_bench.config import validate
from lt_bench.errors import FailureKind, RunError, UsageError
from lt_bench.records import Generation, Timings, Turn
from lt_bench.text.families import check as check_family

ADAPTATIONS = 5
"""Ways of asking that one attempt goes through before a refusal is final."""

GROWTH = 4.0
"""Each retry's longest pause to the one before: short for a passing fault, and with six attempts long
enough for a server that is started again."""

SERVER_FAULTS: frozenset[FailureKind] = frozenset({"connection", "timeout", "server", "malformed"})
"""Faults that speak against the server rather than the request."""


class Gone(Exception):
    """A server cannot be reached; `end` is what that means if there is no other."""

    def __init__(self, end: RunError | Fault) -> None:
        super().__init__()
        self.end = end


class OpenAIBackend:
    """One model behind one endpoint or several.

    A fault that the server may get over is retried within bounds and then fails its row. What no
    row could get past (nobody listens, a bad key, an unknown model) ends the run. A key goes to
    the host it was named for only: redirects are not followed.
    """

    def __init__(self, target: str, options: dict[str, Any]) -> None:
        self.options = validate(OpenAIOptions, options, "openai backend")
        if not target.strip():
            raise UsageError("openai/ needs the model's name", "e.g. openai/Qwen/Qwen3-1.7B")
        check_family(self.options.family)
        check_extra(self.options.extra_body)
        self.model = target
        dialect = Dialect(stream=self.options.stream)
        self._servers = Servers([Server(one, dialect) for one in self.options.endpoints()])
        self._retries = Retries(
            max_attempts=self.options.max_attempts,
            base=self.options.backoff,
            growth=GROWTH,
            max_wait=self.options.max_wait,
        )
        auto = self.options.concurrency == AUTO
        self.concurrency = MOST if auto else int(self.options.concurrency)
        self.pace = Pace() if auto else None
        self._session: aiohttp.ClientSession | None = None
        self._tokenizer: Tokenizer | None = None

    @property
    def facts(self) -> ModelFacts:
        """The endpoint's model by name; its address is not part of its identity."""
        return ModelFacts(
            name=f"openai/{self.model}",
            backend="openai",
            fingerprint=self.options.fingerprint or self.model,
            counted_by="provider",
            settings=self.options.model_dump(
                include={"family", "tokenizer", "extra_body"}, mode="json"
            ),
        )

    async def __aenter__(self) -> Self:
        if self.options.tokenizer is not None:
            self._tokenizer = load_tokenizer(self.options.tokenizer)
        shown = (server.endpoint.shown for server in self._servers.all)
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self.concurrency),
            timeout=aiohttp.ClientTimeout(sock_connect=30.0),
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=any(address.startswith("https:") for address in shown),
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
        draws = Draws(f"{request.example_id}|{request.sample_index}")
        once = self._attempt if self.pace is None else Paced(self.pace, self._attempt).attempt
        turn, attempts = await self._retries.run(lambda: once(request, started), draws)
        if self._tokenizer is not None:
            turn = recounted(turn, self._tokenizer)
        if attempts > 1:
            turn = turn.model_copy(update={"attempts": attempts})
        return Generation(turns=(turn,))

    async def _attempt(self, request: Request, started: float) -> Turn:
        """One attempt, at whatever server can be reached."""
        tried: list[Server] = []
        while True:
            server = self._servers.pick(time.monotonic(), tried)
            server.outstanding += 1
            answers = server.answers
            try:
                turn = await self._adapt(server, request, started)
            except Gone as gone:
                tried.append(server)
                self._servers.failed(server, time.monotonic(), gone.end.cause, gone=True)
                if len(tried) == len(self._servers.all):
                    raise gone.end from None
            except Fault as fault:
                if fault.kind in SERVER_FAULTS:
                    self._servers.failed(server, time.monotonic(), fault.cause)
                fault.passing = fault.kind != "rate_limited" and server.answers > answers
                raise
            else:
                server.answered()
                return turn
            finally:
                server.outstanding -= 1

    async def _adapt(self, server: Server, request: Request, started: float) -> Turn:
        """Asks in whatever dialect this server turns out to speak."""
        dialect = server.dialect
        for _ in range(ADAPTATIONS):
            try:
                return await self._ask(server, request, dialect, started)
            except Rejected as rejected:
                better = dialect.adapted(rejected.rejection)
                if better is None:
                    raise self._verdict(server, rejected.rejection) from None
                server.dialect = dialect = better
            except Fault as fault:
                # The chain is cut: what it quotes may hold the key.
                cause = server.endpoint.redacted(fault.cause)
                raise Fault(fault.kind, cause, fault.wait) from None
        raise Fault("bad_request", "the server refuses every way of asking")

    async def _ask(
        self, server: Server, request: Request, dialect: Dialect, started: float
    ) -> Turn:
        """Send the request once and read the answer.

        Raises:
            Fault, Rejected: there was none.
            Gone: nobody listens there.
        """
        if self._session is None:
            raise RuntimeError("use the backend within `async with`")
        options, sampling = self.options, request.sampling
        body = payload(
            self.model, request.prompt, sampling, dialect, options.extra_body, request.answer_schema
        )
        reception = Reception(started, options.max_bytes, sampling.stop, options.family)
        queued = reception.now()
        try:
            await exchange(self._session, server, body, reception, options)
        except aiohttp.ClientError as error:
            raise self._disconnected(server, error) from None
        answer = reception.close()
        return self._turn(answer, reception, request, queued)

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

    def _verdict(self, server: Server, rejection: Rejection) -> RunError | Fault:
        """What a final refusal means: the run's end, or a fault of this row."""
        endpoint = server.endpoint
        clean = replace(rejection, message=endpoint.redacted(rejection.message))
        end = fatal_refusal(clean, endpoint, self.model, answered=server.has_answered)
        return end or clean.fault()

    def _disconnected(self, server: Server, error: aiohttp.ClientError) -> Gone | Fault:
        """A server that was never there is gone, and that ends the run if no other has answered; one
        that went away is a fault."""
        fault = Fault("connection", f"the connection failed: {disconnection(error)}")
        end = unreachable(error, server.endpoint)
        if end is None:
            return fault
        return Gone(fault if any(one.has_answered for one in self._servers.all) else end)

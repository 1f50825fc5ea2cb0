"""`openai/NAME`: any server that speaks the chat-completions protocol."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, Self

from lt_bench.backends.base import Backend, ModelFacts, Request
from lt_bench.backends.openai.aiohttp_transport import AiohttpTransport
from lt_bench.backends.openai.dialect import Dialect, check_extra, payload
from lt_bench.backends.openai.fatal import fatal_refusal, unreachable
from lt_bench.backends.openai.options import AUTO, OpenAIOptions
from lt_bench.backends.openai.reception import Reception
from lt_bench.backends.openai.rejection import Rejected, Rejection
from lt_bench.backends.openai.servers import Server, Servers
from lt_bench.backends.openai.transport import Disconnected, Transport
from lt_bench.backends.openai.turns import turn_of
from lt_bench.backends.pacing import MOST, Pace, Paced
from lt_bench.backends.recount import Tokenizer, load_tokenizer, recounted
from lt_bench.backends.retry import Draws, Fault, Retries
from lt_bench.config import validate
from lt_bench.errors import FailureKind, RunError, UsageError
from lt_bench.records import Generation, Timings, Turn
from lt_bench.text.families import check as check_family
from lt_bench.text.tool_calls import check as check_form
from lt_bench.text.tool_calls import form_for

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
        self.options = read_options(target, options)
        self.model = target
        dialect = Dialect(stream=self.options.stream)
        self._transport = open_transport(self.options)
        self._servers = Servers([Server(one, dialect) for one in self._transport.endpoints])
        self._retries = Retries(
            max_attempts=self.options.max_attempts,
            base=self.options.backoff,
            growth=GROWTH,
            max_wait=self.options.max_wait,
        )
        auto = self.options.concurrency == AUTO
        self.concurrency = MOST if auto else int(self.options.concurrency)
        self.pace = Pace() if auto else None
        self._tokenizer: Tokenizer | None = None

    @property
    def facts(self) -> ModelFacts:
        """The endpoint's model by name; its address is not part of its identity."""
        return facts_of(self.model, self.options)

    async def __aenter__(self) -> Self:
        if self.options.tokenizer is not None:
            self._tokenizer = load_tokenizer(self.options.tokenizer)
        await self._transport.open(self.concurrency)
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._transport.close()

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
        options, sampling = self.options, request.sampling
        body = payload(
            self.model,
            request.prompt,
            sampling,
            dialect,
            options.extra_body,
            request.answer_schema,
            options.thoughts,
        )
        form = form_for(request.prompt, options.tool_form)
        reception = Reception(started, options.max_bytes, sampling.stop, options.family)
        queued = reception.now()
        try:
            await self._transport.exchange(server, body, reception)
        except Disconnected as lost:
            raise self._disconnected(server, lost) from None
        answer = reception.close()
        timings = Timings(
            queued=queued,
            first_token=reception.first_token,
            first_reply_token=reception.first_spoken(answer.content or "", form),
            total=reception.last,
        )
        return turn_of(answer, sampling.stop, options.family, timings, form)

    def _verdict(self, server: Server, rejection: Rejection) -> RunError | Fault:
        """What a final refusal means: the run's end, or a fault of this row."""
        endpoint = server.endpoint
        clean = replace(rejection, message=endpoint.redacted(rejection.message))
        end = fatal_refusal(clean, endpoint, self.model, answered=server.has_answered)
        return end or clean.fault()

    def _disconnected(self, server: Server, lost: Disconnected) -> Gone | Fault:
        """A server that was never there is gone, and that ends the run if no other has answered; one
        that went away is a fault."""
        fault = Fault("connection", f"the connection failed: {lost.words}")
        end = unreachable(lost, server.endpoint)
        if end is None:
            return fault
        return Gone(fault if any(one.has_answered for one in self._servers.all) else end)


def open_transport(options: OpenAIOptions) -> Transport:
    """The way to the servers that was asked for.

    Raises:
        UsageError: an address, a key or a client that cannot be one.
    """
    if not options.sdk:
        return AiohttpTransport(options)
    from lt_bench.backends.openai.sdk.transport import SdkTransport

    return SdkTransport(options)


def read_options(target: str, options: dict[str, Any]) -> OpenAIOptions:
    """Raises UsageError for a model without a name, and for settings that cannot be."""
    found = validate(OpenAIOptions, options, "openai backend")
    if not target.strip():
        raise UsageError("openai/ needs the model's name", "e.g. openai/Qwen/Qwen3-1.7B")
    check_family(found.family)
    check_form(found.tool_form)
    check_extra(found.extra_body)
    return found


def facts_of(model: str, options: OpenAIOptions) -> ModelFacts:
    """What is known of a model before it answers, however it is asked."""
    always = options.model_dump(include={"family", "tokenizer", "extra_body"}, mode="json")
    changed = options.model_dump(include={"tool_form", "thoughts"}, exclude_defaults=True)
    return ModelFacts(
        name=f"openai/{model}",
        backend="openai",
        fingerprint=options.fingerprint or model,
        counted_by="provider",
        settings={**always, **changed},
    )


def open_openai(target: str, options: dict[str, Any]) -> Backend:
    """The model behind an endpoint, asked one request at a time or by batches.

    Raises:
        UsageError: no name, or settings that cannot be.
    """
    if not options.get("batch"):
        return OpenAIBackend(target, options)
    from lt_bench.backends.openai.batch.backend import OpenAIBatchBackend

    found = read_options(target, options)
    return OpenAIBatchBackend(target, found, facts_of(target, found))

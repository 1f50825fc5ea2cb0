"""A scripted OpenAI-compatible server: deterministic answers by prompt, faults where a test wants them.

In a test:      with serve(scripted(Reply(status=500), Reply("It is red."))) as server: server.url
As a process:   python tests/support/server.py --port-file F [--delay 0.05] [--answers table.json]

A responder is a function from a `Call` (what was asked, and which attempt at it this is) to a
`Reply`. Routes: POST */chat/completions, GET */models, GET /health, and GET /requests, the log of
all calls as JSON. Only the standard library is used, so that a process starts at once.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

WORDS = (
    *("heater", "white", "black", "two", "year", "warranty", "weighs", "three", "kilograms"),
    *("ships", "within", "five", "days", "from", "our", "warehouse", "costs", "ninety", "yuan"),
)
POLL = 0.01
"""Seconds between two looks at whether the client has hung up."""

Fault = Literal["disconnect", "cut", "malformed", "hang"]
"""disconnect: close before any byte; cut: close half-way through the body; malformed: broken
JSON; hang: never answer (until the client gives up)."""


@dataclass(frozen=True)
class Reply:
    """One answer. `body` replaces everything derived from the other fields, byte for byte.

    `delay` is in seconds before the first byte, `gap` between two streamed pieces; `piece` is the
    number of characters in a piece (0: one word). `usage` is "auto" (one token a word), a literal
    object, or None for a server that does not count. `stream` False answers JSON even to a
    streamed request. `choices` None gives one choice.
    """

    content: Any = None
    reasoning: str | None = None
    reasoning_field: str = "reasoning"
    tool_calls: tuple[dict[str, Any], ...] = ()
    finish_reason: str | None = "stop"
    usage: Any = "auto"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error: Any = None
    body: bytes | None = None
    content_type: str = "application/json"
    fault: Fault | None = None
    delay: float = 0.0
    gap: float = 0.0
    piece: int = 0
    stream: bool = True
    choices: list[Any] | None = None


@dataclass
class Call:
    """One request as it arrived. `attempt` counts arrivals of the same prompt, from 1; `at`, `sent` (a
    moment for each streamed piece) and `ended` are the server's own log of times (`time.time`)."""

    number: int
    text: str
    attempt: int
    body: dict[str, Any]
    headers: dict[str, str]
    path: str
    at: float
    connection: int = 0
    sent: list[float] = field(default_factory=list)
    ended: float = 0.0
    outcome: Literal["open", "answered", "client gone", "closed"] = "open"


Responder = Callable[[Call], Reply]


# --- Responders ------------------------------------------------------------------------------


def hashed(words: int = 12) -> Responder:
    """Other words for every prompt, the same ones for the same prompt."""

    def respond(call: Call) -> Reply:
        digest = hashlib.sha256(call.text.encode("utf-8", "surrogatepass")).digest()
        start = digest[0]
        spoken = [WORDS[(start + i * (1 + digest[1] % 7)) % len(WORDS)] for i in range(words)]
        return Reply(" ".join([digest[:3].hex(), *spoken]))

    return respond


def scripted(*replies: Reply) -> Responder:
    """The nth request gets the nth reply, whatever it asks; the last one repeats."""
    return lambda call: replies[min(call.number, len(replies)) - 1]


def by_substring(
    table: dict[str, Sequence[Reply]], otherwise: Responder | None = None
) -> Responder:
    """The first key found in the prompt names the replies; the nth attempt gets the nth one."""
    default = otherwise or hashed()

    def respond(call: Call) -> Reply:
        for key, replies in table.items():
            if key in call.text:
                return replies[min(call.attempt, len(replies)) - 1]
        return default(call)

    return respond


def with_faults(shares: dict[str, float], inner: Responder, retry_after: float) -> Responder:
    """A share of the attempts fails: which ones depends only on prompt and attempt number."""

    def respond(call: Call) -> Reply:
        key = f"{call.text}|{call.attempt}".encode("utf-8", "surrogatepass")
        draw = int.from_bytes(hashlib.sha256(key).digest()[:6], "big") / 2**48
        for name, share in shares.items():
            draw -= share
            if draw < 0:
                return faulty(name, retry_after)
        return inner(call)

    return respond


def faulty(name: str, retry_after: float = 0.05) -> Reply:
    """The reply that shows one fault: an HTTP status, "empty", or a `Fault`."""
    if name.isdigit():
        wait = {"Retry-After": f"{retry_after:g}"} if name == "429" else {}
        return Reply(status=int(name), headers=wait, error={"message": f"injected {name}"})
    if name == "empty":
        return Reply(None)
    if name in ("disconnect", "cut", "malformed", "hang"):
        return Reply("it is red and blue and green", fault=name)  # type: ignore[arg-type]
    raise SystemExit(f"unknown fault {name!r}")


# --- Bytes of an answer ----------------------------------------------------------------------


def pieces(text: str, size: int) -> list[str]:
    """`text` cut for streaming; joined again it is the same text."""
    if size:
        return [text[i : i + size] for i in range(0, len(text), size)]
    words = text.split(" ")
    return [word + " " for word in words[:-1]] + words[-1:]


def counted(reply: Reply, call: Call) -> Any:
    """Usage as a server would report it; "auto" counts words."""
    if reply.usage != "auto":
        return reply.usage
    spoken = reply.content if isinstance(reply.content, str) else ""
    thought, said = len((reply.reasoning or "").split()), len(spoken.split())
    prompt, output = len(call.text) // 4 + 1, thought + said + 1
    return {
        "prompt_tokens": prompt,
        "completion_tokens": output,
        "total_tokens": prompt + output,
        "completion_tokens_details": {"reasoning_tokens": thought},
    }


def envelope(call: Call, kind: str, choices: list[Any], usage: Any) -> dict[str, Any]:
    """The object around the choices, the same in both forms of answer."""
    packet = {
        "id": f"chatcmpl-{call.number}",
        "object": kind,
        "created": 1_700_000_000,
        "model": call.body.get("model", "scripted"),
        "choices": choices,
    }
    return packet if usage is None else {**packet, "usage": usage}


def complete(reply: Reply, call: Call) -> bytes:
    """The whole answer as one JSON body."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    if reply.reasoning is not None:
        message[reply.reasoning_field] = reply.reasoning
    if reply.tool_calls:
        message["tool_calls"] = list(reply.tool_calls)
    choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason}
    choices = [choice] if reply.choices is None else reply.choices
    packet = envelope(call, "chat.completion", choices, counted(reply, call))
    return json.dumps(packet, ensure_ascii=False).encode("utf-8", "surrogatepass")


def tool_fragments(reply: Reply) -> Iterator[dict[str, Any]]:
    """Tool calls as deltas: the name first, then the arguments in two halves."""
    for index, call in enumerate(reply.tool_calls):
        function = call["function"]
        arguments = function["arguments"]
        half = len(arguments) // 2
        head = {"index": index, "id": call.get("id", ""), "type": "function"}
        yield {"tool_calls": [head | {"function": {"name": function["name"], "arguments": ""}}]}
        for part in (arguments[:half], arguments[half:]):
            yield {"tool_calls": [{"index": index, "function": {"arguments": part}}]}


def deltas(reply: Reply) -> Iterator[dict[str, Any]]:
    """The answer as streamed deltas, thinking first."""
    yield {"role": "assistant", "content": None if reply.content is None else ""}
    for piece in pieces(reply.reasoning or "", reply.piece):
        if piece:
            yield {reply.reasoning_field: piece}
    if isinstance(reply.content, str):
        for piece in pieces(reply.content, reply.piece):
            if piece:
                yield {"content": piece}
    elif reply.content is not None:
        yield {"content": reply.content}
    yield from tool_fragments(reply)


def events(reply: Reply, call: Call) -> Iterator[bytes]:
    """Server-sent events of the streamed answer, `[DONE]` last."""

    def event(choices: list[Any], usage: Any = None) -> bytes:
        packet = envelope(call, "chat.completion.chunk", choices, usage)
        return b"data: " + json.dumps(packet).encode() + b"\n\n"

    if reply.choices is not None:
        yield event(reply.choices)
    else:
        for delta in deltas(reply):
            yield event([{"index": 0, "delta": delta, "finish_reason": None}])
        yield event([{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}])
    if (call.body.get("stream_options") or {}).get("include_usage"):
        usage = counted(reply, call)
        if usage is not None:
            yield event([], usage)
    yield b"data: [DONE]\n\n"


def head(status: int, content_type: str, headers: dict[str, str]) -> bytes:
    """Status line and headers, ready for the length or the chunked marker in `headers`."""
    lines = [f"HTTP/1.1 {status} Scripted", f"Content-Type: {content_type}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


# --- The server ------------------------------------------------------------------------------


class ClientGoneError(Exception):
    """The client hung up before the answer was complete."""


@dataclass
class Connection:
    """One open socket."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    number: int

    async def request(self) -> tuple[str, str, dict[str, str], bytes]:
        """Method, path, headers (lower case) and body of the next request."""
        start = await self.reader.readexactly(1)
        if not start.isalpha():
            await self.send(b"HTTP/1.1 400 This is not HTTP\r\n\r\n")
            raise ClientGoneError
        raw = (start + await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *rest = raw.strip().split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = {
            name.lower(): value.strip() for name, _, value in (r.partition(":") for r in rest)
        }
        body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        return method, path, headers, body

    async def pause(self, seconds: float) -> None:
        """Sleep, unless the client goes away meanwhile."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.check()
            await asyncio.sleep(min(POLL, left))
        self.check()

    def check(self) -> None:
        """Raise `ClientGoneError` once the other side has closed."""
        if self.reader.at_eof() or self.writer.is_closing():
            raise ClientGoneError

    async def send(self, data: bytes) -> None:
        """Write and wait until the kernel has taken it."""
        self.writer.write(data)
        await self.writer.drain()

    async def send_json(
        self, value: Any, status: int = 200, headers: dict[str, str] | None = None
    ) -> None:
        """A complete JSON answer."""
        body = json.dumps(value).encode()
        length = {"Content-Length": str(len(body)), **(headers or {})}
        await self.send(head(status, "application/json", length) + body)


class Server:
    """Answers by `responder`; `calls` is the log, oldest first. `delay` is added to each reply."""

    def __init__(self, responder: Responder, delay: float = 0.0) -> None:
        self.responder, self.delay = responder, delay
        self.calls: list[Call] = []
        self.port = 0
        self._attempts: Counter[str] = Counter()
        self._connections = 0

    @property
    def url(self) -> str:
        """What goes to --base-url."""
        return f"http://127.0.0.1:{self.port}/v1"

    @contextlib.asynccontextmanager
    async def listening(self, port: int = 0) -> AsyncIterator[None]:
        """Bind the loopback interface; port 0 takes a free one."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", port, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections += 1
        connection = Connection(reader, writer, self._connections)
        gone = (asyncio.IncompleteReadError, ConnectionError, ClientGoneError)
        try:
            with contextlib.suppress(*gone):
                while await self._handle(connection):
                    pass
        finally:
            writer.close()

    async def _handle(self, connection: Connection) -> bool:
        """One request; False ends the connection."""
        method, path, headers, body = await connection.request()
        route = path.partition("?")[0]
        if method == "POST" and route.endswith("/chat/completions"):
            return await self._chat(connection, path, headers, body)
        if route == "/requests":
            await connection.send_json([asdict(call) for call in self.calls])
        elif route.endswith("/models"):
            await connection.send_json({"object": "list", "data": [{"id": "scripted"}]})
        elif route == "/health":
            await connection.send_json({})
        else:
            await connection.send_json({"error": {"message": f"no route {route}"}}, 404)
        return True

    async def _chat(
        self, connection: Connection, path: str, headers: dict[str, str], body: bytes
    ) -> bool:
        call = self._log(connection, path, headers, json.loads(body))
        try:
            kept = await self._answer(connection, call, self.responder(call))
        except (ClientGoneError, ConnectionError):
            call.outcome = "client gone"
            raise
        call.outcome, call.ended = "answered" if kept else "closed", time.time()
        return kept

    def _log(
        self, connection: Connection, path: str, headers: dict[str, str], body: dict[str, Any]
    ) -> Call:
        text = "\n".join(str(message.get("content") or "") for message in body["messages"])
        self._attempts[text] += 1
        number, attempt = len(self.calls) + 1, self._attempts[text]
        call = Call(number, text, attempt, body, headers, path, time.time(), connection.number)
        self.calls.append(call)
        return call

    async def _answer(self, connection: Connection, call: Call, reply: Reply) -> bool:
        """Send `reply`; False when the connection must close after it."""
        await connection.pause(1e9 if reply.fault == "hang" else self.delay + reply.delay)
        if reply.fault == "disconnect":
            return False
        streamed = bool(call.body.get("stream")) and reply.stream and reply.status == 200
        if reply.body is None and streamed and reply.error is None and reply.fault != "malformed":
            return await self._stream(connection, call, reply)
        return await self._whole(connection, call, reply)

    async def _whole(self, connection: Connection, call: Call, reply: Reply) -> bool:
        body = reply.body
        if body is None:
            failed = reply.error is not None or reply.status != 200
            error = {"error": reply.error or {"message": f"HTTP {reply.status}"}}
            body = json.dumps(error).encode() if failed else complete(reply, call)
        if reply.fault == "malformed":
            body = body[:-30] + b'"}}}'
        length = {"Content-Length": str(len(body)), **reply.headers}
        sent = body[: len(body) // 2] if reply.fault == "cut" else body
        await connection.send(head(reply.status, reply.content_type, length) + sent)
        return reply.fault != "cut"

    async def _stream(self, connection: Connection, call: Call, reply: Reply) -> bool:
        parts = list(events(reply, call))
        chunked = {"Transfer-Encoding": "chunked", **reply.headers}
        await connection.send(head(200, "text/event-stream", chunked))
        for index, part in enumerate(parts):
            if reply.fault == "cut" and index >= len(parts) // 2:
                return False
            await connection.pause(reply.gap if index else 0.0)
            call.sent.append(time.time())
            await connection.send(b"%x\r\n%s\r\n" % (len(part), part))
        await connection.send(b"0\r\n\r\n")
        return True


@contextlib.contextmanager
def serve(responder: Responder, delay: float = 0.0) -> Iterator[Server]:
    """A running server in a thread of its own, for the length of the block."""
    server = Server(responder, delay)
    loop, ready = asyncio.new_event_loop(), threading.Event()
    stop = asyncio.Event()

    async def main() -> None:
        async with server.listening():
            ready.set()
            await stop.wait()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(main())

    thread = threading.Thread(target=run, name="scripted server", daemon=True)
    thread.start()
    if not ready.wait(10):
        raise RuntimeError("the scripted server did not start")
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)


# --- As a process ----------------------------------------------------------------------------


def load_reply(value: Any) -> Reply:
    """A reply from JSON: a plain string is its content, an object its fields."""
    if isinstance(value, str):
        return Reply(value)
    return Reply(**{**value, "tool_calls": tuple(value.get("tool_calls", ()))})


def load_answers(path: Path) -> Responder:
    """JSON object: substring of the prompt -> reply, or list of replies by attempt."""
    table = json.loads(path.read_text("utf-8"))
    listed = {key: value if isinstance(value, list) else [value] for key, value in table.items()}
    return by_substring({key: [load_reply(v) for v in value] for key, value in listed.items()})


def load_script(path: Path) -> Responder:
    """JSONL: one reply a request, in order; the last one repeats."""
    lines = path.read_text("utf-8").splitlines()
    return scripted(*(load_reply(json.loads(line)) for line in lines if line.strip()))


def responder_of(args: argparse.Namespace) -> Responder:
    """What the command line asks for."""
    responder = hashed(args.words)
    if args.answers:
        responder = load_answers(args.answers)
    elif args.script:
        responder = load_script(args.script)
    if args.faults:
        shares = {
            name: float(share)
            for name, _, share in (f.partition("=") for f in args.faults.split(","))
        }
        responder = with_faults(shares, responder, args.retry_after)
    return responder


async def run_process(args: argparse.Namespace) -> None:
    """Serve until SIGTERM or `--max-seconds`, so that a forgotten server ends by itself."""
    server, stop = Server(responder_of(args), args.delay), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with server.listening(args.port):
        if args.port_file:
            partial = args.port_file.with_name(args.port_file.name + ".part")
            partial.write_text(str(server.port))
            partial.replace(args.port_file)
        print(f"READY {server.url}", flush=True)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), args.max_seconds)


def main(argv: list[str] | None = None) -> int:
    """Command line; prints `READY URL` when it listens."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--port-file", type=Path, help="written once it listens")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each reply")
    parser.add_argument("--words", type=int, default=12, help="length of the hashed replies")
    parser.add_argument("--answers", type=Path, help="JSON: substring -> reply or replies")
    parser.add_argument("--script", type=Path, help="JSONL: one reply a request, in order")
    parser.add_argument("--faults", default="", help="e.g. 429=0.05,500=0.03,cut=0.01,empty=0.01")
    parser.add_argument("--retry-after", type=float, default=0.05)
    parser.add_argument("--max-seconds", type=float, default=600.0)
    asyncio.run(run_process(parser.parse_args(argv)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

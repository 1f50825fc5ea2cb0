"""A quick, deterministic OpenAI-compatible server for benchmarks: delays, faults and refusals.

    python benchmarks/endpoint_server.py --delay 0.2 [--faults 429:0.05,500:0.03] [--refuse-above 16]

One asyncio protocol, so that it costs less than its clients. A prompt that holds `[[text]]` is answered
by that text. Faults are drawn by a hash of prompt and attempt, the same in every run. Routes: POST
*/chat/completions, GET /stats (counts, window, concurrency), POST /reset. Prints `READY URL`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import re
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, cast

import orjson
import uvloop

ANSWER = re.compile(rb"\[\[(.*?)\]\]")
PIECE = re.compile(r"\S+\s*")
REASONS = {200: "OK", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}


@dataclass
class Seen:
    """What arrived. Times are those of time.perf_counter(); `area` is requests times seconds."""

    requests: int = 0
    open: int = 0
    peak: int = 0
    first: float = 0.0
    last: float = 0.0
    attempts: Counter[bytes] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    changes: list[tuple[float, int]] = field(default_factory=list)

    def enter(self) -> None:
        now = time.perf_counter()
        self.first = self.first or now
        self.requests += 1
        self._to(now, self.open + 1)
        self.peak = max(self.peak, self.open)

    def leave(self) -> None:
        self.last = time.perf_counter()
        self._to(self.last, self.open - 1)

    def _to(self, now: float, count: int) -> None:
        self.open = count
        self.changes.append((now, count))

    def mean_open(self, since: float, until: float) -> float:
        """Mean of the requests being answered over a stretch of the window (shares of it)."""
        length = self.last - self.first
        start, end = self.first + since * length, self.first + until * length
        area, at, count = 0.0, start, 0
        for moment, after in self.changes:
            if moment > start:
                area += count * (min(moment, end) - at)
                at = min(moment, end)
            count = after
        return area / (end - start) if end > start else 0.0

    def report(self) -> dict[str, Any]:
        return {
            "requests": self.requests,
            "prompts": len(self.attempts),
            "most_attempts": max(self.attempts.values(), default=0),
            "peak": self.peak,
            "window": self.last - self.first,
            "settled": self.mean_open(0.5, 0.9),
            "statuses": {str(status): n for status, n in self.statuses.items()},
            "faults": dict(self.faults),
        }


class Behaviour:
    """How the server answers; `seen` is what it was asked."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.seen = options, Seen()
        pairs = [part.split(":") for part in options.faults.split(",") if part]
        self.faults = [(name, float(share)) for name, share in pairs]

    def fault(self, body: bytes) -> str:
        """The fault of this attempt at this prompt; empty for most."""
        key = hashlib.sha256(body).digest()
        self.seen.attempts[key] += 1
        if not self.faults:
            return ""
        drawn = hashlib.sha256(key + bytes([self.seen.attempts[key] % 256])).digest()
        place = int.from_bytes(drawn[:6]) / 2**48
        for name, share in self.faults:
            place -= share
            if place < 0:
                self.seen.faults[name] += 1
                return name
        return ""


def answer_to(body: bytes) -> str:
    """What a prompt asks to be told, or a hash of it."""
    found = ANSWER.search(body)
    return orjson.loads(b'"%s"' % found[1]) if found else hashlib.sha256(body).hexdigest()[:8]


def usage_of(body: bytes, text: str) -> dict[str, int]:
    prompt, output = len(body) // 4, len(text.split())
    return {"prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output}


def whole(body: bytes, text: str | None) -> bytes:
    """A complete answer."""
    message = {"role": "assistant", "content": text}
    return orjson.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1700000000,
            "model": "mock",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": usage_of(body, text or ""),
        }
    )


def events(body: bytes, text: str) -> list[bytes]:
    """The same answer as chunks of a stream, a word each."""
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000}

    def chunk(**fields: Any) -> bytes:
        data = b"data: " + orjson.dumps({**head, "model": "mock", **fields}) + b"\n\n"
        return b"%x\r\n%s\r\n" % (len(data), data)

    def choice(delta: dict[str, str], finish: str | None = None) -> list[dict[str, Any]]:
        return [{"index": 0, "delta": delta, "finish_reason": finish}]

    return [
        chunk(choices=choice({"role": "assistant", "content": ""})),
        *(chunk(choices=choice({"content": piece})) for piece in PIECE.findall(text)),
        chunk(choices=choice({}, "stop")),
        chunk(choices=[], usage=usage_of(body, text)),
        b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n",
    ]


class Connection(asyncio.Protocol):
    """One client connection: requests come one after another, each with a Content-Length."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour, self.loop = behaviour, asyncio.get_running_loop()
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].lower()
            length = re.search(rb"content-length: *(\d+)", head)
            size = end + 4 + (int(length[1]) if length else 0)
            if len(self.buffer) < size:
                return
            body, self.buffer = self.buffer[end + 4 : size], self.buffer[size:]
            self.route(head.split(b" ", 2)[1], body)

    def route(self, path: bytes, body: bytes) -> None:
        if path.endswith(b"/chat/completions"):
            self.ask(body)
        elif path == b"/reset":
            self.behaviour.seen = Seen()
            self.send(200, b"{}")
        elif path == b"/stats":
            self.send(200, orjson.dumps(self.behaviour.seen.report()))
        else:
            self.send(404, b"{}")

    def ask(self, body: bytes) -> None:
        options, seen = self.behaviour.options, self.behaviour.seen
        if options.refuse_above and seen.open >= options.refuse_above:
            seen.requests += 1
            seen.statuses[429] += 1
            self.error(429, "too many at once")
            return
        seen.enter()
        fault = self.behaviour.fault(body)
        if options.unauthorized:
            self.finish(body, "401")
        elif not fault and orjson.loads(body).get("stream"):
            self.loop.create_task(self.stream(body))
        else:
            self.loop.call_later(options.delay, self.finish, body, fault)

    def finish(self, body: bytes, fault: str) -> None:
        seen = self.behaviour.seen
        seen.leave()
        if fault.isdigit():
            self.error(int(fault), f"injected {fault}")
            seen.statuses[int(fault)] += 1
            return
        seen.statuses[200] += 1
        page = whole(body, None if fault == "empty" else answer_to(body))
        if fault == "disconnect":
            self.transport.close()
        elif fault == "cut":
            self.send(200, page[: len(page) // 2], length=len(page))
            self.transport.close()
        else:
            self.send(200, page[:-30] + b'"}}}' if fault == "malformed" else page)

    async def stream(self, body: bytes) -> None:
        """First chunk after a quarter of the delay, the rest evenly in what is left."""
        options, seen = self.behaviour.options, self.behaviour.seen
        parts = events(body, answer_to(body))
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        start = time.perf_counter()
        self.transport.write(head)
        for index, part in enumerate(parts):
            share = 0.25 + 0.75 * index / (len(parts) - 1)
            left = start + share * options.delay - time.perf_counter()
            if left > 0.001:
                await asyncio.sleep(left)
            if self.transport.is_closing():
                break
            self.transport.write(part)
        seen.leave()
        seen.statuses[200] += 1

    def error(self, status: int, message: str) -> None:
        retry = f"Retry-After: {self.behaviour.options.retry_after}\r\n" if status == 429 else ""
        self.send(status, orjson.dumps({"error": {"message": message, "code": status}}), retry)

    def send(self, status: int, body: bytes, extra: str = "", length: int | None = None) -> None:
        if self.transport.is_closing():
            return
        size = len(body) if length is None else length
        head = (
            f"HTTP/1.1 {status} {REASONS.get(status, 'Error')}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {size}\r\n{extra}\r\n"
        )
        self.transport.write(head.encode() + body)


async def serve(options: argparse.Namespace) -> None:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    behaviour = Behaviour(options)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    server = await loop.create_server(
        lambda: Connection(behaviour), "127.0.0.1", options.port, backlog=4096
    )
    print(f"READY http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), options.max_seconds)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.2, help="seconds from request to answer")
    parser.add_argument("--faults", default="", help="429, 500, malformed, cut, disconnect, empty")
    parser.add_argument("--retry-after", type=float, default=0.05)
    parser.add_argument("--refuse-above", type=int, default=0, help="429 beyond so many in flight")
    parser.add_argument("--unauthorized", action="store_true", help="401 to everything")
    parser.add_argument("--max-seconds", type=float, default=900.0)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()

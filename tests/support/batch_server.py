"""A scripted server with OpenAI's Batch API: files, batches, and results by the responders of `server`.

In a test:      with serve_batches(hashed(), [Plan(status="expired", answered=2)]) as server: server.url
As a process:   python tests/support/batch_server.py --port-file F [--polls 2] [--hold "POST /batches=1"]

Each batch follows its `Plan`; each request in it is answered by the responder, as the n-th attempt at its
prompt. `executed` counts how often each custom id was carried out: what a customer would have paid.
Routes: POST and GET */files, GET */files/ID/content, POST and GET */batches, GET */batches/ID,
POST */chat/completions as in `server`, and GET /stats.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import re
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

try:
    from support.server import Call, Connection, Reply, Responder, Server, complete, hashed, head
except ImportError:  # as a process
    from server import Call, Connection, Reply, Responder, Server, complete, hashed, head

Seen = tuple[str, str, int]
"""Method, route without ids, and how often it was called before."""
Fault = Callable[[str, str, int], Reply | None]
"""What a call gets instead of its answer. With a `delay` the call is carried out all the same, and a reply
whose status is 200 only holds the answer up."""


@dataclass(frozen=True)
class Plan:
    """What becomes of one batch. It ends after `polls` looks at it, as `status`; `answered` requests are
    carried out (None: all); those at the places `silent` are carried out, but told of nowhere. `extra`
    are lines before the others in the output file; `twice` doubles each; `gone`: the output file is
    deleted. `errors` are those of a batch that fails."""

    status: str = "completed"
    polls: int = 1
    answered: int | None = None
    silent: tuple[int, ...] = ()
    extra: tuple[bytes, ...] = ()
    twice: bool = False
    gone: bool = False
    errors: tuple[dict[str, Any], ...] = ()


@dataclass
class Batch:
    """One batch at the server."""

    id: str
    plan: Plan
    file: str
    metadata: dict[str, str]
    endpoint: str
    requests: list[dict[str, Any]]
    made: float
    polls: int = 0
    status: str = "validating"
    output: str | None = None
    error: str | None = None

    def packet(self) -> dict[str, Any]:
        """The object as the API shows it."""
        ended = self.status not in ("validating", "in_progress")
        total = len(self.requests)
        return {
            "id": self.id,
            "object": "batch",
            "endpoint": self.endpoint,
            "input_file_id": self.file,
            "completion_window": "24h",
            "status": self.status,
            "created_at": int(self.made),
            "metadata": self.metadata,
            "output_file_id": self.output,
            "error_file_id": self.error,
            "request_counts": {"total": total, "completed": total * ended, "failed": 0},
            "errors": {"object": "list", "data": list(self.plan.errors)}
            if self.status == "failed"
            else None,
        }


@dataclass
class Stats:
    """What the server was asked for, and what it carried out."""

    calls: Counter[str] = field(default_factory=Counter)
    executed: Counter[str] = field(default_factory=Counter)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


def route_of(path: str) -> str:
    """A path without version and ids: /v1/batches/batch_3 is /batches/ID."""
    plain = re.sub(r"^.*?(?=/(files|batches|chat)\b)", "", path.partition("?")[0])
    return re.sub(r"/(files|batches)/[^/]+", r"/\1/ID", plain)


def multipart(headers: dict[str, str], body: bytes) -> dict[str, bytes]:
    """The fields of a form."""
    boundary = headers["content-type"].partition("boundary=")[2].strip('"').encode()
    fields = {}
    for part in body.split(b"--" + boundary)[1:-1]:
        top, _, data = part.partition(b"\r\n\r\n")
        name = re.search(rb'name="([^"]*)"', top)
        assert name is not None
        fields[name[1].decode()] = data.removesuffix(b"\r\n")
    return fields


class BatchServer(Server):
    """Batches follow `plans` in the order in which they are made; the last one repeats."""

    def __init__(
        self,
        responder: Responder,
        plans: Sequence[Plan] = (Plan(),),
        fault: Fault = lambda method, route, before: None,
    ) -> None:
        super().__init__(responder)
        self.plans, self.fault = list(plans), fault
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, Batch] = {}
        self.stats = Stats()

    async def _handle(self, connection: Connection) -> bool:
        method, path, headers, body = await connection.request()
        route = route_of(path)
        if path == "/stats":
            await connection.send_json(self.told())
            return True
        if route == "/chat/completions":
            return await self._chat(connection, path, headers, body)
        self.stats.headers.append(headers)
        self.stats.paths.append(path)
        name = f"{method} {route}"
        before, self.stats.calls[name] = self.stats.calls[name], self.stats.calls[name] + 1
        fault = self.fault(method, route, before)
        if fault is not None and fault.fault == "disconnect" and not fault.delay:
            return False
        refused = fault is not None and fault.status != 200
        if not refused or (fault is not None and fault.delay):
            answer, status = self._answer_to(name, path.partition("?"), headers, body)
        if fault is not None:
            await asyncio.sleep(fault.delay)
            if fault.fault == "disconnect":
                return False
        if fault is not None and refused:
            error = {"error": fault.error or {"message": f"HTTP {fault.status}"}}
            await connection.send_json(error, fault.status, fault.headers)
            return True
        if isinstance(answer, bytes):
            cut = fault is not None and fault.fault == "cut"
            length = {"Content-Length": str(len(answer))}
            sent = answer[: len(answer) // 2] if cut else answer
            await connection.send(head(status, "application/octet-stream", length) + sent)
            return not cut
        await connection.send_json(answer, status)
        return True

    def told(self) -> dict[str, Any]:
        """The statistics as JSON."""
        return {
            "calls": self.stats.calls,
            "executed": self.stats.executed,
            "batches": {name: batch.packet() for name, batch in self.batches.items()},
        }

    def _answer_to(
        self, name: str, path: tuple[str, str, str], headers: dict[str, str], body: bytes
    ) -> tuple[Any, int]:
        last = path[0].removesuffix("/content").rpartition("/")[2]
        if name == "POST /files":
            return self._upload(multipart(headers, body)), 200
        if name == "POST /batches":
            return self._make(json.loads(body)), 200
        if name == "GET /batches":
            return self._list(dict(re.findall(r"(\w+)=([^&]*)", path[2]))), 200
        if name == "GET /batches/ID" and last in self.batches:
            return self._look(self.batches[last]), 200
        if name == "GET /files/ID/content" and last in self.files:
            return self.files[last], 200
        if name == "GET /files/ID" and last in self.files:
            return {"id": last, "object": "file", "status": "processed"}, 200
        return {"error": {"message": f"No such object: {last}", "type": "invalid_request"}}, 404

    def _upload(self, fields: dict[str, bytes]) -> dict[str, Any]:
        assert fields["purpose"] == b"batch"
        name = f"file-{len(self.files) + 1}"
        self.files[name] = fields["file"]
        size = len(fields["file"])
        return {"id": name, "object": "file", "bytes": size, "status": "processed"}

    def _make(self, asked: dict[str, Any]) -> dict[str, Any]:
        number = len(self.batches)
        plan = self.plans[min(number, len(self.plans) - 1)]
        lines = self.files[asked["input_file_id"]].splitlines()
        requests = [json.loads(line) for line in lines]
        assert len({each["custom_id"] for each in requests}) == len(requests)
        assert all(each["url"] == asked["endpoint"] for each in requests)
        batch = Batch(
            id=f"batch_{number + 1}",
            plan=plan,
            file=asked["input_file_id"],
            metadata=asked["metadata"],
            endpoint=asked["endpoint"],
            requests=requests,
            made=time.time(),
        )
        self.batches[batch.id] = batch
        return batch.packet()

    def _list(self, query: dict[str, str]) -> dict[str, Any]:
        """The newest first, a page at a time."""
        listed = [batch.packet() for batch in reversed(self.batches.values())]
        ids = [each["id"] for each in listed]
        start = ids.index(query["after"]) + 1 if "after" in query else 0
        end = start + int(query.get("limit", "20"))
        return {"object": "list", "data": listed[start:end], "has_more": end < len(listed)}

    def _look(self, batch: Batch) -> dict[str, Any]:
        batch.polls += 1
        if batch.status in ("validating", "in_progress"):
            batch.status = "in_progress"
            if batch.polls >= batch.plan.polls:
                self._end(batch)
        return batch.packet()

    def _end(self, batch: Batch) -> None:
        """Carries the requests out."""
        plan, good, bad = batch.plan, list(batch.plan.extra), list[bytes]()
        batch.status = plan.status
        if plan.status == "failed":
            return
        for place, request in enumerate(batch.requests):
            if plan.answered is not None and place >= plan.answered:
                code = f"batch_{plan.status}"
                error = {"code": code, "message": "the batch ended before this request"}
                line = {"custom_id": request["custom_id"], "response": None, "error": error}
                if plan.status == "expired":
                    bad.append(json.dumps(line).encode())
                continue
            status, line = self._carry_out(request)
            if place not in plan.silent:
                (good if status == 200 else bad).append(line)
        if good and not plan.gone:
            batch.output = self._write(good * (2 if plan.twice else 1))
        elif plan.gone:
            batch.output = "file-deleted"
        if bad:
            batch.error = self._write(bad)

    def _carry_out(self, request: dict[str, Any]) -> tuple[int, bytes]:
        self.stats.executed[request["custom_id"]] += 1
        self.stats.bodies.append(request["body"])
        text = "\n".join(str(each.get("content") or "") for each in request["body"]["messages"])
        self._attempts[text] += 1
        number = len(self.stats.bodies)
        call = Call(number, text, self._attempts[text], request["body"], {}, "", time.time())
        reply = self.responder(call)
        if reply.body is not None:
            return 200, reply.body
        body: Any = json.loads(complete(reply, call))
        if reply.status != 200 or reply.error is not None:
            body = {"error": reply.error or {"message": f"HTTP {reply.status}"}}
        response = {"status_code": reply.status, "request_id": f"req-{number}", "body": body}
        line = {"id": f"batch_req_{number}", "custom_id": request["custom_id"]}
        return reply.status, json.dumps({**line, "response": response, "error": None}).encode()

    def _write(self, lines: Sequence[bytes]) -> str:
        name = f"file-{len(self.files) + 1}"
        self.files[name] = b"".join(line + b"\n" for line in lines)
        return name


def by_call(table: dict[str, Sequence[Reply | None]]) -> Fault:
    """ "POST /batches" -> what its first, second, … call gets instead of its answer (None: its
    answer)."""

    def fault(method: str, route: str, before: int) -> Reply | None:
        replies = table.get(f"{method} {route}", ())
        return replies[before] if before < len(replies) else None

    return fault


@contextlib.contextmanager
def serve_batches(
    responder: Responder, plans: Sequence[Plan] = (Plan(),), fault: Fault | None = None
) -> Iterator[BatchServer]:
    """A running server in a thread of its own, for the length of the block."""
    server = BatchServer(responder, plans, fault or by_call({}))
    loop, ready, stop = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

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

    thread = threading.Thread(target=run, name="scripted batch server", daemon=True)
    thread.start()
    assert ready.wait(10), "the scripted batch server did not start"
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)


# --- As a process ----------------------------------------------------------------------------


async def run_process(args: argparse.Namespace) -> None:
    """Serve until SIGTERM or `--max-seconds`, so that a forgotten server ends by itself."""
    held = {}
    for text in args.hold:
        name, _, seconds = text.rpartition("=")
        held[name] = [Reply(delay=float(seconds))]
    server, stop = BatchServer(hashed(), [Plan(polls=args.polls)], by_call(held)), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with server.listening():
        partial = args.port_file.with_name(args.port_file.name + ".part")
        partial.write_text(str(server.port))
        partial.replace(args.port_file)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), args.max_seconds)


def main(argv: list[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--port-file", type=Path, required=True, help="written once it listens")
    parser.add_argument("--polls", type=int, default=1, help="looks at a batch until it has ended")
    parser.add_argument(
        "--hold",
        action="append",
        default=[],
        help="'POST /batches=1': the first call's answer waits",
    )
    parser.add_argument("--max-seconds", type=float, default=600.0)
    asyncio.run(run_process(parser.parse_args(argv)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

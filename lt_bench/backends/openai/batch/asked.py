"""One request on its way through batches."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from lt_bench.backends.base import Request
from lt_bench.backends.openai.dialect import Dialect, payload
from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.records import Turn

NEUTRAL = Dialect(stream=False)
"""A request keeps its name in whatever dialect it is asked at last."""


@dataclass(slots=True, eq=False)
class Asked:
    """`id` is its name in files at the server; `attempts` counts the batches it was in, the present one
    included; `expired`: one of them ran out of time before this request was answered."""

    id: str
    request: Request
    attempts: int = 1
    expired: bool = False
    callers: list[asyncio.Future[Turn]] = field(default_factory=list)

    def caller(self) -> asyncio.Future[Turn]:
        """One more who waits for the answer; the very same request is sent once."""
        self.callers.append(asyncio.get_running_loop().create_future())
        return self.callers[-1]

    @property
    def settled(self) -> bool:
        """Nobody waits any more."""
        return all(caller.done() for caller in self.callers)

    def give(self, turn: Turn) -> None:
        for caller in self.callers:
            if not caller.done():
                caller.set_result(turn)

    def fail(self, error: Exception) -> None:
        for caller in self.callers:
            if not caller.done():
                caller.set_exception(error)


def body_of(model: str, request: Request, dialect: Dialect, extra: dict[str, Any]) -> bytes:
    """The JSON body of one request."""
    return payload(model, request.prompt, request.sampling, dialect, extra, request.answer_schema)


def id_of(model: str, request: Request, options: OpenAIOptions) -> str:
    """The same name for the same sample of the same row, asked in the same words, on every day."""
    body = body_of(model, request, NEUTRAL, options.extra_body)
    row = f"{request.example_id}\0{request.sample_index}".encode("utf-8", "surrogatepass")
    return "lt-" + sha256(body + b"\0" + row).hexdigest()[:32]

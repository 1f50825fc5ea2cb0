"""A backend: answers with the last message, louder if asked."""

from __future__ import annotations

from typing import Any, Self

from lt_bench.backends import ModelFacts, Request
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError
from lt_bench.records import Generation, Turn, Usage


class EchoOptions(Config):
    """What `--set backend.KEY=VALUE` may set."""

    ending: str = "!"


class EchoBackend:
    """`echo/plain` repeats, `echo/loud` shouts."""

    concurrency = 8

    def __init__(self, target: str, options: dict[str, Any]) -> None:
        if target not in ("plain", "loud"):
            raise UsageError(f"there is no echo/{target}", "use echo/plain or echo/loud")
        self.target, self.options = target, validate(EchoOptions, options, f"backend echo/{target}")

    @property
    def facts(self) -> ModelFacts:
        return ModelFacts(
            name=f"echo/{self.target}",
            backend="echo",
            fingerprint=f"echo-{self.target}-1",
            counted_by="engine",
            settings=self.options.model_dump(),
        )

    async def generate(self, request: Request) -> Generation:
        text = request.prompt.messages[-1].content
        reply = text.upper() + self.options.ending if self.target == "loud" else text
        words = len(reply.split())
        usage = Usage(
            prompt=len(text.split()),
            output=words,
            reasoning=0,
            reply=words,
            markup=0,
            counted_by="engine",
        )
        turn = Turn(reasoning=None, reply=reply, finish_reason="stop", usage=usage, raw=reply)
        return Generation(turns=(turn,))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        return None

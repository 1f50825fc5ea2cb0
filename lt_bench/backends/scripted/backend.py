"""The backend `scripted`: a model whose answers and failures are written down, for tests and demos."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Self

from pydantic import Field

from lt_bench.backends.base import ModelFacts, Request
from lt_bench.backends.endpoint_flags import refuse_endpoint_flags
from lt_bench.backends.scripted.answers import Fault
from lt_bench.backends.scripted.asked import Asked
from lt_bench.backends.scripted.attempts import Attempts
from lt_bench.backends.scripted.script import Script
from lt_bench.backends.scripted.speech import turn_of
from lt_bench.config import Config, validate
from lt_bench.errors import RowError, UsageError
from lt_bench.records import Generation


class ScriptedOptions(Config):
    """`concurrency`: requests in flight."""

    concurrency: int = Field(default=64, ge=1)


class ScriptedBackend:
    """`scripted/FILE`: the answers of a rule table.

    Which attempt a request is, is counted while the backend is open; a new one begins at 1.

    Raises:
        UsageError: an unknown option, or a file that is no script.
    """

    def __init__(self, target: str, options: dict[str, Any]) -> None:
        elsewhere = {key: value for key, value in options.items() if key != "concurrency"}
        refuse_endpoint_flags(f"scripted/{target}", elsewhere)
        self.concurrency = validate(ScriptedOptions, options, "scripted backend").concurrency
        if not target:
            raise UsageError("scripted/ needs a file", "write scripted/FILE.yaml")
        self._script = Script(Path(target).expanduser())
        self._attempts = Attempts()

    @property
    def facts(self) -> ModelFacts:
        return ModelFacts(
            name=self._script.path.name,
            backend="scripted",
            fingerprint=self._script.fingerprint,
            counted_by=self._script.counted_by,
        )

    async def __aenter__(self) -> Self:
        self._attempts = Attempts()
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._attempts = Attempts()

    async def generate(self, request: Request) -> Generation:
        # The loop's own time, so that a script also plays in simulated time.
        clock = asyncio.get_running_loop().time
        began = clock()
        answer = self._script.answer(Asked(request, self._attempts.next(request)))
        if answer.delay:
            await asyncio.sleep(answer.delay)
        if isinstance(answer, Fault):
            raise RowError(answer.fault, f"{self._script.path}: the script says {answer.fault}")
        if answer.finish_reason == "content_filter":
            raise RowError("content_filter", f"{self._script.path}: the script's filter says no")
        seconds = clock() - began
        return Generation(turns=(turn_of(answer, request, self._script.counts_words, seconds),))

"""The backend of an imported run: it answers from a log, as `replay/` does from a predictions file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from lt_bench.backends.base import ModelFacts, Request
from lt_bench.backends.recount import load_tokenizer
from lt_bench.backends.replay.backend import ReplayBackend
from lt_bench.backends.replay.predictions import Prediction, Predictions
from lt_bench.config import digest, file_sha
from lt_bench.errors import RowError
from lt_bench.integrations.runs.log import Log, Logged
from lt_bench.integrations.runs.matching import Place
from lt_bench.records import CountedBy, Generation


class Recorded(Predictions):
    """The answers of a log by (example id, sample index), for a backend to look up."""

    def __init__(self, path: Path, answers: Mapping[Place, Logged]) -> None:
        self.path, self._logged = path, answers
        self._rows = {place: one.turns for place, one in answers.items()}
        self._ids = {name: 1 + index for name, index in sorted(answers)}

    def failed(self, example_id: str, sample_index: int) -> RowError | None:
        """Why the log has no answer for a sample that it names."""
        logged = self._logged.get((example_id, sample_index))
        if logged is None or logged.failure is None:
            return None
        return RowError(logged.failure.kind, f"{logged.where}: {logged.failure.message}")

    def told(self) -> set[CountedBy | None]:
        """Who counted the tokens of answers that are there."""
        every = (turn for turns in self._rows.values() for turn in turns if _has_words(turn))
        return {turn.usage.counted_by if turn.usage else None for turn in every}


class ImportBackend(ReplayBackend):
    """Answers from a log. `options` are those of `replay/`: tokenizer, family, opened, tool_form."""

    def __init__(
        self, log: Log, name: str, answers: Mapping[Place, Logged], options: Mapping[str, Any]
    ) -> None:
        super().__init__(str(log.path), dict(options))
        self._log, self._name = log, name
        self._recorded = Recorded(log.path, answers)

    async def __aenter__(self) -> Self:
        self._predictions = self._recorded
        if self._options.tokenizer:
            self._tokenizer = load_tokenizer(self._options.tokenizer)
        sha = file_sha(self._log.path)
        self._facts = ModelFacts(
            name=self._name,
            backend=f"import/{self._log.format}",
            fingerprint=digest([self._name, sha]),
            counted_by=self._counter(self._recorded),
            settings={
                **self._options.model_dump(exclude_defaults=True),
                "log": self._log.path.name,
                "log_sha": sha,
                **({"harness": self._log.harness} if self._log.harness else {}),
            },
        )
        return self

    async def generate(self, request: Request) -> Generation:
        """The answer of the log.

        Raises:
            RowError: it has none ("missing"), or the provider filtered it.
        """
        failed = self._recorded.failed(request.example_id, request.sample_index)
        if failed is not None:
            raise failed
        found = self._recorded.get(request.example_id, request.sample_index, request.turn)
        if found is not None and not _has_words(found) and found.finish_reason != "content_filter":
            raise RowError("missing", f"{self._path}: it holds neither content nor reasoning")
        generation = await super().generate(request)
        if self._log.tells_end:
            return generation
        turns = (
            turn.model_copy(update={"notes": (*turn.notes, "end_unknown")})
            for turn in generation.turns
        )
        return Generation(turns=tuple(turns))


def _has_words(turn: Prediction) -> bool:
    return turn.output is not None or turn.reasoning is not None or bool(turn.tool_calls)

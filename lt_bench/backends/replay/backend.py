"""Answers from a file: scores what was generated elsewhere, and is the fake model of every test."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from lt_bench.backends.base import ModelFacts, Request
from lt_bench.backends.endpoint_flags import refuse_endpoint_flags
from lt_bench.backends.recount import Tokenizer, count, count_calls, load_tokenizer, spans_of
from lt_bench.backends.replay.predictions import Prediction, Predictions
from lt_bench.backends.turn import turn_from_fields, turn_from_text
from lt_bench.config import Config, file_sha, validate
from lt_bench.errors import RowError, UsageError
from lt_bench.records import CountedBy, Generation, Note, Turn, Usage
from lt_bench.text.families import check as check_family
from lt_bench.text.tool_calls import check as check_form
from lt_bench.text.tool_calls import form_for


class ReplayOptions(Config):
    """`tokenizer`: a folder or hub name that counts rows without `usage`; `family` and `opened`:
    how the outputs mark thinking, as `split_reasoning` takes them; `tool_form`: how they write calls, in
    rows with tools."""

    tokenizer: str | None = None
    family: str = "auto"
    opened: bool = False
    tool_form: str = "auto"


class ReplayBackend:
    """`replay/FILE`: the answers of a predictions file.

    Counts come from the row's `usage`, else from `tokenizer`, else there are none and what needs
    them is not applicable.
    """

    concurrency = 64

    def __init__(self, target: str, options: dict[str, Any]) -> None:
        refuse_endpoint_flags(f"replay/{target}", options)
        self._options = validate(ReplayOptions, options, "replay backend")
        check_family(self._options.family)
        check_form(self._options.tool_form)
        if not target:
            raise UsageError("replay/ needs a file", "write replay/FILE")
        self._path = Path(target).expanduser()
        self._predictions: Predictions | None = None
        self._tokenizer: Tokenizer | None = None
        self._facts: ModelFacts | None = None

    @property
    def facts(self) -> ModelFacts:
        if self._facts is None:
            raise RuntimeError("the backend has not been entered")
        return self._facts

    async def __aenter__(self) -> Self:
        self._predictions = Predictions(self._path)
        if self._options.tokenizer:
            self._tokenizer = load_tokenizer(self._options.tokenizer)
        self._facts = ModelFacts(
            name=self._path.name,
            backend="replay",
            fingerprint=file_sha(self._path),
            counted_by=self._counter(self._predictions),
            settings={
                **self._options.model_dump(exclude={"tool_form"}),
                **self._options.model_dump(include={"tool_form"}, exclude_defaults=True),
            },
        )
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._predictions = self._tokenizer = None

    async def generate(self, request: Request) -> Generation:
        if self._predictions is None:
            raise RuntimeError("the backend has not been entered")
        row = self._predictions.get(request.example_id, request.sample_index, request.turn)
        if row is None:
            why = self._predictions.why_missing(request.example_id, request.sample_index)
            raise RowError("missing", why)
        if row.finish_reason == "content_filter":
            raise RowError("content_filter", f"{self._path}: the provider filtered this answer")
        if row.output is None and row.reasoning is None and not row.tool_calls:
            raise RowError("empty", f"{self._path}: the server sent neither content nor reasoning")
        form = form_for(request.prompt, self._options.tool_form)
        return Generation(turns=(self._turn(row, request.sampling.stop, form),))

    def _counter(self, predictions: Predictions) -> CountedBy | None:
        """Who counts; None also when the rows of one file were counted by several."""
        found = predictions.counters()
        if self._tokenizer and None in found:
            found = found - {None} | {"tokenizer"}
        return next(iter(found)) if len(found) == 1 else None

    def _turn(self, row: Prediction, stop: tuple[str, ...], tool_form: str) -> Turn:
        if row.reasoning is not None or row.output is None or row.tool_calls:
            return self._separated(row, stop, tool_form)
        raw, usage = row.output, row.usage
        counts = _Counts(raw, None if usage and usage.reasoning else self._tokenizer)
        turn = turn_from_text(
            raw,
            finish_reason=row.finish_reason,
            prompt_tokens=usage.prompt if usage else None,
            spans=counts.spans,
            counted_by=usage.counted_by if usage else "tokenizer",
            output_tokens=usage.output if usage else counts.total,
            family=self._options.family,
            opened=self._options.opened,
            stop=stop,
            tool_form=tool_form,
            notes=counts.notes,
        )
        # A provider that reports 0 reasoning tokens beside a trace did not count them.
        if usage and (usage.reasoning or (usage.reasoning == 0 and not turn.reasoning)):
            kept = tuple(note for note in turn.notes if note != "reasoning_uncounted")
            return turn.model_copy(update={"usage": usage, "notes": kept})
        return turn

    def _separated(self, row: Prediction, stop: tuple[str, ...], tool_form: str) -> Turn:
        """A row whose trace or calls are fields of their own: the tags, if it had any, cannot be
        counted."""
        counting = row.usage is None and self._tokenizer is not None
        turn = turn_from_fields(
            reasoning=row.reasoning,
            content=row.output,
            finish_reason=row.finish_reason,
            usage=row.usage,
            stop=stop,
            tool_calls=row.tool_calls,
            tool_form=tool_form,
            notes=("retokenized",) if counting else (),
            family=self._options.family,
        )
        return turn.model_copy(update={"usage": self._counted(row, turn)}) if counting else turn

    def _counted(self, row: Prediction, turn: Turn) -> Usage:
        """Tokens of the fields of a row: of the text as it is, but for the calls in it."""
        assert self._tokenizer is not None
        reasoning = count(row.reasoning or "", self._tokenizer)
        said = turn.reply if turn.tool_calls else row.output or ""
        reply, calls = count(said, self._tokenizer), count_calls(turn.tool_calls, self._tokenizer)
        return Usage(
            prompt=None,
            output=reasoning + reply + calls,
            reasoning=reasoning,
            reply=reply,
            counted_by="tokenizer",
        )


class _Counts:
    """Tokens of one output as far as they can be counted from its text."""

    def __init__(self, raw: str, tokenizer: Tokenizer | None) -> None:
        self.spans = spans_of(raw, tokenizer) if tokenizer else None
        self.total: int | None = None
        self.notes: tuple[Note, ...] = ("retokenized",) if tokenizer else ()
        if tokenizer and self.spans is None:
            self.total = count(raw, tokenizer)

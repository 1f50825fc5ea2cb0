"""A predictions file: answers of some model, one a line.

{"id": "room3-q7", "output": "<think>Sheet says 99.</think>It is 99 yuan."}
{"id": "room3-q8", "sample_index": 1, "reasoning": "...", "output": "Yes.", "finish_reason": "stop",
 "usage": {"prompt_tokens": 310, "completion_tokens": 42}}
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from lt_bench import jsonl
from lt_bench.backends.counts import counted
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import CountedBy, FinishReason, Usage

KEYS = ("id", "output", "sample_index", "reasoning", "finish_reason", "usage")
FINISH: dict[str | None, FinishReason] = {
    None: "stop",
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "content_filter": "content_filter",
}
"""Why an output ended, in the words of the servers people use."""


@dataclass(frozen=True)
class Prediction:
    """One answer of the file. `output` None: the server sent no content."""

    output: str | None
    reasoning: str | None
    finish_reason: FinishReason
    usage: Usage | None


class Predictions:
    """The answers of a file by (example id, sample index).

    Rows without `sample_index` are the samples of their id in order of appearance.

    Raises:
        UsageError: naming the line, when a row is not as described above, when two rows claim one
            sample with different answers, or when there are no rows.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rows: dict[tuple[str, int], Prediction] = {}
        self._ids: dict[str, int] = defaultdict(int)
        lines: dict[tuple[str, int], int] = {}
        for line in jsonl.read(path):
            row = _Row(f"{path}, line {line.number}", line.data)
            example_id, answer = row.example_id(), row.prediction()
            index = row.sample_index()
            key = (example_id, self._ids[example_id] if index is None else index)
            self._ids[example_id] += 1
            if self._rows.setdefault(key, answer) != answer:
                raise row.fault(
                    f"id {example_id!r}, sample {key[1]} stands on line {lines[key]} already, with "
                    "another answer",
                    "number the samples of one id with sample_index, or remove one row",
                )
            lines.setdefault(key, line.number)
        if not self._rows:
            raise UsageError(f"{path} holds no predictions", 'write {"id": …, "output": …} rows')

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, example_id: str, sample_index: int) -> Prediction | None:
        return self._rows.get((example_id, sample_index))

    def counters(self) -> set[CountedBy | None]:
        """Who counted the tokens of the rows; None for rows that nobody counted."""
        return {row.usage.counted_by if row.usage else None for row in self._rows.values()}

    def why_missing(self, example_id: str, sample_index: int) -> str:
        """One sentence on the lack of an answer."""
        if example_id in self._ids:
            has = f"{self._ids[example_id]} sample(s) of id {example_id!r}"
            return f"{self.path} has {has}, not sample {sample_index}"
        return f"{self.path} has no answer for id {example_id!r}"


class _Row:
    """Checks one line, key by key."""

    def __init__(self, where: str, data: Mapping[str, Any]) -> None:
        self.where, self.data = where, data
        for key in data:
            if key not in KEYS:
                raise self.fault(
                    f"unknown key {key!r}.{did_you_mean(key, KEYS)}", f"known: {', '.join(KEYS)}"
                )
        if "output" not in data:
            raise self.fault("no key 'output'", "give the model's text, or null if it sent none")

    def fault(self, what: str, fix: str) -> UsageError:
        return UsageError(f"{self.where}: {what}", fix)

    def example_id(self) -> str:
        value = self.data.get("id")
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        what = f"id is {_shown(value)}, not a string" if "id" in self.data else "no key 'id'"
        raise self.fault(what, "give the id of the example that this answers")

    def sample_index(self) -> int | None:
        value = self.data.get("sample_index")
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
            return value
        raise self.fault(f"sample_index is {_shown(value)}", "count samples from 0")

    def prediction(self) -> Prediction:
        output, reasoning = self._text("output"), self._text("reasoning")
        return Prediction(
            output=output,
            reasoning=reasoning,
            finish_reason=self._finish_reason(),
            usage=self._usage(spoke=bool(output or reasoning)),
        )

    def _text(self, key: str) -> str | None:
        value = self.data.get(key)
        if value is None or isinstance(value, str):
            return value
        raise self.fault(f"{key} is {_shown(value)}, not a string", f"give the {key} as one string")

    def _finish_reason(self) -> FinishReason:
        value = self.data.get("finish_reason")
        if value is None or (isinstance(value, str) and value in FINISH):
            return FINISH[value]
        raise self.fault(
            f"finish_reason is {_shown(value)}",
            "known: stop, length, tool_calls, content_filter",
        )

    def _usage(self, *, spoke: bool) -> Usage | None:
        """Counts as our own record has them, or as OpenAI's servers report them."""
        value = self.data.get("usage")
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.fault(f"usage is {_shown(value)}, not an object", _USAGE_FIX)
        if "completion_tokens" in value:
            usage = counted(value, spoke=spoke, thought=False)
            if usage is None:
                raise self.fault("usage counts nothing that can be true", _USAGE_FIX)
            return usage
        try:
            return Usage.model_validate({"prompt": None, "counted_by": "provider"} | value)
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(map(str, first["loc"]))
            what = f"usage{'.' if key else ''}{key}: {first['msg'].removeprefix('Value error, ')}"
            raise self.fault(what, _USAGE_FIX) from error


_USAGE_FIX = "give {prompt, output, reasoning, reply, markup} or {prompt_tokens, completion_tokens}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."

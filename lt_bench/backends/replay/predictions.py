"""A predictions file: answers of some model, one a line.

{"id": "room3-q7", "output": "<think>Sheet says 99.</think>It is 99 yuan."}
{"id": "room3-q8", "sample_index": 1, "reasoning": "...", "output": "Yes.", "finish_reason": "stop",
 "usage": {"prompt_tokens": 310, "completion_tokens": 42}}

`"tokens": 42` is the short form of a usage that counts the whole output and nothing else.

A dialogue with tools has a list of such answers, one a turn. Calls stand in the output, or apart:

{"id": "order-17", "turns": [{"output": null, "tool_calls": [{"name": "get_order", "arguments":
 {"order_id": "W17"}}]}, {"output": "It was sent on Friday."}]}
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from lt_bench import jsonl
from lt_bench.backends.counts import counted
from lt_bench.backends.openai.fragments import Fragments
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import CountedBy, FinishReason, ToolCall, Usage

ANSWER: Final = ("output", "reasoning", "tool_calls", "finish_reason", "usage", "tokens")
ONE: Final = ("id", "sample_index", *ANSWER, "turns")
SEVERAL: Final = ("id", "sample_index", "turns")
"""Keys of one answer; of a line; and of a line that has an answer for each turn of a dialogue."""
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
    tool_calls: tuple[ToolCall, ...] = ()


class Predictions:
    """The answers of a file by (example id, sample index).

    Rows without `sample_index` are the samples of their id in order of appearance.

    Raises:
        UsageError: naming the line, when a row is not as described above, when two rows claim one
            sample with different answers, or when there are no rows.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rows: dict[tuple[str, int], tuple[Prediction, ...]] = {}
        self._ids: dict[str, int] = defaultdict(int)
        lines: dict[tuple[str, int], int] = {}
        for line in jsonl.read(path):
            row = _Row(f"{path}, line {line.number}", line.data)
            row.check(SEVERAL if "turns" in line.data else ONE)
            example_id, answer = row.example_id(), tuple(row.turns())
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

    def get(self, example_id: str, sample_index: int, turn: int = 0) -> Prediction | None:
        """The answer of one turn, counted from 0."""
        answers = self._rows.get((example_id, sample_index), ())
        return answers[turn] if turn < len(answers) else None

    def items(self) -> Iterator[tuple[str, int, tuple[Prediction, ...]]]:
        """Example id, sample index, and the answers of all its turns."""
        return ((name, index, answers) for (name, index), answers in self._rows.items())

    def counters(self) -> set[CountedBy | None]:
        """Who counted the tokens of the rows; None for rows that nobody counted."""
        every = (answer for answers in self._rows.values() for answer in answers)
        return {answer.usage.counted_by if answer.usage else None for answer in every}

    def why_missing(self, example_id: str, sample_index: int) -> str:
        """One sentence on the lack of an answer."""
        if answers := self._rows.get((example_id, sample_index)):
            return (
                f"{self.path} has {len(answers)} turn(s) of id {example_id!r}, and the last of them "
                "calls a tool"
            )
        if example_id in self._ids:
            has = f"{self._ids[example_id]} sample(s) of id {example_id!r}"
            return f"{self.path} has {has}, not sample {sample_index}"
        return f"{self.path} has no answer for id {example_id!r}"


class _Row:
    """Checks one line, or one turn of it, key by key."""

    def __init__(self, where: str, data: Mapping[str, Any]) -> None:
        self.where, self.data = where, data

    def check(self, known: tuple[str, ...]) -> None:
        """Raises UsageError at a key that is not known."""
        for key in self.data:
            if key not in known:
                raise self.fault(
                    f"unknown key {key!r}.{did_you_mean(key, known)}",
                    f"known: {', '.join(known)}",
                )

    def turns(self) -> Iterator[Prediction]:
        """Every answer of the line: one, but for a dialogue."""
        if "turns" not in self.data:
            yield self.prediction()
            return
        turns = self.data["turns"]
        if not isinstance(turns, list) or not turns:
            raise self.fault(f"turns is {_shown(turns)}, not a list of answers", "give one a turn")
        for number, one in enumerate(turns, 1):
            row = _Row(f"{self.where}, turn {number}", one if isinstance(one, dict) else {})
            if not isinstance(one, dict):
                raise row.fault(f"{_shown(one)} is no object", 'write {"output": …}')
            row.check(ANSWER)
            yield row.prediction()

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
        if "output" not in self.data:
            raise self.fault("no key 'output'", "give the model's text, or null if it sent none")
        output, reasoning, calls = self._text("output"), self._text("reasoning"), self._calls()
        return Prediction(
            output=output,
            reasoning=reasoning,
            finish_reason=self._finish_reason(),
            usage=self._usage(spoke=bool(output or reasoning or calls)),
            tool_calls=calls,
        )

    def _calls(self) -> tuple[ToolCall, ...]:
        """Calls as servers send them, or {name, arguments} alone."""
        value = self.data.get("tool_calls")
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self.fault(f"tool_calls is {_shown(value)}, not a list of objects", _CALLS_FIX)
        found = list[ToolCall]()
        for one in value:
            fragments = Fragments()
            fragments.add(one if "function" in one else {"id": one.get("id"), "function": one})
            found.append(fragments.call())
            if not found[-1].name:
                raise self.fault("a tool call without a name", _CALLS_FIX)
        return tuple(found)

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
            return self._tokens()
        if self.data.get("tokens") is not None:
            raise self.fault("both usage and tokens", "keep one of them")
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

    def _tokens(self) -> Usage | None:
        """A bare count of the whole output."""
        value = self.data.get("tokens")
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.fault(f"tokens is {_shown(value)}, not a number of tokens", "count from 0")
        return Usage(prompt=None, output=value, counted_by="provider")


_CALLS_FIX = 'give [{"name": …, "arguments": {…}}]'
_USAGE_FIX = "give {prompt, output, reasoning, reply, markup} or {prompt_tokens, completion_tokens}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."

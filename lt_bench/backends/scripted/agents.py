"""Agents that need no script of their own: one that follows the gold of a data file, one that calls at
random. The first must score 1 wherever a task scores calls, the second hardly ever."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from lt_bench import catalog, jsonl
from lt_bench.backends.scripted.asked import Asked
from lt_bench.backends.scripted.spoken import Call, Spoken
from lt_bench.config import file_sha
from lt_bench.errors import RowError, UsageError
from lt_bench.records import CallsGold, Example, GoldCall

_WORDS: Final = ("red", "kettle", "A1", "7", "blue", "yes", "2026-01-01", "ann@example.com", "套装")
_DEEPEST: Final = 4


@dataclass(frozen=True)
class GoldAgent:
    """Makes the gold calls of its row, all in the first turn or one a turn, then says the gold answer.

    Raises:
        UsageError: the data file cannot be read.
    """

    data: Path
    together: bool = True

    @cached_property
    def sha(self) -> str:
        return file_sha(self.data)

    def given(self, asked: Asked) -> Spoken:
        """The next step of the row's gold.

        Raises:
            RowError: the file has no such row, or the row no gold calls.
        """
        gold = self._gold.get(asked.request.example_id)
        if gold is None:
            raise RowError(
                "missing", f"{self.data} has no gold calls for {asked.request.example_id!r}"
            )
        calls = [_call(one) for one in gold.calls]
        steps = ([calls] if calls else []) if self.together else [[call] for call in calls]
        turn = asked.request.turn
        if turn < len(steps):
            return Spoken(tool_calls=tuple(steps[turn]))
        return Spoken(text=_answer(gold))

    @cached_property
    def _gold(self) -> dict[str, CallsGold]:
        found = dict[str, CallsGold]()
        for line in jsonl.read(self.data):
            try:
                example = Example.model_validate(line.data)
            except ValueError as error:
                raise UsageError(
                    f"{self.data}, line {line.number} is no example",
                    "give a file that `data build` wrote",
                ) from error
            if isinstance(example.gold, CallsGold):
                found[example.id] = example.gold
        return found


@dataclass(frozen=True)
class RandomAgent:
    """Calls one or two of the tools it is shown, with arguments of the right types and no sense, then
    says something. The same row and sample get the same."""

    salt: str = ""
    words: Sequence[str] = field(default=_WORDS)

    def given(self, asked: Asked) -> Spoken:
        request = asked.request
        draw = random.Random(
            f"{self.salt}|{request.example_id}|{request.sample_index}|{request.turn}"
        )
        tools = request.prompt.tools
        if request.turn or not tools:
            return Spoken(text=" ".join(draw.choices(self.words, k=5)))
        return Spoken(
            tool_calls=tuple(
                self._drawn(draw, draw.choice(tools)) for _ in range(draw.randint(1, 2))
            )
        )

    def _drawn(self, draw: random.Random, tool: Mapping[str, Any]) -> Call:
        function = tool.get("function", tool)
        value = self._value(draw, function.get("parameters") or {"type": "object"}, _DEEPEST)
        return Call(
            name=str(function.get("name")), arguments=value if isinstance(value, dict) else {}
        )

    def _value(self, draw: random.Random, schema: Mapping[str, Any], levels: int) -> Any:
        """A value of the type that the schema names."""
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return draw.choice(schema["enum"])
        kind = schema.get("type", "string")
        kind = kind[0] if isinstance(kind, list) and kind else kind
        if kind == "object" and levels:
            required = schema.get("required", ())
            return {
                name: self._value(draw, inner if isinstance(inner, dict) else {}, levels - 1)
                for name, inner in (schema.get("properties") or {}).items()
                if name in required or draw.random() < 0.3
            }
        if kind == "array" and levels:
            items = schema.get("items")
            inner = items if isinstance(items, dict) else {}
            return [self._value(draw, inner, levels - 1) for _ in range(draw.randint(1, 2))]
        if kind in ("integer", "number"):
            return draw.randint(0, 100)
        return draw.random() < 0.5 if kind == "boolean" else draw.choice(self.words)


Agent = GoldAgent | RandomAgent


def rows_of(data: str | None, task: str | None, folder: Path, where: str) -> Path:
    """The file that an agent reads: beside the script, or the sample of a task.

    Raises:
        UsageError: neither or both are named, or there is no such file.
    """
    if (data is None) == (task is None):
        raise UsageError(f"{where}: the gold agent reads one file", "give data: FILE or task: NAME")
    if task is not None:
        return catalog.find("tasks", task) / "sample" / "test.jsonl"
    file = folder / Path(str(data)).expanduser()
    if not file.is_file():
        raise UsageError(f"{where}: there is no file {file}", "name it relative to the script")
    return file


def _call(gold: GoldCall) -> Call:
    """A call that the gold accepts: its own arguments, and the first accepted value of others."""
    accepted = {
        name: values[0]
        for name, values in gold.accept.items()
        if name not in gold.arguments and name not in gold.optional and values
    }
    return Call(name=gold.name, arguments={**gold.arguments, **accepted})


def _answer(gold: CallsGold) -> str:
    """Words that the gold takes for right."""
    told = gold.answer
    said = (told.reference or ", ".join(told.must_include)) if told else ""
    if gold.type == "clarify" and not any(mark in said for mark in "?？"):
        return f"{said}?" if said else "Which one do you mean?"
    return said or "It is done."

"""Rows of task tool_dialogue from foreign tool data: what was asked, the tools, and the gold calls.

Such a row has no world: the dialogue ends with the first turn that calls, and what it did to a
store cannot be told.
"""

from __future__ import annotations

import json
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final, Literal

from lt_bench.builders.offered import tool_faults
from lt_bench.builders.problem import Inspected, RowFault, strict, unique
from lt_bench.errors import UsageError
from lt_bench.records import (
    CallsGold,
    Document,
    Example,
    GoldAnswer,
    GoldCall,
    Lang,
    Utterance,
)

TASK: Final = "tool_dialogue"


class ToolFiles(ABC):
    """Reads files of one set of tool data. A subclass says what is in a file."""

    sought = "rows"

    @abstractmethod
    def rows(self, path: Path) -> Iterator[Inspected]:
        """The rows of a file, or what is wrong with each."""

    def inspect(self, path: Path) -> Iterator[Inspected]:
        """The same, with an error in place of every second row of one id.

        Raises:
            UsageError: the file holds none, or cannot be read further.
        """
        return unique(self._some(path))

    def read(self, path: Path) -> Iterator[Example]:
        """The rows of a file in order. Warnings are logged.

        Raises:
            UsageError: at the first row that does not fit, with line, field and fix.
        """
        return strict(path, self.inspect(path))

    def _some(self, path: Path) -> Iterator[Inspected]:
        items = self.rows(path)
        first = next(items, None)
        if first is None:
            raise UsageError(f"{path} has no {self.sought}", "name a file that holds some")
        yield from chain((first,), items)


@dataclass(frozen=True)
class Said:
    """One message before the question. `calls` are those that an assistant made in it, `name` the
    tool that speaks."""

    role: Literal["user", "assistant", "tool"]
    content: str
    calls: tuple[GoldCall, ...] = ()
    name: str = ""

    def utterance(self) -> Utterance:
        """Past calls as text: an Utterance has no field for them."""
        texts = [self.content.strip(), *map(call_text, self.calls)]
        return Utterance(role=self.role, name=self.name, content="\n".join(filter(None, texts)))


def call_text(call: GoldCall) -> str:
    """A call as models write it."""
    body = json.dumps({"name": call.name, "arguments": call.arguments}, ensure_ascii=False)
    return f"<tool_call>\n{body}\n</tool_call>"


@dataclass(frozen=True)
class Asked:
    """What one row asks. `system` is what was said to the agent before all else."""

    id: str
    question: str
    tools: tuple[dict[str, Any], ...]
    gold: CallsGold | None
    group: str
    tags: tuple[str, ...]
    source: str
    license: str
    history: tuple[Said, ...] = ()
    system: str = ""


def to_example(asked: Asked) -> Example:
    """A row.

    Raises:
        RowFault: it asks nothing, a tool has no schema to be read, or gold calls one that is not there.
    """
    if not asked.question.strip():
        raise RowFault("question", "is empty", "a row needs what the user says last")
    _check_tools(asked)
    said = tuple(one.utterance() for one in asked.history)
    text = " ".join([asked.question, *(line.content for line in said if line.role == "user")])
    policy = (Document(id="policy", kind="policy", text=asked.system),) if asked.system else ()
    return Example(
        id=asked.id,
        task=TASK,
        question=asked.question,
        history=said,
        documents=policy,
        tools=asked.tools,
        gold=asked.gold,
        group=asked.group,
        tags=asked.tags,
        lang=language(text),
        source=asked.source,
        license=asked.license,
    )


def _check_tools(asked: Asked) -> None:
    for fault in tool_faults(asked.tools):
        raise fault
    known = {one["function"]["name"] for one in asked.tools}
    calls = asked.gold.calls if asked.gold else ()
    strange = next((call.name for call in calls if call.name not in known), None)
    if strange is not None:
        there = ", ".join(sorted(known)[:12]) or "none"
        raise RowFault("calls", f"the row has no tool {strange!r}", f"its tools: {there}")


def calls_gold(
    calls: Iterable[GoldCall],
    reply: str = "",
    *,
    silent: Literal["no_call", "answer"] = "no_call",
    order: Literal["strict", "any"] = "any",
) -> CallsGold:
    """Gold with these calls and what was said in the end; `silent` is its type without any."""
    made = tuple(calls)
    answer = GoldAnswer(reference=reply.strip()) if reply.strip() else None
    return CallsGold(type="call" if made else silent, calls=made, order=order, answer=answer)


def gold_call(data: Any, field: str, key: str = "arguments") -> GoldCall:
    """A call as `{"name": …, "arguments": {…}}`.

    Raises:
        RowFault: it is none.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("name"), str):
        raise RowFault(field, f"is no call with a name: {shown(data)}", "write name and arguments")
    arguments = data.get(key, {})
    if not isinstance(arguments, Mapping):
        raise RowFault(f"{field}.{key}", f"is no object: {shown(arguments)}", "write an object")
    return GoldCall(name=data["name"], arguments=dict(arguments))


def json_value(value: Any, field: str) -> Any:
    """A value that may be JSON within a string.

    Raises:
        RowFault: the string is broken.
    """
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        what = getattr(error, "msg", "nested too deep")
        raise RowFault(field, f"is broken JSON: {what}", "fetch the file again") from error


def list_of_objects(value: Any, field: str) -> list[dict[str, Any]]:
    """A list of objects, which may be JSON within a string.

    Raises:
        RowFault: it is none.
    """
    found = json_value(value, field)
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise RowFault(field, f"is no list of objects: {shown(found)}", "fetch the file again")
    return found


def text_in(row: Mapping[str, Any], name: str) -> str:
    """A text of a row.

    Raises:
        RowFault: it is missing, or no text.
    """
    value = row.get(name)
    if not isinstance(value, str):
        what = "is missing" if name not in row else f"is no text: {shown(value)}"
        raise RowFault(name, what, f"the row has: {', '.join(list(row)[:12]) or 'nothing'}")
    return value


def shown(value: Any) -> str:
    """A value, short enough to read."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def language(text: str) -> Lang:
    """zh where Han characters are, mix in any other script than Latin; en otherwise, which Latin
    letters alone cannot tell from other languages."""
    names = {
        unicodedata.name(char, "").partition(" ")[0]
        for char in text
        if ord(char) > 0x24F and char.isalpha()
    }
    scripts = names - {"LATIN", "FULLWIDTH", "MICRO", "MODIFIER", "MATHEMATICAL"}
    if not scripts:
        return "en"
    return "zh" if scripts == {"CJK"} else "mix"

"""From a played situation to a row, and to the reference dialogue that leads through it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from lt_bench.builders.base import ActedTurn, ReferenceDialogue
from lt_bench.builders.tool_dialogue.rivals import must_not
from lt_bench.builders.tool_dialogue.stage import Ending, Stage
from lt_bench.environments.shop import ShopLang, tool_schemas
from lt_bench.records import CallsGold, Example, GoldAnswer, ToolCall, ToolResult

TASK: Final = "tool_dialogue"
VERSION: Final = 1
SOURCE: Final = f"lt-bench {TASK} generator v{VERSION}"
LICENSE: Final = "Apache-2.0"


@dataclass(frozen=True)
class Played:
    """A stage that has come to its end, and the state it left. `name` is the situation's."""

    stage: Stage
    ending: Ending
    name: str
    state: str


def example_of(played: Played, row_id: str, group: str) -> Example:
    """The row with its gold."""
    stage, ending = played.stage, played.ending
    calls = tuple(call for step in stage.steps for call in step.calls)
    answer = GoldAnswer(
        must_include=ending.must,
        must_not_include=must_not(stage, ending),
        accept=dict(ending.accept),
        reference=ending.reply,
    )
    gold = CallsGold(
        type=ending.kind,
        calls=calls,
        order="strict" if len(stage.steps) > 1 else "any",
        end_state=played.state,
        answer=answer,
    )
    return Example(
        id=row_id,
        task=TASK,
        question=stage.question,
        history=tuple(stage.history),
        tools=_tools(stage.language.code),
        world=stage.world,
        gold=gold,
        group=group,
        tags=tuple(dict.fromkeys(_tags(played))),
        lang=stage.language.code,
        source=SOURCE,
        license=LICENSE,
    )


@cache
def _tools(lang: ShopLang) -> tuple[dict[str, Any], ...]:
    """The tools of a shop, made once: rows share them."""
    return tool_schemas(lang)


def dialogue_of(played: Played, example: Example) -> ReferenceDialogue:
    """Thoughts, calls, results and the reply. Calls are numbered through the dialogue."""
    turns: list[ActedTurn] = []
    number = 0
    for step in played.stage.steps:
        calls, results = [], []
        for call, outcome in zip(step.calls, step.outcomes, strict=True):
            number += 1
            name = f"call_{number}"
            calls.append(ToolCall(id=name, name=call.name, arguments=call.arguments))
            results.append(ToolResult(call_id=name, content=outcome.content, error=outcome.error))
        turns.append(ActedTurn(step.thought, tuple(calls), tuple(results)))
    turns.append(ActedTurn(played.ending.thought, reply=played.ending.reply))
    return ReferenceDialogue(example, tuple(turns))


def _tags(played: Played) -> Iterator[str]:
    stage, ending = played.stage, played.ending
    sizes = [len(step.calls) for step in stage.steps]
    yield f"type:{_type(ending.kind, sizes)}"
    yield f"intent:{played.name}"
    yield f"calls:{sum(sizes)}"
    yield f"turns:{len(stage.history) // 2 + 1}"
    yield from stage.tags
    yield f"difficulty:{_difficulty(sizes, stage.tags)}"


def _type(kind: str, sizes: list[int]) -> str:
    """The type of gold, calls told apart by how they hang together."""
    if kind != "call":
        return kind
    if len(sizes) > 1:
        return "chain"
    return "parallel" if sizes[0] > 1 else "call"


def _difficulty(sizes: list[int], tags: list[str]) -> str:
    """By the calls that are needed, and by what is there to stumble over."""
    stones = sum(tag.startswith(("case:", "ref:", "noise:")) for tag in tags)
    load = max(0, sum(sizes) - 1) + stones
    return ("easy", "medium", "hard")[min(load, 2)]

"""Rows and dialogues of a tool agent, in few words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from lt_bench.records import (
    CallsGold,
    Example,
    Generation,
    GoldAnswer,
    GoldCall,
    Sample,
    SampleKey,
    Score,
    ToolCall,
    ToolResult,
    Turn,
    World,
)
from lt_bench.scorers import ScoringContext, score_sample
from lt_bench.scorers.tools import ToolScorer

START, END = "0" * 64, "1" * 64
"""State of a world before, and after what gold does."""


def tool(name: str, *required: str) -> dict[str, Any]:
    """A tool whose arguments are texts."""
    properties = {argument: {"type": "string"} for argument in required}
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


TOOLS = (tool("order_status", "order"), tool("cancel_order", "order"), tool("get_price", "sku"))


def gold_call(name: str, **arguments: Any) -> GoldCall:
    return GoldCall(name=name, arguments=arguments)


def row(
    kind: str,
    *calls: GoldCall,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    end: str | None = None,
    world: bool = True,
    order: str = "any",
    question: str = "Please help me with my order?",
    name: str = "r",
) -> Example:
    """A row; with `world` its gold end state is `end`, the start where none is given."""
    says = include or exclude
    answer = GoldAnswer(must_include=tuple(include), must_not_include=tuple(exclude))
    gold = CallsGold.model_validate(
        {
            "type": kind,
            "calls": calls,
            "order": order,
            "end_state": (end or START) if world else None,
            "answer": answer if says else None,
        }
    )
    return Example(
        id=name,
        task="tool_dialogue",
        question=question,
        tools=TOOLS,
        world=World(kind="shop", seed=1) if world else None,
        gold=gold,
        group=name,
    )


def call(name: str, malformed: str | None = None, **arguments: Any) -> ToolCall:
    return ToolCall(name=name, arguments=arguments, malformed=malformed)


def turn(*calls: ToolCall, reply: str = "", failed: bool = False, finish: str = "stop") -> Turn:
    """One turn; its calls are numbered and, unless the tools failed, went well."""
    made = tuple(one.model_copy(update={"id": f"c{place}"}) for place, one in enumerate(calls))
    results = tuple(ToolResult(call_id=one.id, content="…", error=failed) for one in made)
    return Turn.model_validate(
        {
            "reasoning": None,
            "reply": reply,
            "tool_calls": made,
            "tool_results": results,
            "finish_reason": "tool_calls" if made else finish,
            "usage": None,
        }
    )


def dialogue(*turns: Turn, end: str | None = START) -> Generation:
    return Generation(turns=turns, end_state_sha=end)


def sample(generation: Generation, name: str = "r", index: int = 0) -> Sample:
    key = SampleKey(example_id=name, sample_index=index, request_sha="0")
    return Sample(key=key, status=generation.status, generation=generation)


def scores(example: Example, generation: Generation, **options: Any) -> dict[str, Score]:
    """All scores by name, by the rules that hold for every scorer."""
    scorer = ToolScorer(ScoringContext(), options)
    found = asyncio.run(score_sample(scorer, example, sample(generation, example.id)))
    assert [one.name for one in found] == [metric.name for metric in scorer.metrics]
    return {one.name: one for one in found}


def values(example: Example, generation: Generation, **options: Any) -> dict[str, float]:
    """The scores that have a value."""
    found = scores(example, generation, **options)
    assert {one.reason for one in found.values()} <= {None, "not_applicable"}
    return {name: one.value for name, one in found.items() if one.value is not None}

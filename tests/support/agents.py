"""A task of shop dialogues for tests, and a server that plays an agent in them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from support.server import Call, Reply, Responder

from lt_bench.environments import open_world
from lt_bench.records import CallsGold, Example, GoldAnswer, GoldCall, World
from lt_bench.task import Task

TASK = """name: shop_talk
version: 1
summary: dialogues in a shop
builder: {use: commerce_qa}
sampling: {max_tokens: 256}
options: {max_turns: 4}
scorers: [{use: tools}, {use: cost}]
headline: [task_success, truncated]
"""
PROMPT = """[system]
You serve the customers of a shop.
[history]
[user]
{{ example.question }}
"""


def shop_rows(count: int) -> list[Example]:
    """Rows whose gold was made in the world: an order that is cancelled, two products looked at, a
    question that needs no tool, a request that lacks something."""
    return [_row(number) for number in range(count)]


def _row(number: int) -> Example:
    world = World(kind="shop", seed=number // 4)
    with open_world(world) as shop:
        tools = shop.tools
        store = shop.shop  # type: ignore[attr-defined]
        kind = ("call", "call", "no_call", "clarify")[number % 4]
        calls, said, question = _wanted(number, store)
        for call in calls:
            outcome = shop.call(call.name, call.arguments)
            assert not outcome.error, outcome.content
        gold = CallsGold(
            type=kind,  # type: ignore[arg-type]
            calls=calls,
            end_state=shop.state_sha(),
            answer=GoldAnswer(
                must_include=said, reference=f"Here: {', '.join(said)}" if said else ""
            ),
        )
    return Example(
        id=f"shop-{number}",
        task="shop_talk",
        question=question,
        tools=tools,
        world=world,
        gold=gold,
        group=f"shop-{number}",
        tags=(f"type:{kind}",),
    )


def _wanted(number: int, store: Any) -> tuple[tuple[GoldCall, ...], tuple[str, ...], str]:
    """Gold calls, what the answer must say, and the question."""
    match number % 4:
        case 0:
            order = next(one for one in store.orders if one.status == "processing")
            arguments = {"order_id": order.order_id, "reason": "changed_mind"}
            call = GoldCall(name="cancel_order", arguments=arguments)
            return (
                (call,),
                (order.order_id,),
                f"[{number}] Cancel {order.order_id}, I changed my mind.",
            )
        case 1:
            ids = [one.product_id for one in store.products[:2]]
            calls = tuple(
                GoldCall(name="get_product", arguments={"product_id": one}) for one in ids
            )
            return calls, (ids[0],), f"[{number}] Compare {' and '.join(ids)}."
        case 2:
            return (), ("hello",), f"[{number}] Hello there!"
    return (), (), f"[{number}] I want to send something back."


def write_task(folder: Path, rows: Sequence[Example]) -> Path:
    """A catalog with the task; returns its folder."""
    task = folder / "catalog" / "tasks" / "shop_talk"
    (task / "sample").mkdir(parents=True)
    (task / "task.yaml").write_text(TASK)
    (task / "prompt.md").write_text(PROMPT)
    lines = [row.model_dump_json() + "\n" for row in rows]
    (task / "sample" / "test.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder / "catalog"


Agent = Callable[[Example, int], Reply]
"""What it says in one turn of a row."""


def serving(rows: Sequence[Example], agent: Agent, task: Task | None = None) -> Responder:
    """A server that knows each row by its prompt, and a turn by the answers after it."""
    known = {}
    for row in rows:
        asked = task.prompt(row).messages if task else ()
        known[tuple((one.role, one.content) for one in asked) or row.question] = row

    def respond(call: Call) -> Reply:
        said = [(one["role"], one["content"]) for one in call.body["messages"]]
        for end in range(1, len(said) + 1):
            row = known.get(tuple(said[:end])) or known.get(said[end - 1][1])
            if row is not None:
                return agent(row, sum(role == "assistant" for role, _ in said[end:]))
        raise AssertionError(f"no row has the prompt {said}")

    return respond


def native(name: str, arguments: str, number: int = 0) -> dict[str, Any]:
    """A tool call as servers send it."""
    return {
        "id": f"id-{number}",
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }


def perfect(row: Example, turn: int) -> Reply:
    """All gold calls at once, then the gold answer."""
    assert isinstance(row.gold, CallsGold)
    if turn == 0 and row.gold.calls:
        calls = tuple(
            native(call.name, json.dumps(call.arguments), number)
            for number, call in enumerate(row.gold.calls)
        )
        return Reply(None, reasoning="I must look.", tool_calls=calls, finish_reason="tool_calls")
    said = row.gold.answer.reference if row.gold.answer else ""
    return Reply(said or "Which order is it, and which item of it?")


def at_random(row: Example, turn: int) -> Reply:
    """Some tool with some argument, then some words; the same for one row."""
    draw = hashlib.sha256(f"{row.id}|{turn}".encode()).digest()
    if turn:
        return Reply("It is done, thank you.")
    function = row.tools[draw[0] % len(row.tools)]["function"]
    arguments = dict.fromkeys(function["parameters"].get("required", ()), f"A{draw[1]}")
    return Reply(
        None,
        tool_calls=(native(function["name"], json.dumps(arguments)),),
        finish_reason="tool_calls",
    )

"""The reward is the score: no shortcut earns more than an honest solution."""

from __future__ import annotations

from itertools import product

import pytest
from support.tool_rows import END, TOOLS, call, dialogue, gold_call, row, turn, values

from lt_bench.records import Example, Generation, Turn

REWARDS = ("task_success", "tool_f1", "answer_correctness")
STATUS = gold_call("order_status", order="W1")

READ = row("call", STATUS, include=("delivered", "$99"), exclude=("shipped", "pending"))
WRITE = row("call", STATUS, gold_call("cancel_order", order="W1"), include=("cancelled",), end=END)
SINGLE = row("call", STATUS, world=False)
NO_CALL = row("no_call", include=("30 days",))
CLARIFY = row("clarify", include=("order",), question="Cancel my order")
ROWS = {"read": READ, "write": WRITE, "single": SINGLE, "no_call": NO_CALL, "clarify": CLARIFY}

ASK = call("order_status", order="W1")
HONEST = {
    "read": dialogue(turn(ASK), turn(reply="It was delivered and cost $99.")),
    "write": dialogue(
        turn(ASK), turn(call("cancel_order", order="W1")), turn(reply="It is cancelled."), end=END
    ),
    "single": dialogue(turn(ASK), end=None),
    "no_call": dialogue(turn(reply="You have 30 days for that.")),
    "clarify": dialogue(turn(reply="Which order shall I cancel?")),
}

EVERY_TOOL = tuple(call(one["function"]["name"], order="W1", sku="W1") for one in TOOLS)
EVERY_ENTRY = "delivered $99 cancelled 30 days order"
STUFFED = "delivered shipped pending cancelled $99 $89 30 days 60 days order"
DUMP = '{"order": "W1", "status": "delivered", "total": "$99", "cancelled": "30 days"}'
MALFORMED = tuple(call(one["function"]["name"], malformed="{") for one in TOOLS)


def hacks(question: str) -> dict[str, list[Turn]]:
    """Ways to do well without solving the row."""
    return {
        "nothing": [turn()],
        "cut": [turn(finish="length")],
        "calls every tool": [turn(*EVERY_TOOL), turn(reply=EVERY_ENTRY)],
        "calls the same twice": [turn(ASK, ASK), turn(reply="It was delivered and cost $99.")],
        "repeats a call for ever": [turn(ASK) for _ in range(8)],
        "answers without calling": [turn(reply="It was delivered and cost $99.")],
        "empty calls": [turn(*(call("") for _ in range(3))), turn(reply=EVERY_ENTRY)],
        "calls without arguments": [turn(call("order_status")), turn(reply=EVERY_ENTRY)],
        "lists the words": [turn(ASK), turn(reply=EVERY_ENTRY)],
        "lists every word there is": [turn(ASK), turn(reply=STUFFED)],
        "reads out the data": [turn(ASK), turn(reply=DUMP)],
        "asks whether": [turn(ASK), turn(reply="Was it delivered for $99?")],
        "repeats the question": [turn(reply=question)],
        "errors in a loop": [turn(*MALFORMED, failed=True) for _ in range(6)],
        "errors, then a guess": [
            turn(call("order_status", order="?"), failed=True),
            turn(reply="It was delivered and cost $99."),
        ],
        "looks at anything, then a guess": [
            turn(call("get_price", sku="W9")),
            turn(reply="It was delivered and cost $99."),
        ],
        "unknown tools": [turn(call("solve_everything")), turn(reply="It is done.")],
        "asks anything": [turn(reply="Anything else I can help with, or which one?")],
        "offers help": [turn(reply="Is there anything else?")],
    }


HACKS = tuple(hacks(""))


def earned(example: Example, generation: Generation) -> dict[str, float]:
    found = values(example, generation)
    return {name: found[name] for name in REWARDS if name in found}


@pytest.mark.parametrize(("kind", "hack"), list(product(ROWS, HACKS)))
def test_no_shortcut_earns_more_than_an_honest_solution(kind: str, hack: str) -> None:
    example = ROWS[kind]
    honest = earned(example, HONEST[kind])
    assert set(honest.values()) == {1.0}
    found = earned(example, dialogue(*hacks(example.question)[hack]))
    assert all(found[name] <= honest[name] for name in honest)


@pytest.mark.parametrize("hack", [one for one in HACKS if one != "calls the same twice"])
def test_no_shortcut_solves_a_row_that_reads(hack: str) -> None:
    found = values(READ, dialogue(*hacks(READ.question)[hack]))
    assert found["task_success"] == 0.0


@pytest.mark.parametrize("hack", HACKS)
def test_no_shortcut_solves_a_row_that_writes(hack: str) -> None:
    assert values(WRITE, dialogue(*hacks(WRITE.question)[hack]))["task_success"] == 0.0


@pytest.mark.parametrize("hack", [one for one in HACKS if one != "repeats a call for ever"])
def test_no_shortcut_solves_a_single_turn_row(hack: str) -> None:
    turns = hacks(SINGLE.question)[hack]
    first = next((one for one in turns if one.tool_calls), turns[0])
    solved = [one.name for one in first.tool_calls] == ["order_status"] and bool(
        first.tool_calls[0].arguments.get("order") == "W1"
    )
    assert values(SINGLE, dialogue(*turns, end=None))["task_success"] == float(solved)


@pytest.mark.parametrize(
    "hack", [one for one in HACKS if one not in ("asks anything", "asks whether")]
)
def test_no_shortcut_clarifies(hack: str) -> None:
    found = values(CLARIFY, dialogue(*hacks(CLARIFY.question)[hack]))
    assert found["task_success"] == found["clarify_accuracy"] == 0.0


def test_each_needless_call_costs() -> None:
    """More calls never raise the tool reward, and the honest number of them is the best."""
    rewards = []
    for extra in range(6):
        made = [ASK] + [call("get_price", sku=str(place)) for place in range(extra)]
        rewards.append(values(READ, dialogue(turn(*made)))["tool_f1"])
    assert rewards == sorted(rewards, reverse=True)
    assert rewards[0] == 1.0 > rewards[1]


def test_a_silent_tool_agent_is_no_better_for_ending_early() -> None:
    for kind, example in ROWS.items():
        silent = earned(example, dialogue(turn()))
        assert max(silent.values()) == 0.0, kind

"""Scripts that play agents: the gold of a file, calls at random, and texts with calls in them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from support.till import TOOLS
from support.tool_rows import gold_call, row

from lt_bench.backends import Request
from lt_bench.backends.scripted.backend import ScriptedBackend
from lt_bench.config import Sampling
from lt_bench.errors import RowError, UsageError
from lt_bench.records import Example, Message, Prompt, Turn


def backend(folder: Path, answer: Any) -> ScriptedBackend:
    file = folder / "s.yaml"
    file.write_text(json.dumps({"rules": [{"answer": answer}]}))
    return ScriptedBackend(str(file), {})


def say(model: ScriptedBackend, example_id: str, turn: int = 0, tools: Any = TOOLS) -> Turn:
    prompt = Prompt(messages=(Message(role="user", content="Add."),), tools=tools)
    request = Request(prompt, Sampling(), example_id, 0, turn=turn)
    return asyncio.run(model.generate(request)).turns[0]


def rows(folder: Path, *examples: Example) -> str:
    (folder / "rows.jsonl").write_text("".join(one.model_dump_json() + "\n" for one in examples))
    return "rows.jsonl"


TWO = row("call", gold_call("add", amount=1), gold_call("total"), include=("3",), name="two")
ASKS = row("clarify", name="asks")


def test_the_gold_agent_calls_all_at_once_and_then_says_the_answer(tmp_path: Path) -> None:
    model = backend(tmp_path, {"agent": "gold", "data": rows(tmp_path, TWO, ASKS)})
    first = say(model, "two")
    assert [(c.name, c.arguments) for c in first.tool_calls] == [
        ("add", {"amount": 1}),
        ("total", {}),
    ]
    assert first.finish_reason == "tool_calls"
    assert say(model, "two", 1).reply == "3"
    assert say(model, "asks").reply.endswith("?")


def test_it_can_call_one_at_a_time(tmp_path: Path) -> None:
    answer = {"agent": "gold", "data": rows(tmp_path, TWO), "pace": "one_by_one"}
    model = backend(tmp_path, answer)
    called = [[c.name for c in say(model, "two", n).tool_calls] for n in range(3)]
    assert called == [["add"], ["total"], []]


def test_a_row_without_gold_calls_lacks_an_answer(tmp_path: Path) -> None:
    model = backend(tmp_path, {"agent": "gold", "data": rows(tmp_path, TWO)})
    with pytest.raises(RowError, match="has no gold calls for 'other'"):
        say(model, "other")


def test_other_gold_is_another_model(tmp_path: Path) -> None:
    before = backend(tmp_path, {"agent": "gold", "data": rows(tmp_path, TWO)}).facts.fingerprint
    after = backend(tmp_path, {"agent": "gold", "data": rows(tmp_path, ASKS)}).facts.fingerprint
    assert before != after


def test_the_random_agent_is_the_same_each_time_and_gives_what_is_required(tmp_path: Path) -> None:
    model = backend(tmp_path, {"agent": "random"})
    found = [say(model, f"row-{n}") for n in range(20)]
    assert found[0].tool_calls == say(model, "row-0").tool_calls
    assert {c.name for one in found for c in one.tool_calls} == {"add", "total", "jam", "hidden"}
    for call in (c for one in found for c in one.tool_calls):
        assert call.name != "add" or isinstance(call.arguments["amount"], int)
    assert say(model, "row-0", 1).tool_calls == ()
    assert say(model, "row-0", tools=()).tool_calls == ()
    other = backend(tmp_path, {"agent": "random", "salt": "b"})
    assert [say(other, f"row-{n}").tool_calls for n in range(20)] != [o.tool_calls for o in found]


def test_texts_may_hold_calls_and_arguments_may_be_broken(tmp_path: Path) -> None:
    text = '<tool_call>{"name": "add", "arguments": {"amount": 2}}</tool_call>'
    turn = say(backend(tmp_path, text), "r")
    assert [(c.name, c.arguments) for c in turn.tool_calls] == [("add", {"amount": 2})]
    assert say(backend(tmp_path, text), "r", tools=()).reply == text
    broken = {"tool_calls": [{"name": "add", "arguments": '{"amount": '}]}
    turn = say(backend(tmp_path, broken), "r")
    assert [c.malformed for c in turn.tool_calls] == ['{"amount": ']
    assert turn.notes == ("malformed_call",)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"agent": "gold"}, "give data: FILE or task: NAME"),
        ({"agent": "gold", "data": "a", "task": "b"}, "give data: FILE or task: NAME"),
        ({"agent": "gold", "data": "nowhere.jsonl"}, "there is no file"),
        ({"agent": "gold", "task": "musiqe"}, "Did you mean 'musique'"),
        ({"agent": "random", "data": "a"}, "data is for the gold agent"),
        ({"agent": "silver"}, "agent"),
        ({"agent": "gold", "dta": "a"}, "Did you mean 'data'"),
    ],
)
def test_an_agent_that_cannot_be_is_refused(tmp_path: Path, answer: Any, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        backend(tmp_path, answer)
    assert said in str(caught.value)

"""ToolRL's graded reward: the published function's values, and the same on calls that are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lt_bench.records import GoldCall, ToolCall
from lt_bench.scorers.tools import toolrl_correctness, toolrl_reward

GOLD = (
    '<think> t </think>\n<tool_call>\n{"name": "f", "parameters": {"a": 1, "b": 2}}\n</tool_call>'
)


@pytest.mark.parametrize(
    ("name", "rows"),
    [("toolrl_reward_cases.jsonl", 701), ("toolrl_reward_cases_handwritten.jsonl", 44)],
)
def test_every_case_of_the_published_function(shared_data: Path, name: str, rows: int) -> None:
    lines = (shared_data / "tools" / name).read_text(encoding="utf-8").splitlines()
    assert len(lines) == rows
    for line in lines:
        case = json.loads(line)
        found = toolrl_reward(case["response"], case["ground_truth"])
        told = (found.format, found.correctness, found.total)
        expected = (case["format"], case["correctness"], case["total"])
        assert told == pytest.approx(expected, abs=1e-9), case


def text(calls: str) -> str:
    return f"<think> t </think>\n<tool_call>\n{calls}\n</tool_call>"


@pytest.mark.parametrize(
    ("calls", "correctness"),
    [
        ('{"name": "f", "parameters": {"b": 2, "a": 1}}', 3.0),
        # names 1, parameters 1/2, values 1, of 1 + 1 + 2 = 4
        ('{"name": "f", "parameters": {"a": 1}}', 6 * 2.5 / 4 - 3),
        # names 1/2, the rest whole
        ('{"name": "f", "parameters": {"a": 1, "b": 2}}\n{"name": "g"}', 6 * 3.5 / 4 - 3),
        ('{"name": "g", "parameters": 7}', -3.0),
        ('{"name": "f", "parameters": 7}', -3.0),
        ('{"name": ["f"], "parameters": {}}', -3.0),
        ('["f"]', -3.0),
        ("[" * 100_000, -3.0),
        ("", -3.0),
    ],
)
def test_hand_computed_rewards(calls: str, correctness: float) -> None:
    assert toolrl_reward(text(calls), GOLD) == pytest.approx((1.0, correctness))


def test_calls_that_are_read_get_the_reward_of_their_text() -> None:
    gold = (GoldCall(name="f", arguments={"a": 1, "b": 2}, accept={"a": (1, 3)}),)
    assert toolrl_correctness((ToolCall(name="f", arguments={"a": 1, "b": 2}),), gold) == 3.0
    assert toolrl_correctness((ToolCall(name="f", arguments={"a": 1}),), gold) == 0.75
    assert toolrl_correctness((ToolCall(name="f", malformed="{"),), gold) == -3.0
    assert toolrl_correctness((), gold) == -3.0
    assert toolrl_correctness((ToolCall(name="f"),), ()) == 0.0

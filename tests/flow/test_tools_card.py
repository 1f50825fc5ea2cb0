"""The scorer `tools` through the real command: a task folder, a scripted agent, its card."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.warm import lt_bench

TASK = """\
name: calls
version: 1
summary: calls without a world
builder: {use: commerce_qa}
sampling: {max_tokens: 64}
scorers:
  - use: tools
  - use: cost
headline: [task_success, bfcl, tool_f1, no_call_accuracy]
"""
PROMPT = "[user]\n{{ example.question }}\n"
PERFECT = """\
rules:
  - when: {contains: "price of A"}
    answer: {tool_calls: [{name: get_price, arguments: {sku: a}}]}
  - when: {contains: both}
    answer: {tool_calls: [{name: get_price, arguments: {sku: C}}, {name: get_price, arguments: {sku: B}}]}
  - answer: "I only know prices."
"""
WAVERING = """\
rules:
  - when: {contains: "price of A", sample: [0, 1]}
    answer: {tool_calls: [{name: get_price, arguments: {sku: a}}]}
  - when: {contains: both, sample: 1}
    answer: {tool_calls: [{name: get_price, arguments: {sku: C}}, {name: get_price, arguments: {sku: B}}]}
  - when: {contains: joke, sample: 2}
    answer: {tool_calls: [{name: tell_joke, arguments: {}}]}
  - answer: "I only know prices."
"""


def example(name: str, question: str, *skus: str) -> dict[str, Any]:
    properties = {"sku": {"type": "string"}}
    function = {
        "name": "get_price",
        "parameters": {"type": "object", "properties": properties, "required": ["sku"]},
    }
    calls = [{"name": "get_price", "arguments": {"sku": sku}} for sku in skus]
    return {
        "id": name,
        "task": "calls",
        "group": name,
        "question": question,
        "tools": [{"type": "function", "function": function}],
        "gold": {"kind": "calls", "type": "call" if skus else "no_call", "calls": calls},
    }


def catalog(folder: Path) -> Path:
    task = folder / "catalog" / "tasks" / "calls"
    (task / "sample").mkdir(parents=True)
    (task / "task.yaml").write_text(TASK)
    (task / "prompt.md").write_text(PROMPT)
    (task / "CARD.md").write_text("Ours.\n")
    rows = [
        example("one", "What is the price of A?", "A"),
        example("two", "Tell me both prices, B and C.", "B", "C"),
        example("none", "Tell me a joke."),
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (task / "sample" / "test.jsonl").write_text(text)
    (folder / "perfect.yaml").write_text(PERFECT)
    (folder / "wavering.yaml").write_text(WAVERING)
    return folder / "catalog"


def card_of(folder: Path, script: str, *options: str) -> dict[str, Any]:
    made = folder / "catalog" if (folder / "catalog").exists() else catalog(folder)
    done = lt_bench(
        "eval", f"scripted/{script}.yaml", "--task", "calls", "--catalog", str(made), "--json",
        "--run", script, *options, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    card: dict[str, Any] = json.loads(done.stdout)
    return card


def test_a_perfect_agent_is_perfect_and_its_decisions_are_told(tmp_path: Path) -> None:
    card = card_of(tmp_path, "perfect")
    found = {name: one["value"] for name, one in card["metrics"].items()}
    for name in ("task_success", "pass_k", "bfcl", "tool_precision", "tool_recall", "tool_f1"):
        assert found[name] == 1.0, name
    assert found["argument_accuracy"] == found["no_call_accuracy"] == 1.0
    assert found["over_calling"] == found["under_calling"] == 0.0
    assert found["clarify_accuracy"] is found["state_match"] is None
    assert card["calls"]["precision"]["value"] == card["calls"]["recall"]["value"] == 1.0
    assert card["passes"] == {}
    assert "pass_k" not in card["headline"]


def test_samples_give_pass_k_and_the_trade_off_of_calling(tmp_path: Path) -> None:
    card = card_of(tmp_path, "wavering", "--samples", "3")
    # right: one 2 of 3, two 1 of 3, none 2 of 3
    passes = [one["value"] for one in card["passes"]["pass_k"]]
    assert passes == pytest.approx([5 / 9, (1 / 3 + 0 + 1 / 3) / 3, 0.0])
    assert card["metrics"]["pass_k"]["value"] == 0.0
    assert card["remarks"]["pass_k"].startswith("pass^3")
    assert card["headline"][-1] == "pass_k"
    counts = card["calls"]["counts"]
    assert counts == {
        "true_positive": 3, "false_positive": 1, "true_negative": 2, "false_negative": 3,
    }  # fmt: skip
    shares = [(round(one["share"], 3), one["rows"]) for one in card["calls"]["shares"]]
    assert shares == [(0.333, 2), (0.667, 1)]
    done = lt_bench("score", "wavering", "--catalog", str(tmp_path / "catalog"), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "a call was needed: precision 75.0 %" in done.stdout
    assert "share that calls" in done.stdout

"""The rows in the cards of the tasks: they are read as they stand, and a good reply scores."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from lt_bench.builders.commerce_qa import CommerceQA
from lt_bench.builders.musique import Musique
from lt_bench.builders.problem import Row
from lt_bench.records import AnswersGold, Example, FactsGold, Generation, ReferenceGold, Turn
from lt_bench.scorers.base import ScoringContext
from lt_bench.scorers.facts import FactsScorer

TASKS = Path(__file__).parents[2] / "tasks"


def card(task: str) -> str:
    return (TASKS / task / "CARD.md").read_text("utf-8")


def block(task: str) -> dict[str, Any]:
    (found,) = re.findall(r"^```json\n(.*?)^```$", card(task), re.MULTILINE | re.DOTALL)
    row: dict[str, Any] = json.loads(found)
    return row


def read(builder: Any, folder: Path, row: dict[str, Any]) -> Example:
    path = folder / "mine.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (item,) = builder.inspect(path)
    assert isinstance(item, Row), item
    return item.record


def values(example: Example, reply: str) -> dict[str, float | None]:
    turn = Turn(reasoning=None, reply=reply, finish_reason="stop", usage=None)
    scorer = FactsScorer(ScoringContext(), {})
    found = asyncio.run(scorer.score(example, Generation(turns=(turn,))))
    return {score.name: score.value for score in found}


@pytest.mark.parametrize("unit", ["with", "without"])
def test_the_row_of_the_commerce_card_scores_a_good_reply(tmp_path, unit):
    row = block("commerce_qa")
    for fact in [f for r in ("required", "helpful", "forbidden") for f in row["gold"][r]]:
        if unit == "without":
            fact.pop("unit", None)
    example = read(CommerceQA({}), tmp_path, row)
    (good,) = re.findall(r'reply to this row:\n"(.*)"', card("commerce_qa"))
    found = values(example, good)
    assert (found["correctness"], found["helpfulness"]) == (1, 1)
    assert values(example, "It's $20.")["correctness"] == 0
    assert values(example, "It's $15 and weighs 1.2 kg.")["correctness"] == 0
    assert values(example, "It's $20 and weighs 1.2 g.")["correctness"] == 0


def test_the_commerce_card_explains_every_field_of_its_gold(tmp_path):
    text, row = card("commerce_qa"), block("commerce_qa")
    for field in FactsGold.model_fields:
        assert f"`{field}`" in text or field == "kind"
        assert field in row["gold"]
    for allowed in ("full", "partial", "none"):
        assert f"`{allowed}`:" in text
        row["gold"]["answerability"] = allowed
        read(CommerceQA({}), tmp_path, row)


def test_the_reference_gold_of_the_commerce_card_is_read(tmp_path):
    (gold,) = re.findall(r'`(\{"kind": "reference".*\})`', card("commerce_qa"))
    example = read(CommerceQA({}), tmp_path, {**block("commerce_qa"), "gold": json.loads(gold)})
    assert isinstance(example.gold, ReferenceGold)
    assert values(example, example.gold.answers[0])["unsupported_claims"] == 0


def test_the_row_of_the_musique_card_is_read(tmp_path):
    example = read(Musique({}), tmp_path, block("musique"))
    gold = example.gold
    assert isinstance(gold, AnswersGold)
    assert gold.answers[0] == "River Tal"
    assert gold.supporting == ("p0", "p1")
    assert (example.group, example.tags) == ("harbour-1", ("2hop",))

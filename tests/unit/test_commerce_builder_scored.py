"""Reference replies, a naive baseline and bad replies under the scorer `facts`."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from itertools import pairwise

import pytest

from lt_bench.builders.commerce_qa import CommerceQA, Row
from lt_bench.builders.commerce_qa.sample import sample_rows
from lt_bench.claims.wording import fold, is_cjk, stems
from lt_bench.records import FactsGold, Generation, Turn
from lt_bench.scorers.base import ScoringContext
from lt_bench.scorers.facts import FactsScorer

SCORER = FactsScorer(ScoringContext(), {})


def scores(row: Row, reply: str) -> dict[str, float | None]:
    turn = Turn(reasoning=None, reply=reply, finish_reason="stop", usage=None)
    found = asyncio.run(SCORER.score(row.example, Generation(turns=(turn,))))
    return {score.name: score.value for score in found}


@pytest.fixture(scope="module")
def shipped() -> list[Row]:
    return list(sample_rows())


@pytest.fixture(scope="module", params=["en", "zh"])
def sample(request: pytest.FixtureRequest) -> list[Row]:
    return list(CommerceQA({"lang": request.param}).rows("test", 100, 0))


def test_shipped_references_are_correct_and_helpful(shipped: list[Row]) -> None:
    failing = [
        (row.example.id, row.reply)
        for row in shipped
        if scores(row, row.reply)["correct_and_helpful"] != 1
    ]
    assert failing == []


@pytest.mark.parametrize(("lang", "share"), [("en", 0.99), ("zh", 0.97)])
def test_references_of_other_sizes_are_correct_and_helpful_almost_always(
    lang: str, share: float
) -> None:
    rows = list(CommerceQA({"lang": lang}).rows("train", 150, 2))
    good = sum(scores(row, row.reply)["correct_and_helpful"] == 1 for row in rows)
    assert good >= share * len(rows)


def test_another_rows_reference_is_hardly_ever_correct(sample: list[Row]) -> None:
    moved = zip(sample, sample[7:] + sample[:7], strict=True)
    wrong = [scores(row, other.reply)["correctness"] for row, other in moved]
    assert sum(value == 1 for value in wrong) <= 5


def test_the_best_matching_line_of_the_evidence_is_correct_on_at_most_40_percent(
    sample: list[Row],
) -> None:
    """A TF-IDF baseline: the line of the evidence nearest to the question, read out."""
    correct = sum(scores(row, best_line(row))["correctness"] == 1 for row in sample)
    assert correct <= 40


def terms(text: str) -> Counter[str]:
    """Word stems, or single and paired characters where there are no words to split."""
    folded = fold(text)
    if not is_cjk(folded):
        return Counter(stems(folded))
    characters = [character for character in folded if character.isalnum()]
    pairs = (a + b for a, b in pairwise(characters))
    return Counter((*characters, *pairs))


def best_line(row: Row) -> str:
    lines = [line for d in row.example.documents for line in d.text.split("\n")]
    bags = [terms(line) for line in lines]
    frequency = Counter(word for bag in bags for word in bag)
    query = terms(row.example.question)

    def weight(word: str) -> float:
        return math.log((1 + len(bags)) / (1 + frequency[word])) + 1

    def similarity(bag: Counter[str]) -> float:
        dot = sum(query[w] * bag[w] * weight(w) ** 2 for w in query if w in bag)
        norm = math.sqrt(sum((n * weight(w)) ** 2 for w, n in bag.items())) or 1.0
        return dot / norm

    return lines[max(range(len(lines)), key=lambda i: similarity(bags[i]))]


@pytest.mark.parametrize(
    ("lang", "agree"),
    [("en", "Yes, that's right, it is {false}."), ("zh", "对的，这款{false}。")],
)
def test_the_forbidden_value_makes_a_reply_incorrect(lang: str, agree: str) -> None:
    made = CommerceQA({"lang": lang}).rows("train", 800, 4)
    rows = [row for row in made if "premise:price" in row.example.tags]
    assert len(rows) >= 3
    for row in rows:
        assert isinstance(row.example.gold, FactsGold)
        false = row.example.gold.forbidden[0].accept[0]
        assert scores(row, agree.format(false=false))["correctness"] == 0

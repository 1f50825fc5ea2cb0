"""Replies that people wrote from documents and question alone, and a third labelled blind.

Nobody who wrote or labelled had seen the scorer or the generator's templates. Rows tagged
`used:repairs` were shown to whoever mended the scorer, rows tagged `used:held_out` never were: only
those say how far `facts` can be believed on replies it has not met. Run with -s to see the figures.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lt_bench import jsonl
from lt_bench.records import Generation, Labelled, Turn
from lt_bench.scorers.base import ScoringContext
from lt_bench.scorers.facts import FactsScorer
from lt_bench.stats import wilson

FOLDER = Path(__file__).parent / "validity"
FLOOR = 0.85
SCORER = FactsScorer(ScoringContext(), {})


def labelled(lang: str) -> list[Labelled]:
    return [Labelled.model_validate(line.data) for line in jsonl.read(FOLDER / f"{lang}.jsonl")]


def agreements(row: Labelled) -> dict[str, bool]:
    """Whether `facts` says of a reply what its reader said."""
    turn = Turn(reasoning=None, reply=row.reply, finish_reason="stop", usage=None)
    scores = asyncio.run(SCORER.score(row.example, Generation(turns=(turn,))))
    found = {score.name: score.value == 1.0 for score in scores}
    (label,) = row.labels
    return {
        "correctness": found["correctness"] == label.correct,
        "helpfulness": found["helpfulness"] == label.helpful,
    }


@pytest.fixture(scope="module", params=["en", "zh"])
def judged(request: pytest.FixtureRequest) -> tuple[str, list[tuple[Labelled, dict[str, bool]]]]:
    return request.param, [(row, agreements(row)) for row in labelled(request.param)]


@pytest.mark.parametrize("score", ["correctness", "helpfulness"])
def test_facts_agrees_with_blind_labels_on_replies_it_was_not_mended_with(judged, score):
    lang, rows = judged
    unseen = [agreed[score] for row, agreed in rows if "used:held_out" in row.example.tags]
    interval = wilson(sum(unseen), len(unseen))
    said = (
        f"{lang} {score}: {sum(unseen)} of {len(unseen)} agree, "
        f"95 % interval {interval.low:.3f} to {interval.high:.3f}"
    )
    print(said)
    assert sum(unseen) / len(unseen) >= FLOOR, said


def test_both_labels_are_balanced_enough_to_mean_something(judged):
    _, rows = judged
    for name in ("correct", "helpful"):
        share = sum(getattr(row.labels[0], name) for row, _ in rows) / len(rows)
        assert 0.35 < share < 0.65


def test_replies_to_both_languages_come_from_many_rooms(judged):
    _, rows = judged
    assert len({row.example.group for row, _ in rows}) == len(rows)

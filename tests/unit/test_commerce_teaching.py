"""The teacher of commerce_qa: trajectories of several lengths whose labels hold under `facts`."""

from __future__ import annotations

import asyncio

import pytest

from lt_bench.builders.base import Teaching
from lt_bench.builders.commerce_qa import CommerceQA
from lt_bench.records import Generation, Turn
from lt_bench.scorers.base import ScoringContext
from lt_bench.scorers.facts import FactsScorer
from lt_bench.text import split_reasoning

SCORER = FactsScorer(ScoringContext(), {})


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_labels_agree_with_the_judge(lang: str) -> None:
    builder = CommerceQA({"lang": lang})
    assert isinstance(builder, Teaching)
    agreed, correct, helpful, total = 0, 0, 0, 0
    for one in builder.trajectories("train", 100, 6, 2):
        for output, label in zip(one.outputs, one.labels, strict=True):
            split = split_reasoning(output)
            assert split.closed
            turn = Turn(
                reasoning=split.reasoning, reply=split.reply, finish_reason="stop", usage=None
            )
            found = asyncio.run(SCORER.score(one.example, Generation(turns=(turn,))))
            values = {score.name: score.value for score in found}
            agreed += values["correctness"] == label.correct
            agreed += values["helpfulness"] == label.helpful
            assert bool(label.faults) == (not (label.correct and label.helpful))
            correct, helpful, total = correct + label.correct, helpful + label.helpful, total + 1
    assert agreed / (2 * total) >= 0.96
    assert 0.82 <= correct / total <= 0.96
    assert 0.65 <= helpful / total <= 0.85


def test_samples_of_a_row_differ_and_are_the_same_every_time() -> None:
    builder = CommerceQA({"lang": "mix"})
    made = list(builder.trajectories("train", 30, 1, 4))
    assert made == list(builder.trajectories("train", 30, 1, 4))
    assert [one.example for one in made] == list(builder.build("train", 30, 1))
    assert all(len(set(one.outputs)) >= 3 for one in made)
    lengths = [sorted(map(len, one.outputs)) for one in made]
    assert sum(row[-1] > 1.5 * row[0] for row in lengths) >= 20

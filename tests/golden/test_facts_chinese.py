"""The scorer `facts` on Chinese replies as hosts speak them, each judged by hand beforehand.

The table holds rooms (their documents), examples that stand in one, and replies to those.
"""

from __future__ import annotations

import asyncio
import functools
import json
from pathlib import Path

import pytest

from lt_bench.records import Example, Generation, Score, Turn
from lt_bench.scorers.base import ScoringContext
from lt_bench.scorers.facts import FactsScorer

LINES = [
    json.loads(line)
    for line in (Path(__file__).parent / "facts_chinese.jsonl").read_text("utf-8").splitlines()
]
ROOMS = {line["room"]: line["documents"] for line in LINES if "room" in line}
EXAMPLES = {
    fields["id"]: Example.model_validate({**fields, "documents": ROOMS[fields["documents"]]})
    for line in LINES
    if (fields := line.get("example"))
}
CASES = [line for line in LINES if "reply" in line]
SCORER = FactsScorer(ScoringContext(), {})


@functools.cache
def scores_of(of: str, reply: str) -> dict[str, Score]:
    """Scores by name of a reply to the example of that id."""
    turn = Turn(reasoning=None, reply=reply, finish_reason="stop", usage=None)
    found = asyncio.run(SCORER.score(EXAMPLES[of], Generation(turns=(turn,))))
    return {score.name: score for score in found}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_reply_is_judged_as_by_hand(case):
    scores = scores_of(case["of"], case["reply"])
    judged = (scores["correctness"].value, scores["helpfulness"].value)
    assert judged == (case["correct"], case["helpful"]), scores["correctness"].verdict


def test_evidence_of_every_claim_is_an_exact_part_of_its_document():
    for case in CASES:
        texts = {document.id: document.text for document in EXAMPLES[case["of"]].documents}
        verdict = scores_of(case["of"], case["reply"])["correctness"].verdict
        assert verdict is not None, case["id"]
        for claim in verdict.claims:
            if claim.evidence is not None:
                assert claim.evidence in texts[claim.document], case["id"]


def test_table_is_large_and_has_every_outcome():
    assert len(CASES) >= 150
    assert {(case["correct"], case["helpful"]) for case in CASES} == {
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
    }


def test_a_row_in_traditional_characters_is_judged_alike():
    simple, other = "9号现价1299元，免运费，三到五天送达", "9號現價1299元，免運費，三到五天送達"
    values = [
        {name: score.value for name, score in scores_of("price", reply).items()}
        for reply in (simple, other)
    ]
    assert values[0] == values[1]
    assert values[0]["correct_and_helpful"] == 1


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_a_dump_or_an_evasion_earns_nothing(example):
    dump = "\n".join(document.text for document in example.documents)
    for reply in (dump, "这个问题问得好！", "亲，您看一下详情页哈。", ""):
        assert scores_of(example.id, reply)["correct_and_helpful"].value == 0, reply[:20]

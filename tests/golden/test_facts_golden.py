"""The scorer `facts` on a table of replies, good and bad, each judged by hand beforehand."""

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
    for line in (Path(__file__).parent / "facts_cases.jsonl").read_text("utf-8").splitlines()
]
EXAMPLES = {
    line["example"]["id"]: Example.model_validate(line["example"])
    for line in LINES
    if "example" in line
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
    refusal = scores["needless_refusal"].value
    assert {
        "correct": scores["correctness"].value,
        "helpful": scores["helpfulness"].value,
        "unsupported_claims": scores["unsupported_claims"].value,
        "needless_refusal": refusal or 0,
    } == {
        name: case[name]
        for name in ("correct", "helpful", "unsupported_claims", "needless_refusal")
    }, scores["correctness"].verdict


def test_table_has_both_outcomes_of_every_measure():
    for name in ("correct", "helpful", "unsupported_claims", "needless_refusal"):
        assert {bool(case[name]) for case in CASES} == {True, False}
    kinds = {(case["correct"], case["helpful"]) for case in CASES}
    assert kinds == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_evidence_of_every_claim_is_an_exact_part_of_its_document():
    for case in CASES:
        texts = {document.id: document.text for document in EXAMPLES[case["of"]].documents}
        verdict = scores_of(case["of"], case["reply"])["correctness"].verdict
        assert verdict is not None, case["id"]
        for claim in verdict.claims:
            if claim.evidence is not None:
                assert claim.evidence, case["id"]
                assert claim.evidence in texts[claim.document], case["id"]

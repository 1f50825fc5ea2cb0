"""The ledger of a reply: exact words of reply and documents, and a label that follows from it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lt_bench import jsonl
from lt_bench.builders.commerce_judge import CommerceJudge
from lt_bench.claims.clauses import read
from lt_bench.claims.labels import label_of
from lt_bench.records import (
    Claim,
    Document,
    Example,
    FactsGold,
    Generation,
    Labelled,
    ReferenceGold,
    Score,
    Turn,
)
from lt_bench.scorers.base import ScoringContext
from lt_bench.scorers.facts import FactsScorer

ROOT = Path(__file__).parents[2]
SCORER = FactsScorer(ScoringContext(), {})
FALSE = {"contradicted", "not_in_documents"}


def scores_of(example: Example, reply: str) -> dict[str, Score]:
    turn = Turn(reasoning=None, reply=reply, finish_reason="stop", usage=None)
    found = asyncio.run(SCORER.score(example, Generation(turns=(turn,))))
    return {score.name: score for score in found}


def validity_rows() -> Iterator[tuple[Example, str]]:
    for lang in ("en", "zh"):
        for line in jsonl.read(ROOT / "tests" / "golden" / "validity" / f"{lang}.jsonl"):
            row = Labelled.model_validate(line.data)
            yield row.example, row.reply


def sample_rows() -> Iterator[tuple[Example, str]]:
    folder = ROOT / "tasks" / "commerce_qa" / "sample"
    replies = {
        line.data["id"]: line.data["output"] for line in jsonl.read(folder / "replies.jsonl")
    }
    for line in jsonl.read(folder / "test.jsonl"):
        example = Example.model_validate(line.data)
        yield example, replies[example.id]


def made_rows() -> Iterator[tuple[Example, str]]:
    for row in CommerceJudge({"lang": "mix"}).build(160, 11):
        yield row.example, row.reply


SOURCES = {"validity": validity_rows, "sample": sample_rows, "commerce_judge": made_rows}


@lru_cache(maxsize=3)
def judged(source: str) -> list[tuple[Example, str, dict[str, Score]]]:
    return [(example, reply, scores_of(example, reply)) for example, reply in SOURCES[source]()]


@pytest.mark.parametrize("source", SOURCES)
def test_every_span_of_evidence_is_an_exact_part_of_the_document_it_names(source):
    spans = 0
    for example, _, scores in judged(source):
        texts = {document.id: document.text for document in example.documents}
        for claim in claims_of(scores):
            if claim.evidence is not None:
                spans += 1
                assert claim.evidence.strip()
                assert claim.evidence in texts[claim.document]
    assert spans > 50


@pytest.mark.parametrize("source", SOURCES)
def test_every_claim_is_an_exact_part_of_the_reply_in_order(source):
    for _, reply, scores in judged(source):
        assert_in_order(claims_of(scores), reply)


@pytest.mark.parametrize("source", SOURCES)
def test_value_unsupported_claims_and_label_follow_from_the_ledger_and_gold(source):
    seen = set()
    for _, _, scores in judged(source):
        correct, claims = scores["correctness"], claims_of(scores)
        breaches = tuple(filter(None, correct.verdict.rationale.split("; ")))
        false = sum(claim.verdict in FALSE for claim in claims)
        assert scores["unsupported_claims"].value == false
        assert ("unsupported claim" in breaches) == bool(false)
        assert correct.value == float(not breaches)
        unmet = tuple(fault for fault in breaches if fault != "unsupported claim")
        label = correct.verdict.label
        assert label == label_of(claims, unmet, silent=label == "abstained")
        assert label == "abstained" or (label == "correct") == (correct.value == 1)
        seen.add(label)
    everything = {"correct", "incorrect", "abstained"}
    assert seen == ({"correct"} if source == "sample" else everything)


@pytest.mark.parametrize("source", ["validity", "commerce_judge"])
def test_an_abstention_makes_no_claim(source):
    abstained = [s for _, _, s in judged(source) if s["correctness"].verdict.label == "abstained"]
    assert abstained
    for scores in abstained:
        assert {claim.verdict for claim in claims_of(scores)} == {"not_a_claim"}
        assert scores["unsupported_claims"].value == 0


def claims_of(scores: dict[str, Score]) -> tuple[Claim, ...]:
    return scores["correctness"].verdict.claims


def assert_in_order(claims: tuple[Claim, ...], reply: str) -> None:
    place = 0
    for claim in claims:
        assert claim.text.strip()
        place = reply.index(claim.text, place) + len(claim.text)


LAMP = Document(
    id="d1",
    kind="product",
    title="Halden Glow",
    text="No. 4: Halden Glow\nPrice: 129.00 USD\n重量：1.5 kg",
    product={"name": "Halden Glow", "color": "brass", "weight": {"value": 1.5, "unitText": "kg"}},
    slot=4,
)
EXAMPLE = Example(
    id="lamp",
    task="commerce_qa",
    question="how heavy is it?",
    group="room",
    documents=(LAMP,),
    gold=FactsGold(answerability="none"),
)
REPLIES = st.one_of(
    st.text(max_size=200),
    st.text(alphabet="a1一。，,. \n\t*_é…\u200b():~-$kg", max_size=120),
    st.lists(st.sampled_from(["**It's** $129", "  ", "1.5   kg", "_brass_", "，", ".", "但是 ", "黄铜  的", "\t\t", "no", "no. 4  is here", "the  sheet says nothing"]), max_size=12).map("".join),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(REPLIES)
def test_claims_of_any_text_are_exact_parts_of_it(reply):
    for gold in (FactsGold(answerability="none"), ReferenceGold()):
        example = EXAMPLE.model_copy(update={"gold": gold, "id": gold.kind})
        scores = scores_of(example, reply)
        verdict = scores["correctness"].verdict or scores["unsupported_claims"].verdict
        assert_in_order(verdict.claims, reply)
        for claim in verdict.claims:
            assert claim.evidence is None or claim.evidence in LAMP.text


def test_closed_up_white_space_is_quoted_as_it_was_written():
    reply = read("It  costs   **$129**,   and it  weighs 1.5  kg.")
    assert [reply.written(clause) for clause in reply.clauses] == [
        "It  costs   **$129**",
        "and it  weighs 1.5  kg",
    ]


def claim(verdict: str) -> Claim:
    return Claim(text="x", verdict=verdict)


@pytest.mark.parametrize(
    ("verdicts", "breaches", "silent", "label"),
    [
        (("supported", "contradicted"), (), False, "incorrect"),
        (("supported", "not_in_documents"), (), False, "incorrect"),
        (("supported", "not_a_claim"), (), False, "correct"),
        (("supported",), ("required fact missing",), False, "incorrect"),
        (("supported",), (), True, "correct"),
        (("not_a_claim",), (), True, "abstained"),
        (("not_a_claim",), ("missing evidence not said",), True, "abstained"),
        (("not_a_claim",), (), False, "correct"),
        (("not_a_claim",), ("required fact denied",), False, "incorrect"),
        ((), ("required fact missing",), False, "incorrect"),
        (("contradicted",), (), True, "incorrect"),
    ],
)
def test_label_of_a_ledger(verdicts, breaches, silent, label):
    assert label_of(tuple(map(claim, verdicts)), breaches, silent=silent) == label

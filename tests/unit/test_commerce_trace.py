"""Reference reasoning: two traces that lead to the reference reply."""

from __future__ import annotations

import statistics

import pytest

from lt_bench.builders.commerce_qa import CommerceQA, Row
from lt_bench.builders.commerce_qa.trace import Trace, trace
from lt_bench.text import leaked_markup


@pytest.fixture(scope="module", params=["en", "zh"])
def traced(request: pytest.FixtureRequest) -> list[tuple[Row, Trace]]:
    rows = CommerceQA({"lang": request.param}).rows("train", 300, 0)
    return [(row, trace(row)) for row in rows]


def test_the_long_trace_is_several_times_the_short_one(traced):
    short = statistics.mean(len(found.short) for _, found in traced)
    long = statistics.mean(len(found.long) for _, found in traced)
    assert 3 * short < long < 12 * short
    assert all(len(found.short) < len(found.long) for _, found in traced)


def test_every_placeholder_is_filled_and_nothing_looks_like_markup(traced):
    for _, found in traced:
        for text in (found.short, found.long):
            assert "{" not in text
            assert not leaked_markup(text)


def test_traces_hold_the_question_the_documents_and_the_extra_of_the_reply(traced):
    for row, found in traced:
        assert row.example.question in found.long
        for document in row.example.documents:
            slot = str(document.slot) if document.slot else document.title
            assert slot in found.long
        resolved = row.moment.asked.resolved
        assert resolved in found.short
        assert row.moment.plan.intent == "off_topic" or resolved in found.long


def test_numbers_of_the_gold_stand_in_both_traces(traced):
    checked = 0
    for row, found in traced:
        for fact in row.moment.plan.required:
            if fact.path.startswith("additionalProperty") and isinstance(fact.value, int | float):
                if isinstance(fact.value, bool):
                    continue
                spoken = (f"{fact.value:g}", f"{fact.value:,}", *fact.accept)
                assert any(form in found.short for form in spoken)
                assert any(form in found.long for form in spoken)
                checked += 1
    assert checked > 30


def test_traps_are_named_before_the_answer(traced):
    for row, found in traced:
        if row.moment.plan.intent == "wrong_premise":
            lines = found.long.split("\n")
            check = next(
                i
                for i, line in enumerate(lines)
                if line in row.moment.scene.language.phrases["think.check.wrong_premise"]
            )
            assert check < len(lines) - 3


def test_making_a_trace_changes_nothing_and_can_be_repeated(traced):
    for row, found in traced[:40]:
        assert trace(row) == found


def test_references_are_the_rows_of_build_with_both_traces():
    builder = CommerceQA({})
    found = list(builder.references("test", 12, 0))
    assert [one.example for one in found] == list(builder.build("test", 12, 0))
    rows = list(builder.rows("test", 12, 0))
    assert [one.reply for one in found] == [row.reply for row in rows]
    assert [one.thoughts for one in found] == [
        (found.short, found.long) for found in map(trace, rows)
    ]

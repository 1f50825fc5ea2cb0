"""How free English sentences of a host are taken apart, and what they say of the goods."""

from __future__ import annotations

import pytest

from lt_bench.claims.clauses import read
from lt_bench.claims.english import ENGLISH


@pytest.mark.parametrize(
    "text",
    [
        "How long the strap is isn't given for this bag.",
        "I can't spot a tall version listed.",
        "Where I shop stays my little secret.",
        "Nothing in my notes on that.",
    ],
)
def test_missing_evidence_is_recognised_in_free_words(text: str) -> None:
    assert read(text).clauses[0].kind == "abstention"


@pytest.mark.parametrize(
    "text",
    [
        "And so is the blue kettle, number 12.",
        "If it pinches you can send them back within 20 days.",
    ],
)
def test_statements_that_open_like_questions_or_wishes_assert(text: str) -> None:
    assert read(text).clauses[0].asserts


def test_a_question_with_its_mark_stays_a_question() -> None:
    assert read("How long the strap is, that isn't given, is it?").clauses[-1].kind == "question"


def test_a_year_stays_with_its_day() -> None:
    [clause] = read("It holds until June 9th, 2026.").clauses
    assert len(clause.dates) == 1
    assert clause.quantities == ()


def test_what_can_be_done_is_not_denied_by_the_condition_before_it() -> None:
    [clause] = read("If they don't suit you can always return them within 20 days.").clauses
    assert not clause.denied(clause.text.index("return"))


def test_a_doubt_still_denies_what_can_be_done() -> None:
    [clause] = read("I don't think you can return them.").clauses
    assert clause.denied(clause.text.index("return"))


@pytest.mark.parametrize(
    "text",
    ["it stacks with every other voucher", "the lightest kettle you'll ever own"],
)
def test_invented_promises_need_evidence(text: str) -> None:
    assert ENGLISH.promises.search(text)


def test_the_viewers_own_guess_is_no_rival() -> None:
    assert ENGLISH.imagined.search("a bit heavier than you figured")
    assert not ENGLISH.imagined.search("a bit heavier than the blue one")

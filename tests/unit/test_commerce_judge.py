"""The labeller of commerce judges: balance, sameness, and agreement with the scorer `facts`."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from lt_bench.builders import LABELLERS
from lt_bench.builders.commerce_judge import CommerceJudge
from lt_bench.builders.commerce_qa.faults import BAD, GOOD
from lt_bench.errors import UsageError
from lt_bench.records import Generation, Labelled, Turn
from lt_bench.scorers.base import ScoringContext
from lt_bench.scorers.facts import FactsScorer


@pytest.fixture(scope="module")
def replies() -> list[Labelled]:
    return list(CommerceJudge({}).build(400, 0))


def fault(row: Labelled) -> str:
    tags = [tag for tag in row.example.tags if tag.startswith("fault:")]
    assert len(tags) == 1
    return tags[0].removeprefix("fault:")


def test_it_is_a_labeller_by_its_name(replies: list[Labelled]) -> None:
    made = LABELLERS.get("commerce_judge")({"lang": "en"})
    assert [row.example.lang for row in made.build(3, 0)] == ["en"] * 3


def test_half_of_the_replies_are_correct_and_every_fault_occurs_equally_often(
    replies: list[Labelled],
) -> None:
    assert Counter(row.labels[0].correct for row in replies) == {True: 200, False: 200}
    counts = Counter(fault(row) for row in replies)
    assert set(counts) == set(GOOD) | set(BAD)
    for names in (GOOD, BAD):
        shares = [counts[name] for name in names]
        assert max(shares) - min(shares) <= 2


def test_all_four_pairs_of_labels_are_well_represented(replies: list[Labelled]) -> None:
    pairs = Counter((row.labels[0].correct, row.labels[0].helpful) for row in replies)
    assert len(pairs) == 4
    assert min(pairs.values()) >= 0.12 * len(replies)


def test_languages_take_turns(replies: list[Labelled]) -> None:
    langs = Counter(row.example.lang for row in replies)
    assert max(langs.values()) - min(langs.values()) <= 1


def test_every_reply_has_a_row_and_an_id_of_its_own(replies: list[Labelled]) -> None:
    assert len({row.id for row in replies}) == len(replies)
    assert len({row.example.id for row in replies}) == len(replies)
    assert len({row.example.group for row in replies}) >= len(replies) / 4


def test_labels_name_who_gave_them_and_rows_come_from_validation(replies: list[Labelled]) -> None:
    for row in replies:
        assert [label.annotator for label in row.labels] == ["construction"]
        assert "-validation-" in row.example.id
        assert "-validation-" in row.example.group


def test_the_first_rows_are_the_same_for_every_size(replies: list[Labelled]) -> None:
    assert list(CommerceJudge({}).build(45, 0)) == replies[:45]
    assert list(CommerceJudge({}).build(0, 0)) == []


def test_another_seed_gives_other_rows(replies: list[Labelled]) -> None:
    other = list(CommerceJudge({}).build(20, 1))
    assert not {row.id for row in other} & {row.id for row in replies}


def test_it_streams() -> None:
    assert len(list(islice(CommerceJudge({}).build(10**12, 0), 5))) == 5


@pytest.mark.parametrize(("balance", "correct"), [(0.0, 0), (0.25, 10), (1.0, 40)])
def test_balance_is_the_share_of_correct_replies(balance: float, correct: int) -> None:
    rows = list(CommerceJudge({"lang": "en", "balance": balance}).build(40, 0))
    assert sum(bool(row.labels[0].correct) for row in rows) == correct


@pytest.mark.parametrize(
    "options", [{"lang": "de"}, {"balance": 1.5}, {"balance": float("nan")}, {"langs": "en"}]
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="commerce_judge"):
        CommerceJudge(options)


def test_a_negative_size_is_refused() -> None:
    with pytest.raises(UsageError, match="below 0"):
        CommerceJudge({}).build(-1, 0)


# --- consistency with the scorer -------------------------------------------------------------


def scored(rows: list[Labelled]) -> Iterator[tuple[Labelled, bool, bool]]:
    scorer = FactsScorer(ScoringContext(), {})
    for row in rows:
        turn = Turn(reasoning=None, reply=row.reply, finish_reason="stop", usage=None)
        found = asyncio.run(scorer.score(row.example, Generation(turns=(turn,))))
        value = {score.name: score.value for score in found}
        yield row, value["correctness"] == 1, value["helpfulness"] == 1


def test_facts_agrees_with_labels_by_construction(replies: list[Labelled]) -> None:
    """A test of consistency between mutators and scorer, made in one house; not of validity."""
    found = list(scored(replies))
    correct = [row.labels[0].correct == value for row, value, _ in found]
    helpful = [row.labels[0].helpful == value for row, _, value in found]
    missed = Counter(fault(row) for row, value, _ in found if row.labels[0].correct != value)
    assert sum(correct) >= 0.97 * len(replies), missed
    assert sum(helpful) >= 0.95 * len(replies)


def test_cheap_goods_whose_documents_hold_every_whole_amount_can_be_undercut() -> None:
    """Row 424 of this seed offers nuts for 11.99 and every number below stands in its documents."""
    rows = list(islice(CommerceJudge({"lang": "en"}).build(1600, 2), 430))
    assert len(rows) == 430

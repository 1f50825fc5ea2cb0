"""The figures of a data set: counts, lengths and histograms, row by row."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lt_bench.builders.survey import Survey, histogram, percentile, survey
from lt_bench.records import (
    AnswersGold,
    CallsGold,
    Document,
    Example,
    FactsGold,
    HumanLabel,
    Labelled,
    ReferenceGold,
    Utterance,
)

LENGTHS = st.dictionaries(st.integers(0, 10**6), st.integers(1, 50), min_size=1, max_size=60)


def example(example_id="a", **changes):
    return Example(**{"id": example_id, "task": "t", "question": "q", "group": "g", **changes})


def test_stats_show_lengths_tags_and_answerability():
    found = survey(
        [
            example("a", gold=AnswersGold(answers=("x",)), tags=("2hop",), question="abcd"),
            example("b", gold=AnswersGold(answers=("x",), answerable=False), group="h"),
            example("c", gold=FactsGold(answerability="partial"), lang="zh", license="MIT"),
            example("d", gold=ReferenceGold(relevance={"d": 1, "e": 2})),
            example("e", documents=(Document(id="1", text="xyz"), Document(id="2", text="z"))),
            example("f", gold=CallsGold(type="clarify")),
            example("g", history=(Utterance(role="host", content="12345"),) * 2),
        ]
    ).stats()
    assert (found.records, found.rows, found.groups) == ("Example", 7, 2)
    assert found.answerability == {"clarify": 1, "full": 2, "none": 1, "partial": 1, "unknown": 2}
    assert found.tags == {"2hop": 1}
    assert found.langs == {"en": 6, "zh": 1}
    assert found.licenses == {"MIT": 1, "unknown": 6}
    question = found.lengths["question"]
    assert (question.low, question.high, question.mean) == (1, 4, pytest.approx(10 / 7))
    assert (found.lengths["documents"].high, found.lengths["evidence"].high) == (2, 4)
    assert found.lengths["history"].high == 10


def test_stats_of_labelled_rows_count_verdicts():
    labels = (HumanLabel(annotator="a", correct=True), HumanLabel(annotator="b", correct=False))
    found = survey([Labelled(id="1", example=example(), reply="abc", labels=labels)]).stats()
    assert (found.records, found.labels) == ("Labelled", {"correct": 1, "not correct": 1})
    assert found.lengths["reply"].mean == 3


def test_stats_of_documents_count_kinds():
    found = survey([Document(id="1", kind="faq", text="ab"), Document(id="2", text="")]).stats()
    assert (found.records, found.rows) == ("Document", 2)
    assert found.kinds == {"evidence": 1, "faq": 1}
    assert found.lengths["text"].mean == 1


def test_stats_of_nothing_have_no_lengths():
    found = survey([]).stats()
    assert (found.rows, found.lengths) == (0, {})


@given(LENGTHS)
def test_lengths_are_those_of_the_rows_one_by_one(lengths):
    each = sorted(length for length, count in lengths.items() for _ in range(count))
    rows = Survey(lengths={"text": Counter(lengths)}, rows=len(each)).stats()
    found = rows.lengths["text"]
    assert (found.low, found.high) == (each[0], each[-1])
    assert found.median == statistics.median(each)
    assert found.mean == pytest.approx(statistics.fmean(each))
    assert sum(length <= found.p95 for length in each) >= 0.95 * len(each)
    assert sum(length < found.p95 for length in each) < 0.95 * len(each)


@given(LENGTHS)
def test_histogram_counts_every_row_once_in_bins_that_meet(lengths):
    bins = histogram(lengths)
    assert sum(one.rows for one in bins) == sum(lengths.values())
    assert 1 <= len(bins) <= 13
    assert bins[0].low <= min(lengths)
    assert bins[-1].high >= max(lengths)
    assert all(a.high + 1 == b.low for a, b in itertools.pairwise(bins))
    for one in bins:
        inside = sum(n for length, n in lengths.items() if one.low <= length <= one.high)
        assert inside == one.rows


def test_one_long_row_does_not_flatten_the_histogram():
    lengths = dict.fromkeys(range(100), 5) | {1_000_000: 1}
    bins = histogram(lengths)
    assert len(bins) >= 8
    assert bins[-1].high == 1_000_000


def test_percentile_of_one_row_is_that_row():
    assert percentile({7: 1}, 0.95) == percentile({7: 1}, 0.01) == 7

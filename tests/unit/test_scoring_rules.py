"""The rules that hold for every scorer: silence, truncation, failures and rows that do not apply."""

from __future__ import annotations

import asyncio

import pytest

from lt_bench.records import (
    AnswersGold,
    Example,
    Failure,
    Generation,
    Sample,
    SampleKey,
    Turn,
)
from lt_bench.scorers import ScoringContext, score_sample
from lt_bench.scorers.cost import CostScorer
from lt_bench.scorers.qa import AnswerScorer

KEY = SampleKey(example_id="1", sample_index=0, request_sha="0")


def example(answerable: bool = True, answers: tuple[str, ...] = ("???",)) -> Example:
    gold = AnswersGold(answers=answers, answerable=answerable)
    return Example(id="1", task="t", question="q", group="g", gold=gold)


def sample(reply: str, finish_reason: str = "stop") -> Sample:
    turn = Turn.model_validate(
        {"reasoning": None, "reply": reply, "finish_reason": finish_reason, "usage": None}
    )
    generation = Generation(turns=(turn,))
    return Sample(key=KEY, status=generation.status, generation=generation)


def failed(status: str) -> Sample:
    failure = Failure(kind="server", message="500")
    return Sample.model_validate({"key": KEY, "status": status, "failure": failure})


def em(row: Example, one: Sample) -> tuple[float | None, str | None]:
    scorer = AnswerScorer(ScoringContext(), {})
    score = asyncio.run(score_sample(scorer, row, one))[0]
    return score.value, score.reason


def test_an_empty_reply_follows_the_official_rule() -> None:
    assert em(example(), sample("")) == (1.0, None)
    assert em(example(answers=("Paris",)), sample("")) == (0.0, None)


def test_a_cut_answer_without_a_reply_is_zero_whatever_the_gold() -> None:
    assert em(example(), sample("", "length")) == (0.0, None)


def test_a_reply_cut_by_the_cap_is_scored() -> None:
    assert em(example(answers=("Paris",)), sample("Paris", "length")) == (1.0, None)


@pytest.mark.parametrize("status", ["error", "refused"])
def test_no_answer_is_no_score(status: str) -> None:
    assert em(example(), failed(status)) == (None, "no_answer")


@pytest.mark.parametrize("one", [sample("x"), sample(""), sample("", "length"), failed("error")])
def test_a_row_that_does_not_apply_is_never_zero(one: Sample) -> None:
    assert em(example(answerable=False), one) == (None, "not_applicable")


def test_costs_are_measured_on_silent_answers_and_faults_are_not() -> None:
    scores = asyncio.run(
        score_sample(CostScorer(ScoringContext(), {}), example(), sample("", "length"))
    )
    found = {score.name: (score.value, score.reason) for score in scores}
    assert found["truncated"] == (1.0, None)
    assert found["trace_leak"] == (None, "not_applicable")

"""The diagnosis of a row: which rule holds first, and which hold beside it."""

from __future__ import annotations

from typing import get_args

import pytest
from support.replays import answered, failed, turn

from lt_bench.records import Claim, Note, Sample, Score, Verdict
from lt_bench.replay.diagnosis import AIMS, CODES, Case, Rival, diagnose, quality_of
from lt_bench.replay.words import NAMES, NOTES

GOOD = answered("r", turn("It is 99 yuan, and it is red."))


def case(
    sample: Sample | None = GOOD, *, rivals: tuple[Rival, ...] = (), **values: float | None
) -> Case:
    scores = {
        name: Score(name=name, value=value, reason=None if value is not None else "judge_error")
        for name, value in values.items()
    }
    return Case(sample, scores, quality_of(scores), rivals)


def codes(one: Case) -> list[str]:
    return [finding.code for finding in diagnose(one)]


def test_every_code_has_a_name_and_an_aim_and_every_note_has_words() -> None:
    assert set(NAMES) == set(AIMS) == set(CODES)
    assert set(NOTES) == set(get_args(Note))


CUT = answered("r", turn("", "hm", finish_reason="length"))
SPOKEN_THOUGHT = answered("r", turn("</think> 99", notes=("leaked_channels",)))


@pytest.mark.parametrize(
    ("one", "first", "aim"),
    [
        (case(None), "unanswered", "resume the run"),
        (case(failed("r")), "failed", "endpoint"),
        (case(CUT, correctness=0.0, helpfulness=0.0), "truncated", "budget"),
        (case(correctness=1.0, helpfulness=1.0, trace_leak=1.0), "leak", "format"),
        (case(SPOKEN_THOUGHT), "leak", "format"),
        (
            case(correctness=0.0, helpfulness=0.0, needless_refusal=1.0),
            "needless_refusal",
            "answering",
        ),
        (
            case(correctness=0.0, helpfulness=1.0, unsupported_claims=2.0),
            "unsupported",
            "grounding",
        ),
        (case(correctness=1.0, helpfulness=0.0), "evasive", "helpfulness"),
        (case(correctness=0.0, helpfulness=0.0), "wrong", "correctness"),
        (case(em=0.0, f1=0.5), "wrong", "correctness"),
        (case(task_success=0.0, under_calling=1.0), "wrong", "correctness"),
        (case(correctness=None, helpfulness=1.0), "unscored", "judge"),
        (case(), "unscored", "judge"),
        (case(em=1.0, f1=1.0), "right", ""),
        (case(correctness=1.0, helpfulness=1.0), "right", ""),
    ],
)
def test_the_first_rule_that_holds_is_the_diagnosis(one: Case, first: str, aim: str) -> None:
    finding = diagnose(one)[0]
    assert (finding.code, finding.aim) == (first, aim)


def test_the_other_rules_that_hold_are_told_in_their_order() -> None:
    cut = answered("r", turn("It is", finish_reason="length"))
    found = codes(
        case(cut, correctness=0.0, helpfulness=1.0, trace_leak=1.0, unsupported_claims=1.0)
    )
    assert found == ["truncated", "leak", "unsupported", "wrong"]
    assert found == sorted(found, key=CODES.index)


def test_a_ledger_of_another_judge_shows_what_is_unsupported() -> None:
    claims = (
        Claim(text="it is blue", verdict="contradicted"),
        Claim(text="hello", verdict="not_a_claim"),
    )
    verdict = Verdict(judge="answer_grounding", judge_sha="a", label="incorrect", claims=claims)
    scores = {"correctness": Score(name="correctness", value=0.0, verdict=verdict)}
    first = diagnose(Case(GOOD, scores, "correctness"))[0]
    assert (first.code, first.why) == ("unsupported", "“it is blue” is contradicted")


def test_small_talk_without_a_claim_is_evasive_even_where_it_is_also_wrong() -> None:
    verdict = Verdict(
        judge="facts", judge_sha="a", label="incorrect",
        claims=(Claim(text="Great question", verdict="not_a_claim"),),
    )  # fmt: skip
    scores = {
        "correctness": Score(name="correctness", value=0.0, verdict=verdict),
        "helpfulness": Score(name="helpfulness", value=0.0),
    }
    assert codes(Case(GOOD, scores, "correctness")) == ["evasive", "wrong"]


def rival(
    output: int, quality: float = 1.0, helpful: float | None = 1.0, by: str = "engine"
) -> Rival:
    return Rival("B", output, by, quality, helpful)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("other", "first"),
    [
        (rival(16), "long"),  # 16 of 20 tokens: just four fifths
        (rival(17), "right"),
        (rival(5, quality=0.0), "right"),
        (rival(5, helpful=0.0), "right"),
        (rival(5, by="tokenizer"), "right"),  # another counter: not comparable
    ],
)
def test_an_answer_is_long_where_as_good_a_one_is_far_shorter(other: Rival, first: str) -> None:
    one = case(correctness=1.0, helpfulness=1.0, rivals=(other,))
    assert codes(one) == [first]


def test_a_wrong_answer_is_never_called_long() -> None:
    assert codes(case(correctness=0.0, helpfulness=1.0, rivals=(rival(5, quality=0.0),))) == [
        "wrong"
    ]


def test_a_run_without_usual_scores_goes_by_the_headline_of_its_task() -> None:
    scores = {"politeness": Score(name="politeness", value=0.5)}
    assert quality_of(scores, ("politeness", "tpr")) == "politeness"
    assert quality_of(scores) == ""
    not_here = {"em": Score(name="em", value=None, reason="not_applicable"), **scores}
    assert quality_of(not_here, ("em", "politeness")) == "politeness"

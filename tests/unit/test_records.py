"""Records are closed, count everything, and hold only real numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pydantic import ValidationError

from lt_bench.records import (
    Environment,
    Estimate,
    Failure,
    Generation,
    ResultCard,
    Sample,
    SampleKey,
    Score,
    Stamp,
    Turn,
    Usage,
)

KEY = SampleKey(example_id="a", sample_index=0, request_sha="0" * 64)


def turn(**changes: object) -> Turn:
    fields = {"reasoning": None, "reply": "yes", "finish_reason": "stop", "usage": None}
    return Turn.model_validate({**fields, **changes})


@pytest.mark.parametrize("value", [np.float32(0.5), np.float64(0.5), np.float16(0.5)])
def test_f86_numpy_numbers_become_numbers_in_json(value: object) -> None:
    score = Score.model_validate({"name": "f1", "value": value})
    assert '"value":0.5' in score.model_dump_json()


@pytest.mark.parametrize(("value", "number"), [(np.bool_(True), 1.0), (np.int64(3), 3.0)])
def test_f86_numpy_bools_and_integers_become_numbers(value: object, number: float) -> None:
    assert Score.model_validate({"name": "em", "value": value}).value == number


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float32("nan")])
def test_f87_nan_is_no_score(value: object) -> None:
    with pytest.raises(ValidationError):
        Score.model_validate({"name": "f1", "value": value})


def test_f87_a_score_without_a_value_says_why() -> None:
    assert '"value":null,"reason":"not_applicable"' in Score(
        name="f1", value=None, reason="not_applicable"
    ).model_dump_json(exclude_defaults=True)
    with pytest.raises(ValidationError, match="needs a value or a reason"):
        Score(name="f1", value=None)


def test_a_misspelt_field_is_an_error() -> None:
    with pytest.raises(ValidationError):
        Score.model_validate({"name": "f1", "vlaue": 1.0})


def test_parts_of_the_usage_must_add_up() -> None:
    Usage(prompt=5, output=10, reasoning=6, reply=3, markup=1, counted_by="engine")
    Usage(prompt=5, output=10, reasoning=6, counted_by="provider")
    with pytest.raises(ValidationError, match="do not add up"):
        Usage(prompt=5, output=10, reasoning=6, reply=3, markup=2, counted_by="engine")


@pytest.mark.parametrize("part", ["prompt", "reasoning", "reply", "markup"])
def test_no_count_is_negative(part: str) -> None:
    with pytest.raises(ValidationError):
        Usage.model_validate({"prompt": 1, "output": 5, "counted_by": "provider", part: -1})


def test_an_unknown_part_stays_unknown_in_a_sum_and_is_never_zero() -> None:
    known = Usage(prompt=1, output=4, reasoning=1, reply=2, markup=1, counted_by="provider")
    unknown = Usage(prompt=1, output=6, counted_by="provider")
    total = known + unknown
    assert total.output == 10
    assert total.reasoning is None
    assert total.reply is None


def test_one_uncounted_turn_leaves_the_sum_uncounted() -> None:
    counted = turn(usage=Usage(prompt=1, output=2, counted_by="engine"))
    assert Generation(turns=(counted, turn())).usage is None
    assert Generation(turns=(counted, counted)).usage == Usage(
        prompt=2, output=4, counted_by="engine"
    )


def test_the_status_follows_the_turns() -> None:
    assert Generation(turns=(turn(),)).status == "ok"
    assert Generation(turns=(turn(finish_reason="length"), turn())).status == "truncated"
    assert Generation(turns=(turn(notes=("unclosed_stop",)),)).status == "truncated"


def test_a_sample_has_exactly_one_outcome() -> None:
    Sample(key=KEY, status="ok", generation=Generation(turns=(turn(),)))
    Sample(key=KEY, status="error", failure=Failure(kind="server", message="500"))
    for status, fields in (
        ("ok", {"failure": Failure(kind="server", message="500")}),
        ("error", {"generation": Generation(turns=(turn(),))}),
        ("refused", {}),
    ):
        with pytest.raises(ValidationError):
            Sample.model_validate({"key": KEY, "status": status, **fields})


STAMP = Stamp(
    data=None,
    data_sha="d",
    prompt_sha="p",
    config_sha="c",
    scorers_sha="s",
    model_fingerprint="m",
    seed=0,
    environment=Environment(lt_bench="0", hardware="h"),
    created="2026-01-01T00:00:00+00:00",
)


def card(n: int, unscored: int) -> ResultCard:
    estimate = Estimate(
        value=0.5, low=0.1, high=0.9, n=n, unscored={"no_answer": unscored}, method="Wilson"
    )
    return ResultCard(
        task="t",
        version=1,
        model="m",
        backend="b",
        samples={"ok": 8, "error": 2},
        metrics={"em": estimate},
        stamp=STAMP,
    )


def test_conservation_law_a_card_accounts_for_every_sample() -> None:
    assert ResultCard.model_validate_json(card(8, 2).model_dump_json()) == card(8, 2)
    with pytest.raises(ValidationError, match="accounts for 9 of 10 samples"):
        card(8, 1)


def test_unscored_rows_widen_the_bounds_but_not_applicable_ones_do_not() -> None:
    estimate = Estimate(
        value=0.5,
        low=0.1,
        high=0.9,
        n=8,
        unscored={"no_answer": 2, "not_applicable": 90},
        method="Wilson",
    )
    assert estimate.bounds == (0.4, 0.6)
    assert estimate.model_copy(update={"unscored": {"not_applicable": 90}}).bounds is None

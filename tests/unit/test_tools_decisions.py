"""pass^k, shares with varying denominators, and the decisions to call, as a card tells them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from support.tool_rows import END, call, dialogue, gold_call, row, sample, turn

from lt_bench.cli.cards import show
from lt_bench.records import (
    CallDecisions,
    Environment,
    Estimate,
    Example,
    Failure,
    Generation,
    ResultCard,
    Sample,
    Score,
    Scored,
    Stamp,
)
from lt_bench.run.row import Row
from lt_bench.run.tally import Tally
from lt_bench.scorers import Metric
from lt_bench.stats import every, pass_hat, ratio, wilson

PASS = Metric("pass_k", "action", pooling="every")
STATUS = gold_call("order_status", order="W1")


@pytest.mark.parametrize(("right", "drawn"), list(itertools.product(range(6), range(1, 6))))
def test_the_estimator_is_the_share_of_choices_that_are_all_right(right: int, drawn: int) -> None:
    if right > drawn:
        with pytest.raises(ValueError, match="right"):
            pass_hat(right, drawn, 1)
        return
    outcomes = [1] * right + [0] * (drawn - right)
    for k in range(1, drawn + 1):
        choices = list(itertools.combinations(outcomes, k))
        assert pass_hat(right, drawn, k) == pytest.approx(sum(map(all, choices)) / len(choices))


def test_the_estimator_is_unbiased() -> None:
    """Over all outcomes of five draws at 0.7 its mean is 0.7^k; that of the plain power is not."""
    for k in (2, 3):
        weights = [math.comb(5, c) * 0.7**c * 0.3 ** (5 - c) for c in range(6)]
        mean = sum(w * pass_hat(c, 5, k) for c, w in enumerate(weights))
        assert mean == pytest.approx(0.7**k)
        assert sum(w * (c / 5) ** k for c, w in enumerate(weights)) > 0.7**k + 0.01


def test_no_pass_of_more_samples_than_there_are() -> None:
    for k in (0, 3):
        with pytest.raises(ValueError, match="no pass"):
            pass_hat(1, 2, k)


def test_every_sample_has_the_pass_of_its_example() -> None:
    values = np.array([1.0, 1.0, 0.0, 1.0, np.nan, 1.0])
    examples = np.array([0, 0, 0, 1, 1, 2])
    found = every(values, examples, 2)
    assert found[:3] == pytest.approx([1 / 3] * 3)
    assert np.isnan(found[3:]).all()
    assert every(values, examples, 1) == pytest.approx([2 / 3] * 3 + [1, np.nan, 1], nan_ok=True)


def taken(example: Example, generation: Generation | None, index: int, value: float | None) -> Row:
    """A row with the one score `pass_k`."""
    if generation is None:
        failure = Failure(kind="server", message="500")
        key = sample(dialogue(turn()), example.id, index).key
        one = Sample(key=key, status="error", failure=failure)
    else:
        one = sample(generation, example.id, index)
    reason = None if value is not None else "no_answer"
    score = Score.model_validate({"name": "pass_k", "value": value, "reason": reason})
    return Row.of(example, one, Scored(key=one.key, scorers_sha="s", scores=(score,)))


SAID, CALLED = dialogue(turn(reply="No.")), dialogue(turn(call("order_status", order="W1")))


def tally_of(*rows: Row) -> Tally:
    tally = Tally([PASS], ("pass_k",))
    for one in rows:
        tally.add(one)
    return tally


def test_a_card_has_the_unbiased_pass_of_as_many_samples_as_were_drawn() -> None:
    outcomes = {"a": (1, 1, 1, 1), "b": (1, 1, 1, 0), "c": (0, 1, 0, 0), "d": (0, 0, 0, 0)}
    tally = tally_of(
        *(
            taken(row("no_call", name=name), SAID, index, value)
            for name, given in outcomes.items()
            for index, value in enumerate(given)
        )
    )
    assert tally.samples == 4
    estimate = tally.estimates()["pass_k"]
    assert (estimate.value, estimate.n, estimate.unscored) == (0.25, 16, {})
    assert estimate.low is not None
    passes = [one.value for one in tally.passes()["pass_k"]]
    # pass^2: a 1, b C(3,2)/C(4,2) = 1/2; pass^3: a 1, b 1/4
    assert passes == pytest.approx([8 / 16, 1.5 / 4, 1.25 / 4, 1 / 4])


def test_one_sample_a_row_is_pass_1_with_its_own_interval() -> None:
    rows = [taken(row("no_call", name=str(n)), SAID, 0, float(n < 3)) for n in range(4)]
    tally = tally_of(*rows)
    estimate, bounds = tally.estimates()["pass_k"], wilson(3, 4)
    told = (estimate.value, estimate.low, estimate.high, estimate.method)
    assert told == (0.75, bounds.low, bounds.high, "Wilson")
    assert tally.passes() == {}


def test_an_example_with_a_missing_sample_is_unscored_as_a_whole() -> None:
    whole, torn = row("no_call", name="a"), row("no_call", name="b")
    tally = tally_of(
        taken(whole, SAID, 0, 1.0),
        taken(whole, SAID, 1, 1.0),
        taken(torn, SAID, 0, 1.0),
        taken(torn, None, 1, None),
    )
    estimate = tally.estimates()["pass_k"]
    assert (estimate.value, estimate.n, estimate.unscored) == (1.0, 2, {"no_answer": 2})
    assert estimate.bounds == (0.5, 1.0)
    completed = tally.slices()["status:ok"]["pass_k"]
    assert (completed.n, completed.unscored) == (2, {"not_applicable": 1})


def test_a_ratio_is_of_sums_and_its_interval_is_that_of_its_rows() -> None:
    found = ratio([1, 0, 1, 0], [1, 1, 1, 0], ["a", "b", "c", "d"])
    bounds = wilson(2, 3)
    assert found == Estimate(value=2 / 3, low=bounds.low, high=bounds.high, n=3, method="Wilson")
    few = ratio([2, 0], [2, 1], ["a", "b"])
    assert (few.value, few.method) == (pytest.approx(2 / 3), "Wilson over 2 groups")
    assert ratio([0], [0], ["a"]).method == "nothing scored"


def test_a_ratio_over_many_groups_is_redrawn_group_by_group() -> None:
    draw = np.random.default_rng(1)
    wholes = draw.integers(1, 4, 300)
    parts = draw.binomial(wholes, 0.8)
    found = ratio(parts.tolist(), wholes.tolist(), [str(n) for n in range(300)])
    assert found.method == "cluster bootstrap (300 groups)"
    assert found.low is not None
    assert found.high is not None
    assert found.low < parts.sum() / wholes.sum() < found.high
    assert 0.03 < found.high - found.low < 0.12


def decisions(*rows: Row) -> CallDecisions:
    found = tally_of(*rows).calls()
    assert found is not None
    return found


NEEDED, NEEDLESS = row("call", STATUS, end=END, name="n"), row("no_call", name="m")


def test_decisions_with_one_sample_a_row() -> None:
    """Three rows need a call, two of them called; two do not, one of them called."""
    rows = [
        taken(row("call", STATUS, name="a"), CALLED, 0, 1.0),
        taken(row("call", STATUS, name="b"), CALLED, 0, 1.0),
        taken(row("call", STATUS, name="c"), SAID, 0, 1.0),
        taken(row("clarify", name="d"), CALLED, 0, 1.0),
        taken(row("answer", name="e"), SAID, 0, 1.0),
        taken(row("answer", name="f"), None, 0, None),
    ]
    found = decisions(*rows)
    counts = found.counts
    assert (counts.true_positive, counts.false_negative) == (2, 1)
    assert (counts.false_positive, counts.true_negative) == (1, 1)
    assert found.unanswered == 1
    assert (found.precision.value, found.recall.value, found.f1.value) == (2 / 3, 2 / 3, 2 / 3)
    assert found.precision.low == pytest.approx(wilson(2, 3).low)
    assert found.brier.value == pytest.approx(2 / 5)
    assert found.certainty.value == 1.0
    assert [one.share for one in found.shares] == [0.0, 1.0]


def test_the_share_of_samples_that_call_is_traded_off() -> None:
    """Of four samples: two rows that need a call call in 4 and 2, two that do not in 2 and 0."""
    given = {
        "a": ("call", 4),
        "b": ("call", 2),
        "c": ("no_call", 2),
        "d": ("no_call", 0),
    }
    rows = [
        taken(
            row(kind, *([STATUS] if kind == "call" else []), name=name),
            CALLED if index < calls else SAID,
            index,
            1.0,
        )
        for name, (kind, calls) in given.items()
        for index in range(4)
    ]
    found = decisions(*rows)
    told = [
        (
            one.share,
            one.rows,
            one.needed.value,
            one.precision and one.precision.value,
            one.recall and one.recall.value,
        )
        for one in found.shares
    ]
    assert told == [
        (0.0, 1, 0.0, None, None),
        (0.5, 2, 0.5, pytest.approx(2 / 3), 1.0),
        (1.0, 1, 1.0, 1.0, 0.5),
    ]
    assert found.counts.n == 16
    assert found.recall.value == 6 / 8
    assert found.precision.value == 6 / 8
    assert found.brier.value == pytest.approx((0 + 0.25 + 0.25 + 0) / 4)
    assert found.certainty.value == pytest.approx((1 + 0.5 + 0.5 + 1) / 4)
    assert sum(one.rows for one in found.shares) == 4


def test_many_samples_are_told_in_twentieths() -> None:
    rows = [
        taken(row("call", STATUS, name=str(n)), CALLED if index < n else SAID, index, 1.0)
        for n in range(41)
        for index in range(40)
    ]
    found = decisions(*rows)
    assert len(found.shares) == 21
    assert sum(one.rows for one in found.shares) == 41


def test_other_tasks_have_no_decisions() -> None:
    plain = NEEDED.model_copy(update={"gold": None})
    assert tally_of(taken(plain, SAID, 0, 1.0)).calls() is None
    assert tally_of().calls() is None
    assert tally_of().passes() == {}


def test_a_malformed_call_is_a_decision_to_call() -> None:
    broken = dialogue(turn(call("order_status", malformed="{")))
    assert decisions(taken(NEEDLESS, broken, 0, 1.0)).counts.false_positive == 1


def test_a_card_shows_passes_and_the_trade_off(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        taken(row("call", STATUS, name=name), CALLED if index < calls else SAID, index, index < 1)
        for name, calls in (("a", 2), ("b", 1))
        for index in range(2)
    ]
    tally = tally_of(*rows)
    show(card_of(tally))
    told = capsys.readouterr().out
    assert "pass_k: pass^1 50.0 %" in told
    assert "a call was needed: precision 100.0 %" in told
    assert "recall 75.0 %" in told
    assert "share that calls" in told
    assert ResultCard.model_validate_json(card_of(tally).model_dump_json()) == card_of(tally)
    once = tally_of(taken(row("call", STATUS), CALLED, 0, 1.0))
    show(card_of(once))
    assert "share that calls" not in capsys.readouterr().out


def card_of(tally: Tally) -> ResultCard:
    stamp = Stamp(
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
    return ResultCard(
        task="tool_dialogue",
        version=1,
        model="m",
        backend="b",
        samples=dict(tally.statuses),
        metrics=tally.estimates(),
        passes=tally.passes(),
        calls=tally.calls(),
        stamp=stamp,
    )

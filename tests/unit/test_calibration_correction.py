"""Rogan-Gladen and Lang-Reiczigel: figures, coverage, what is printed at and beyond the ends."""

from __future__ import annotations

import importlib.util
import math
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lt_bench.calibration.agreement import Pair, agreement
from lt_bench.calibration.balanced import agreement_range
from lt_bench.calibration.corrected import correct, corrected, evidence
from lt_bench.calibration.correction import (
    Bounds,
    Evidence,
    correctable,
    lang_reiczigel,
    printed,
    rogan_gladen,
    variance,
)
from lt_bench.calibration.effective import effective_rows
from lt_bench.records import Estimate, MetricCalibration
from lt_bench.stats import Observation, estimate, wilson

ROOT = Path(__file__).parents[2]


def counts(
    observed: float, n: float, sensitivity: float, specificity: float, labels: float
) -> Evidence[float]:
    half = labels / 2
    return Evidence(observed * n, n, sensitivity * half, half, specificity * half, half)


def single(values: list[float], per_group: int = 1) -> Estimate:
    return estimate([Observation(str(i), str(i // per_group), v) for i, v in enumerate(values)])


def calibration(tp: int, fp: int, tn: int, fn: int, per_group: int = 1) -> MetricCalibration:
    cells = [(True, True)] * tp + [(True, False)] * fp + [(False, False)] * tn
    cells += [(False, True)] * fn
    pairs = [Pair(j, h, f"g{i // per_group}") for i, (j, h) in enumerate(cells)]
    return MetricCalibration(judge="j", judge_sha="s", overall=agreement(pairs))


SHARE = st.floats(0, 1)
JUDGES = st.tuples(st.floats(0.55, 1), st.floats(0.55, 1))


@given(SHARE, JUDGES)
def test_the_correction_undoes_what_the_judge_does(true: float, judge: tuple[float, float]) -> None:
    sensitivity, specificity = judge
    observed = true * sensitivity + (1 - true) * (1 - specificity)
    found = rogan_gladen(counts(observed, 400, sensitivity, specificity, 200))
    assert found == pytest.approx(true, abs=1e-9)


def test_the_published_score_is_infeasible() -> None:
    found = correct(counts(0.923, 400, 0.83, 0.83, 300), 400, 300)
    assert found.unclipped == pytest.approx((0.923 + 0.83 - 1) / 0.66, abs=1e-12)
    assert f"{found.unclipped:.2f}" == "1.14"
    assert (found.feasible, found.value, found.high) == (False, None, 1.0)
    assert 0.9 < found.low < 0.99
    assert found.sentence.startswith("infeasible: the estimate is 1.14; with sensitivity 83.0 %")
    assert "rows and labels contradict each other" in found.sentence


def test_the_delta_variance_of_rogan_and_gladen_by_hand() -> None:
    found = counts(0.8, 400, 0.9, 0.85, 300)
    share = (0.8 + 0.85 - 1) / 0.75
    expected = (
        0.8 * 0.2 / 400 + share**2 * 0.9 * 0.1 / 150 + (1 - share) ** 2 * 0.85 * 0.15 / 150
    ) / 0.75**2
    assert variance(found) == pytest.approx(expected, abs=1e-15)
    assert correct(found, 400, 300).standard_error == pytest.approx(math.sqrt(expected), abs=1e-15)


@pytest.mark.parametrize(
    ("yes", "n", "hits", "right", "rejections", "wrong"),
    [(23, 150, 96, 100, 89, 100), (371, 400, 125, 150, 124, 150), (0, 50, 30, 40, 60, 60)],
)
def test_the_interval_is_the_one_of_the_paper(
    yes: int, n: int, hits: int, right: int, rejections: int, wrong: int
) -> None:
    """Lang and Reiczigel 2014, equations of section 2.2, step by step with scipy's quantile."""
    z = stats.norm.ppf(0.975)
    p = (yes + z**2 / 2) / (n + z**2)
    se, sp = (hits + 1) / (right + 2), (rejections + 1) / (wrong + 2)
    pi = (p + sp - 1) / (se + sp - 1)
    v_p, v_se = p * (1 - p) / (n + z**2), se * (1 - se) / (right + 2)
    v_sp = sp * (1 - sp) / (wrong + 2)
    shift = 2 * z**2 * (pi * v_se - (1 - pi) * v_sp)
    half = z * math.sqrt(v_p + pi**2 * v_se + (1 - pi) ** 2 * v_sp) / (se + sp - 1)
    found = lang_reiczigel(Evidence[float](yes, n, hits, right, rejections, wrong))
    assert found.low == pytest.approx(pi + shift - half, abs=1e-9)
    assert found.high == pytest.approx(pi + shift + half, abs=1e-9)


def test_arrays_and_floats_give_the_same() -> None:
    rng = np.random.default_rng(3)
    columns = [
        rng.integers(0, 400, 50), np.full(50, 400), rng.integers(60, 100, 50),
        np.full(50, 100), rng.integers(60, 90, 50), np.full(50, 90),
    ]  # fmt: skip
    many = Evidence(*(column.astype(float) for column in columns))
    for i in range(50):
        one = Evidence(*(float(column[i]) for column in columns))
        assert rogan_gladen(one) == pytest.approx(rogan_gladen(many)[i], abs=1e-12)
        for end in ("low", "high", "centre", "error"):
            assert getattr(lang_reiczigel(one), end) == pytest.approx(
                getattr(lang_reiczigel(many), end)[i], abs=1e-12
            )


@given(st.floats(-3, 4), st.floats(0.001, 0.6))
def test_what_is_printed_is_within_0_and_1_and_never_a_point(centre: float, error: float) -> None:
    z = stats.norm.ppf(0.975)
    shown = printed(Bounds(centre, error, centre - z * error, centre + z * error))
    assert 0 <= shown.low < shown.high <= 1
    cut_low, cut_high = max(0.0, centre - z * error), min(1.0, centre + z * error)
    if cut_low <= cut_high:
        assert shown.low <= cut_low + 1e-9
        assert shown.high >= cut_high - 1e-9


def test_the_printed_interval_passes_the_ends_without_a_jump() -> None:
    for end, step in ((1.0, 1e-9), (0.0, -1e-9)):
        for error in (0.01, 0.05, 0.2):
            before, after = (
                printed(Bounds(c, error, c - 1.959964 * error, c + 1.959964 * error))
                for c in (end - step, end + step)
            )
            assert before.low == pytest.approx(after.low, abs=1e-5)
            assert before.high == pytest.approx(after.high, abs=1e-5)


def test_beyond_the_end_it_holds_95_percent_of_the_normal_on_this_side() -> None:
    centre, error = 1.1, 0.05
    shown = printed(Bounds(centre, error, 1.0, 1.2))
    inside = stats.truncnorm(-np.inf, (1 - centre) / error, centre, error)
    assert inside.cdf(shown.low) == pytest.approx(0.05, abs=1e-9)
    assert printed(Bounds(-0.1, 0.05, -0.2, 0.0)).high == pytest.approx(1 - shown.low)


@pytest.mark.parametrize("beyond", [5.0, 20.0, 37.0, 60.0, 1e6])
def test_far_beyond_the_end_it_still_is_an_interval(beyond: float) -> None:
    shown = printed(Bounds(1 + 0.01 * beyond, 0.01, 0, 0))
    assert shown.high == 1.0
    assert 1 - shown.low == pytest.approx(0.01 * math.log(20) / beyond, rel=0.1)


@pytest.mark.parametrize(("k", "n"), [(0, 20), (20, 20), (7, 20), (371, 400), (1, 3), (1, 1)])
def test_single_rows_count_as_themselves(k: int, n: int) -> None:
    assert effective_rows(single([1.0] * k + [0.0] * (n - k))) == pytest.approx(n, abs=1e-6)


@pytest.mark.parametrize("k", [0, 3, 10])
def test_few_groups_count_as_many_rows_as_there_are_groups(k: int) -> None:
    found = single([1.0] * (4 * k) + [0.0] * (4 * (10 - k)), per_group=4)
    assert found.method == "Wilson over 10 groups"
    assert effective_rows(found) == pytest.approx(10, abs=1e-6)


def test_twins_count_once() -> None:
    rng = np.random.default_rng(0)
    values = [float(v) for v in rng.random(200) < 0.8]
    twins = single([v for v in values for _ in (0, 1)], per_group=2)
    assert effective_rows(twins) == pytest.approx(200, rel=0.06)


def test_grouped_rows_are_never_worth_more_than_they_are() -> None:
    found = single([1.0, 0.0] * 100, per_group=2)  # every group alike: no spread at all
    assert effective_rows(found) <= found.n
    mixed = single([0.4, 0.5, 0.6] * 50)
    assert effective_rows(mixed) == mixed.n


@pytest.mark.parametrize("broken", [(None, None, None), (0.5, None, None), (3.0, 2.0, 4.0)])
def test_what_is_no_share_has_no_worth(broken: tuple[float | None, ...]) -> None:
    value, low, high = broken
    with pytest.raises(ValueError, match="not a share"):
        effective_rows(Estimate(value=value, low=low, high=high, n=5, method="x"))


def test_a_card_value_is_corrected_by_its_calibration() -> None:
    raw = single([1.0] * 320 + [0.0] * 80)
    found = corrected(raw, calibration(135, 22, 128, 15))
    same = correct(Evidence(320, 400, 135, 150, 128, 150), 400, 300)
    assert found.value == pytest.approx(same.value, abs=1e-12)
    assert (found.low, found.high) == (pytest.approx(same.low), pytest.approx(same.high))
    assert (found.raw, found.n, found.labels, found.feasible) == (0.8, 400, 300, True)
    assert found.method == "Rogan-Gladen, Lang-Reiczigel interval"
    assert found.sentence == same.sentence
    assert found.sentence.startswith("people would call 86.7 % right [79.4, 95.0]")
    assert "with 400 rows and 300 labels this judge cannot reliably separate" in found.sentence


def test_rows_and_labels_in_groups_count_for_less_and_it_is_said() -> None:
    values, known = [1.0] * 320 + [0.0] * 80, calibration(135, 22, 128, 15)
    alone = corrected(single(values), known)
    grouped = corrected(single(values, per_group=8), known)
    assert grouped.value == pytest.approx(alone.value)
    assert grouped.high - grouped.low > 1.3 * (alone.high - alone.low)
    assert "400 rows in groups count as" in grouped.method
    labels = corrected(single(values), calibration(135, 22, 128, 15, per_group=5))
    assert labels.high - labels.low > 1.1 * (alone.high - alone.low)
    assert "labels of right replies in groups count as" in labels.method
    counted = evidence(single(values, per_group=8), known.overall)
    assert counted.right == pytest.approx(150, abs=1e-6)
    assert counted.rows < 100


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ((50, 50, 50, 50), "add up to 1.000"),
        ((30, 80, 20, 70), "add up to 0.500"),
        ((90, 0, 0, 10), "people call no labelled reply wrong, so the judge's specificity"),
        ((0, 10, 90, 0), "people call no labelled reply right, so the judge's sensitivity"),
    ],
)
def test_a_judge_that_tells_nothing_corrects_nothing(cells: tuple[int, ...], words: str) -> None:
    found = corrected(single([1.0] * 30 + [0.0] * 10), calibration(*cells))
    assert (found.feasible, found.value, found.unclipped) == (False, None, None)
    assert (found.low, found.high, found.detectable) == (0.0, 1.0, None)
    assert found.sentence.startswith("infeasible")
    assert words in found.sentence


def test_a_judge_that_beats_chance_by_luck_alone_corrects_nothing() -> None:
    """Smoothed, 9 of 10 and 112 of 1,000 no longer add up to more than 1."""
    found = Evidence(50.0, 100.0, 9.0, 10.0, 112.0, 1000.0)
    assert found.youden > 0
    assert not correctable(found)
    assert correct(found, 100, 1010).unclipped is None


@pytest.mark.parametrize("raw", [single([]), estimate([Observation("1", "1", 5.0)], "tokens")])
def test_only_shares_with_a_value_are_corrected(raw: Estimate) -> None:
    with pytest.raises(ValueError, match="cannot be corrected"):
        corrected(raw, calibration(90, 10, 90, 10))


def test_an_estimate_just_outside_is_put_down_to_chance() -> None:
    above = correct(counts(0.84, 40, 0.83, 0.83, 300), 40, 300)
    below = correct(counts(0.16, 40, 0.83, 0.83, 300), 40, 300)
    for found in (above, below):
        assert not found.feasible
        assert "which may be chance" in found.sentence
    assert "always right would get 83.0 %" in above.sentence
    assert "always wrong would get 17.0 %" in below.sentence
    assert above.low == pytest.approx(1 - below.high)


def test_a_perfect_score_of_a_perfect_judge_is_not_certain() -> None:
    found = correct(counts(1.0, 30, 1.0, 1.0, 200), 30, 200)
    assert (found.value, found.feasible, found.high) == (1.0, True, 1.0)
    assert found.low < 0.95


def test_an_agreement_leaves_a_range() -> None:
    found = agreement_range(0.923, 0.83)
    assert found.low == pytest.approx((0.923 + 0.66 - 1) / 0.66)
    assert found.high == pytest.approx(0.923 / 0.66)
    assert (found.feasible, found.feasible_high) == (False, 1.0)
    assert found.feasible_low == found.low
    assert agreement_range(0.5, 1.0).low == agreement_range(0.5, 1.0).high == 0.5
    assert agreement_range(0.5, 0.9).feasible


@given(SHARE, st.floats(0.501, 1), SHARE)
def test_every_pair_with_that_agreement_lies_in_the_range(
    observed: float, agreed: float, place: float
) -> None:
    found = agreement_range(observed, agreed)
    specificity = found.least + place * (1 - found.least)
    value = rogan_gladen(counts(observed, 10, 2 * agreed - specificity, specificity, 10))
    assert found.low - 1e-6 <= value <= found.high + 1e-6


@pytest.mark.parametrize(("observed", "agreed"), [(0.5, 0.5), (1.2, 0.9), (0.5, 1.01)])
def test_a_range_needs_a_judge_and_shares(observed: float, agreed: float) -> None:
    with pytest.raises(ValueError, match="agreement"):
        agreement_range(observed, agreed)


# --- the simulation, small -------------------------------------------------------------------


@pytest.fixture(scope="module")
def simulation() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "correction_benchmark", ROOT / "benchmarks" / "correction.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_intervals_cover_and_the_bias_goes(simulation: ModuleType) -> None:
    cells = simulation.grid()[::7]
    results = simulation.run(cells, repetitions=400, seed=1)
    for result in results:
        assert 0.92 <= result.coverage <= 0.99, result
        assert result.removes_bias, result
    many = [result for result in results if result.cell.labels >= 1000]
    assert many
    assert all(abs(result.bias) < 0.005 for result in many)


def test_where_the_errors_cancel_the_estimate_is_no_worse_than_the_score(
    simulation: ModuleType,
) -> None:
    for share, sensitivity, specificity in ((0.5, 0.83, 0.83), (8 / 9, 0.95, 0.6)):
        cell = simulation.Cell(share, sensitivity, specificity, 400, 100)
        assert abs(cell.raw_bias) < 1e-9
        (result,) = simulation.run([cell], repetitions=4000, seed=2)
        assert abs(result.bias) < 0.005
        assert 0.93 <= result.coverage <= 0.98


def test_estimates_outside_are_counted_and_kept(simulation: ModuleType) -> None:
    cell = simulation.Cell(0.99, 0.8, 0.8, 400, 100)
    (result,) = simulation.run([cell], repetitions=1000, seed=3)
    assert 300 < result.outside < 700
    assert 0.93 <= result.coverage <= 0.98


def test_printed_intervals_cover_at_least_as_often(simulation: ModuleType) -> None:
    cell = simulation.Cell(0.97, 0.83, 0.83, 200, 100)
    drawn = simulation.draw(cell, 500, np.random.default_rng(4))
    bounds = lang_reiczigel(drawn)
    plain = shown = 0
    for centre, error, low, high in zip(
        bounds.centre, bounds.error, bounds.low, bounds.high, strict=True
    ):
        inside = printed(Bounds(float(centre), float(error), float(low), float(high)))
        plain += low <= cell.share <= high
        shown += inside.low <= cell.share <= inside.high
    assert shown >= plain >= 0.92 * 500


def test_a_raw_score_is_wrong_where_its_corrected_one_is_right(simulation: ModuleType) -> None:
    """What the correction is for: the Wilson interval of the raw score misses the true share."""
    cell = simulation.Cell(0.8, 0.83, 0.83, 2000, 1000)
    drawn = simulation.draw(cell, 200, np.random.default_rng(5))
    raw = [wilson(float(yes), 2000) for yes in drawn.yes]
    assert not any(interval.low <= 0.8 <= interval.high for interval in raw)

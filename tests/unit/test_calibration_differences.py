"""Two models under one judge, and how many labels and rows a precision needs."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from lt_bench.calibration.correction import Evidence, lang_reiczigel
from lt_bench.calibration.difference import detectable, difference, separates
from lt_bench.calibration.planning import (
    Outlook,
    best_split,
    detectable_difference,
    floor,
    half_width,
    labels_needed,
    rows_needed,
)
from lt_bench.calibration.wording import limit, separation


def counts(
    observed: float, n: float, sensitivity: float, specificity: float, each: float
) -> Evidence[float]:
    return Evidence(observed * n, n, sensitivity * each, each, specificity * each, each)


def seen(true: float, sensitivity: float, specificity: float) -> float:
    return true * sensitivity + (1 - true) * (1 - specificity)


def test_the_published_scores_cannot_be_separated() -> None:
    first, second = (counts(score, 400, 0.83, 0.83, 150) for score in (0.923, 0.915))
    assert not separates(first, second)
    found = difference(first, second)
    assert found.low < (0.923 - 0.915) / 0.66 < found.high
    assert separation(0.923, 0.915, (400, 400), 300, separate=False) == (
        "this judge cannot separate 92.3 from 91.5 with 400 rows and 300 labels"
    )
    assert "separates 92.3 from 60.0 with 400 and 1,200 rows" in separation(
        0.923, 0.6, (400, 1200), 300, separate=True
    )


def test_more_labels_do_not_make_two_models_differ() -> None:
    """The labels are the same for both: they stretch a difference, they cannot make one."""
    few, many = (
        difference(counts(0.80, 400, 0.9, 0.85, each), counts(0.78, 400, 0.9, 0.85, each))
        for each in (200.0, 2e6)
    )
    assert few.low < 0 < few.high
    assert many.low < 0 < many.high
    assert many.high - many.low == pytest.approx(few.high - few.low, rel=0.03)


def test_the_order_of_the_models_turns_the_sign() -> None:
    first, second = counts(0.8, 400, 0.9, 0.85, 150), counts(0.6, 300, 0.9, 0.85, 150)
    there, back = difference(first, second), difference(second, first)
    assert (there.low, there.high) == (pytest.approx(-back.high), pytest.approx(-back.low))
    assert separates(first, second)
    assert separates(second, first)


@pytest.mark.parametrize(
    ("true", "sensitivity", "specificity", "rows", "each"),
    [(0.9, 0.83, 0.83, 400, 150), (0.8, 0.9, 0.85, 400, 2000), (0.3, 0.8, 0.8, 1000, 150)],
)
def test_a_detectable_difference_is_found_four_times_in_five(
    true: float, sensitivity: float, specificity: float, rows: int, each: int
) -> None:
    observed = seen(true, sensitivity, specificity)
    gap = detectable(counts(observed, rows, sensitivity, specificity, each))
    assert gap is not None
    other = true - gap if true >= 0.5 else true + gap
    rng, runs = np.random.default_rng(8), 800
    hits = covered = 0
    for _ in range(runs):
        labels = float(rng.binomial(each, sensitivity)), float(each)
        wrong = float(rng.binomial(each, specificity)), float(each)
        first, second = (
            Evidence(float(rng.binomial(rows, share)), float(rows), *labels, *wrong)
            for share in (observed, seen(other, sensitivity, specificity))
        )
        found = difference(first, second)
        hits += found.low > 0 or found.high < 0
        covered += found.low <= true - other <= found.high
    assert 0.77 <= hits / runs <= 0.87
    assert 0.93 <= covered / runs <= 0.98


def test_two_equal_models_are_rarely_told_apart() -> None:
    rng, runs, hits = np.random.default_rng(9), 1500, 0
    for _ in range(runs):
        labels = (float(rng.binomial(100, 0.8)), 100.0, float(rng.binomial(100, 0.8)), 100.0)
        first, second = (
            Evidence(float(rng.binomial(400, seen(0.85, 0.8, 0.8))), 400.0, *labels) for _ in (0, 1)
        )
        hits += separates(first, second)
    assert 0.02 <= hits / runs <= 0.07


def test_more_rows_and_a_better_judge_detect_less() -> None:
    base = detectable(counts(0.8, 400, 0.85, 0.85, 150))
    rows = detectable(counts(0.8, 4000, 0.85, 0.85, 150))
    judge = detectable(counts(0.8, 400, 0.98, 0.98, 150))
    assert base is not None
    assert rows is not None
    assert judge is not None
    assert rows < base / 2
    assert judge < base


def test_a_judge_near_chance_detects_nothing() -> None:
    assert detectable(counts(0.5, 400, 0.6, 0.5, 15)) is None
    assert limit(None, 400, 30) == (
        "with 400 rows and 30 labels this judge cannot separate any two models"
    )


def test_a_score_of_0_or_1_does_not_make_every_difference_plain() -> None:
    for observed in (0.0, 1.0):
        found = detectable(counts(observed, 50, 0.9, 0.9, 100))
        assert found is not None
        assert found > 0.05


OUTLOOK = Outlook(rate=0.9, sensitivity=0.9, specificity=0.85, rows=400.0)


@pytest.mark.parametrize("precision", [0.052, 0.06, 0.08, 0.15])
def test_the_labels_that_are_needed_are_the_fewest(precision: float) -> None:
    needed = labels_needed(OUTLOOK, precision)
    assert needed is not None
    assert half_width(OUTLOOK, needed) <= precision < half_width(OUTLOOK, needed - 1)


def test_the_planned_width_is_the_one_that_correct_prints() -> None:
    labels = 300
    observed = seen(0.9, 0.9, 0.85)
    bounds = lang_reiczigel(counts(observed, 400, 0.9, 0.85, labels / 2))
    assert half_width(OUTLOOK, labels) == pytest.approx((bounds.high - bounds.low) / 2, abs=1e-12)


def test_no_number_of_labels_gets_below_the_floor() -> None:
    least = floor(OUTLOOK)
    assert half_width(OUTLOOK, 10**9) == pytest.approx(least, abs=1e-6)
    assert labels_needed(OUTLOOK, least * 0.99) is None
    assert labels_needed(OUTLOOK, least * 1.01) is not None
    rows = rows_needed(OUTLOOK, 0.03)
    assert rows is not None
    assert floor(replace(OUTLOOK, rows=rows)) <= 0.03 < floor(replace(OUTLOOK, rows=rows - 1))
    assert labels_needed(replace(OUTLOOK, rows=rows + 100.0), 0.03) is not None


def test_the_floor_is_that_of_a_known_judge() -> None:
    """Endless labels: the smoothed share of the rows, divided by Youden's J."""
    z = 1.959963984540054
    p = (400 * seen(0.9, 0.9, 0.85) + z**2 / 2) / (400 + z**2)
    expected = z * math.sqrt(p * (1 - p) / (400 + z**2)) / 0.75
    assert floor(OUTLOOK) == pytest.approx(expected, abs=1e-9)


def test_the_best_split_needs_the_fewest_labels() -> None:
    best = best_split(OUTLOOK)
    fewest = labels_needed(replace(OUTLOOK, right=best), 0.06)
    assert fewest is not None
    for other in (0.3, 0.5, 0.7, 0.97):
        needed = labels_needed(replace(OUTLOOK, right=other), 0.06)
        assert needed is not None
        assert fewest <= needed * 1.02
    assert best_split(Outlook(0.5, 0.8, 0.8, 100.0)) == pytest.approx(0.5)
    assert best_split(Outlook(0.5, 1.0, 1.0, 100.0)) == 0.5


def test_few_labels_of_a_poor_judge_are_wide_and_not_a_crash() -> None:
    outlook = Outlook(rate=0.5, sensitivity=0.5, specificity=0.51, rows=100.0)
    assert half_width(outlook, 2) > 1
    assert labels_needed(outlook, 0.05) is None
    assert detectable_difference(outlook, 50) is None

"""Kappa, AC1 and shares against statsmodels and published tables; grouped replies; what is undefined."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from lt_bench.calibration.agreement import Pair, agreement, coefficient
from lt_bench.calibration.baselines import baselines
from lt_bench.calibration.cautions import cautions
from lt_bench.calibration.coefficients import ac1, kappa, variance

COUNT = st.integers(0, 300)


def pairs(tp: int, fp: int, tn: int, fn: int, per_group: int = 1) -> list[Pair]:
    """Counts as pairs, each with a group of its own, or whole groups of equal neighbours."""
    cells = [(True, True)] * tp + [(True, False)] * fp + [(False, False)] * tn
    cells += [(False, True)] * fn
    return [Pair(judge, human, f"g{i // per_group}") for i, (judge, human) in enumerate(cells)]


def square(size: int) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(st.lists(COUNT, min_size=size, max_size=size), min_size=size, max_size=size)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # in statsmodels, at variance 0
@given(st.integers(2, 4).flatmap(square))
@settings(max_examples=100)
def test_kappa_and_its_variance_are_those_of_statsmodels(table: list[list[int]]) -> None:
    found = kappa(table)
    if found is None:
        return
    expected = cohens_kappa(np.array(table))
    assert found.value == pytest.approx(expected.kappa, abs=1e-9)
    assert variance(found, table) == pytest.approx(expected.var_kappa, abs=1e-9)


def test_kappa_of_cohens_own_example() -> None:
    """J. Cohen, Educ. Psychol. Meas. 20 (1960), 37-46, table 1: 200 patients, kappa .492."""
    table = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    found = kappa(table)
    assert found is not None
    assert round(found.value, 3) == 0.492
    assert variance(found, table) == pytest.approx(cohens_kappa(np.array(table)).var_kappa)


@pytest.mark.parametrize(
    ("table", "value", "error"),
    [
        # The table `cont3x3abstractors` of Gwet's R package irrCAC, as its documentation prints it:
        # 0.8493305 and 0.04321747; the other rows by the Python package irrCAC 0.4.4.
        ([[13, 0, 0], [0, 20, 7], [0, 4, 56]], 0.849330548231346, 0.04321747),
        ([[118, 5], [2, 0]], 0.940776337608718, 0.02296455),
        ([[40, 9], [6, 45]], 0.700748129675811, 0.0713518),
        ([[184, 54], [14, 63]], 0.623768289041505, 0.04462715),
        ([[11, 2], [3, 4]], 0.55456570155902, 0.19108436),
    ],
)
def test_ac1_is_that_of_gwet(table: list[list[int]], value: float, error: float) -> None:
    found = ac1(table)
    assert found is not None
    assert found.value == pytest.approx(value, abs=1e-9)
    assert math.sqrt(variance(found, table)) == pytest.approx(error, abs=6e-9)


@given(square(2))
def test_ac1_has_the_variance_of_gwets_formula(table: list[list[int]]) -> None:
    """K. L. Gwet, Br. J. Math. Stat. Psychol. 61 (2008), 29-48: the sum over cells, written out."""
    n = sum(map(sum, table))
    if n == 0:
        assert ac1(table) is None
        return
    p = [[count / n for count in row] for row in table]
    pi = [(sum(p[k]) + p[0][k] + p[1][k]) / 2 for k in (0, 1)]
    equal, chance = p[0][0] + p[1][1], pi[0] * (1 - pi[0]) + pi[1] * (1 - pi[1])
    gamma = (equal - chance) / (1 - chance)
    total = sum(
        p[k][m] * ((k == m) - 2 * (1 - gamma) * (1 - (pi[k] + pi[m]) / 2)) ** 2
        for k in (0, 1)
        for m in (0, 1)
    )
    expected = (total - (equal - 2 * (1 - gamma) * chance) ** 2) / (n * (1 - chance) ** 2)
    found = ac1(table)
    assert found is not None
    assert found.value == pytest.approx(gamma, abs=1e-9)
    assert variance(found, table) == pytest.approx(expected, abs=1e-9)


def test_the_shares_of_single_replies_have_wilson_intervals() -> None:
    found = agreement(pairs(90, 15, 85, 10))
    assert (found.counts.n, found.counts.positives, found.counts.negatives) == (200, 100, 100)
    for estimate, yes, n in (
        (found.agreement, 175, 200),
        (found.base_rate, 100, 200),
        (found.sensitivity, 90, 100),
        (found.specificity, 85, 100),
    ):
        low, high = proportion_confint(yes, n, method="wilson")
        assert (estimate.value, estimate.n, estimate.method) == (yes / n, n, "Wilson")
        assert (estimate.low, estimate.high) == (pytest.approx(low), pytest.approx(high))
        assert estimate.unit == "share"


def test_kappa_of_single_replies_has_the_large_sample_interval_of_statsmodels() -> None:
    found = agreement(pairs(90, 15, 85, 10)).kappa
    expected = cohens_kappa(np.array([[85, 10], [15, 90]]))
    assert (found.method, found.unit, found.n) == ("large sample", "coefficient", 200)
    assert found.value == pytest.approx(expected.kappa, abs=1e-9)
    assert found.low == pytest.approx(expected.kappa_low, abs=1e-9)
    assert found.high == pytest.approx(expected.kappa_upp, abs=1e-9)


def test_replies_in_groups_widen_every_interval() -> None:
    alone, grouped = agreement(pairs(90, 15, 85, 10)), agreement(pairs(90, 15, 85, 10, per_group=5))
    for name in ("agreement", "kappa", "ac1", "sensitivity", "specificity"):
        one, other = getattr(alone, name), getattr(grouped, name)
        assert one.value == other.value
        assert other.high - other.low > 1.5 * (one.high - one.low), name
    assert grouped.kappa.method == "large sample over 40 groups"
    assert agreement(pairs(20, 6, 18, 4, per_group=4)).kappa.method == "Student t over 12 groups"


def test_the_grouped_interval_of_kappa_holds_what_it_promises() -> None:
    """Twins: every reply stands twice. The interval must be that of the single replies."""
    cells = pairs(45, 8, 42, 5)
    twins = [Pair(p.judge, p.human, p.group) for p in cells for _ in (0, 1)]
    for name in ("kappa", "ac1"):
        one, other = getattr(agreement(cells), name), getattr(agreement(twins), name)
        assert other.value == pytest.approx(one.value)
        assert (other.low, other.high) == (pytest.approx(one.low), pytest.approx(one.high))


def test_kappa_covers_the_truth_in_groups() -> None:
    """Groups share a difficulty, so that replies within them are alike: 95 % must stay near 95 %."""
    rng, hits, runs = random.Random(5), 0, 300
    truth = 0.4  # errors 0.3 on both sides at a base rate of one half: kappa is 1 - 2 x 0.3
    for _ in range(runs):
        rows = []
        for group in range(60):
            hard = rng.random() < 0.5
            for _ in range(4):
                human = rng.random() < 0.5
                wrong = rng.random() < (0.5 if hard else 0.1)
                rows.append(Pair(human != wrong, human, str(group)))
        found = coefficient(kappa, rows)
        hits += found.low <= truth <= found.high
    assert 0.91 <= hits / runs <= 0.985


def test_what_is_not_defined_has_no_value_and_says_why() -> None:
    none = agreement([])
    for name in ("agreement", "base_rate", "sensitivity", "specificity", "kappa", "ac1"):
        estimate = getattr(none, name)
        assert (estimate.value, estimate.low, estimate.high, estimate.n) == (None, None, None, 0)
        assert estimate.method.startswith("not defined: no ")
    only_right = agreement(pairs(8, 0, 0, 2))
    assert only_right.specificity.value is None
    assert only_right.specificity.method == "not defined: no replies that people call wrong"
    assert only_right.sensitivity.value == 0.8
    same = agreement(pairs(10, 0, 0, 0))
    assert same.kappa.method == "not defined: both always give the same answer"
    assert (same.ac1.value, same.ac1.low) == (1.0, None)


def test_perfect_agreement_is_not_certainty() -> None:
    found = agreement(pairs(20, 0, 20, 0))
    assert (found.kappa.value, found.kappa.low, found.kappa.high) == (1.0, None, None)
    assert found.kappa.method == found.ac1.method == "no interval: the two never disagree"


def test_a_constant_judge_has_kappa_0_by_definition() -> None:
    found = agreement(pairs(95, 5, 0, 0))
    assert (found.kappa.value, found.kappa.low, found.kappa.high) == (0.0, 0.0, 0.0)
    assert found.kappa.method == "0 by definition: the judge always gives the same answer"
    assert found.agreement.value == found.base_rate.value == 0.95
    assert found.ac1.value is not None
    assert found.ac1.value > 0.9


def test_silence_is_counted_beside_the_figures() -> None:
    found = agreement(pairs(5, 1, 4, 0), {"judge_unparsed": 3, "judge_error": 2})
    assert found.unscored == {"judge_unparsed": 3, "judge_error": 2}
    assert found.counts.n == found.agreement.n == 10


def test_a_constant_judge_on_lopsided_labels_is_seen_through() -> None:
    said = cautions(agreement(pairs(190, 10, 0, 0)))
    assert said[0] == "the judge says yes to all 200 replies: it tells nothing"
    assert "cannot be told from chance, although the two agree on 95.0 %" in said[1]
    assert any("sensitivity 1.000 and specificity 0.000 add up to" in one for one in said)
    assert any("people call 95.0 % of the replies right" in one for one in said)
    assert any(one.startswith("only 10 replies that people call wrong") for one in said)


def test_a_good_judge_with_labels_enough_gives_no_caution() -> None:
    assert cautions(agreement(pairs(140, 12, 138, 10))) == ()


@pytest.mark.parametrize(
    ("counts", "silent", "words"),
    [
        ((100, 100, 100, 100), 0, "kappa 0.00 [-0.10, 0.10] cannot be told from chance"),
        ((20, 120, 20, 120), 0, "the judge contradicts people"),
        ((140, 12, 138, 10), 60, "no verdict on 60 of 360 replies"),
        ((60, 3, 40, 2), 0, "only 62 replies that people call right"),
        ((5, 0, 1, 0), 0, "only 1 reply that people call wrong"),
        ((500, 40, 12, 30), 0, "kappa is only 0.19, although the two agree on 88.0 %"),
        ((0, 0, 0, 0), 9, "nothing to compare"),
        ((50, 0, 0, 0), 0, "no reply that people call wrong: scores of this judge cannot"),
    ],
)
def test_each_doubt_has_its_words(counts: tuple[int, ...], silent: int, words: str) -> None:
    found = agreement(pairs(*counts), {"judge_error": silent} if silent else None)
    assert any(words in one for one in cautions(found)), cautions(found)


def test_rows_that_do_not_apply_are_no_silence() -> None:
    found = agreement(pairs(140, 12, 138, 10), {"not_applicable": 500})
    assert cautions(found) == ()


def test_baselines_read_nothing_but_the_length() -> None:
    found = baselines(["a", "bb", "cccc", "ddddd"])
    assert found == {
        "always yes": [True] * 4,
        "always no": [False] * 4,
        "longer than the median": [False, False, True, True],
        "shorter than the median": [True, True, False, False],
    }
    assert baselines([]) == {}
    assert not any(baselines(["same", "size"])["longer than the median"])

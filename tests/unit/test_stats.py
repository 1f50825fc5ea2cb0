"""Intervals against scipy and statsmodels, the rules that choose between them, and coverage."""

from __future__ import annotations

import math
import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from lt_bench.records import Reason
from lt_bench.stats import Interval, Observation, cluster_bootstrap, estimate, wilson
from lt_bench.stats.intervals import bootstrap, bootstrap_each, clustered


def rows(values: list[float | None], per_group: int = 1, reason: Reason = "no_answer"):
    return [
        Observation(f"e{i}", f"g{i // per_group}", value, reason if value is None else None)
        for i, value in enumerate(values)
    ]


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (0, 20), (20, 20), (7, 20), (371, 400)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_wilson_is_that_of_statsmodels(k: int, n: int, level: float) -> None:
    low, high = proportion_confint(k, n, alpha=1 - level, method="wilson")
    interval = wilson(k, n, level)
    assert interval.low == pytest.approx(low, abs=1e-12)
    assert interval.high == pytest.approx(high, abs=1e-12)


@pytest.mark.parametrize(("k", "n"), [(1, 0), (-1, 5), (6, 5), (0, -1)])
def test_wilson_refuses_impossible_counts(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="successes"):
        wilson(k, n)


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_wilson_holds_the_share_and_stays_within_bounds(n: int, share: float) -> None:
    interval = wilson(share * n, n)
    assert 0 <= interval.low <= share + 1e-12
    assert share - 1e-12 <= interval.high <= 1


def test_single_rows_of_zeros_and_ones_get_wilson() -> None:
    found = estimate(rows([1.0] * 15 + [0.0] * 5))
    assert (found.value, found.n, found.method) == (0.75, 20, "Wilson")
    low, high = proportion_confint(15, 20, method="wilson")
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_zeros_and_ones_in_groups_are_bootstrapped_over_the_groups() -> None:
    found = estimate(rows([1.0, 1.0, 0.0, 0.0] * 50, per_group=2))
    assert found.method == "cluster bootstrap (100 groups)"
    alone = estimate(rows([1.0, 1.0, 0.0, 0.0] * 50))
    assert found.high - found.low > 1.3 * (alone.high - alone.low)


def test_several_samples_are_averaged_within_an_example_before_anything_else() -> None:
    observations = [Observation("a", "a", 1.0)] * 9 + [Observation("b", "b", 0.0)]
    found = estimate(observations)
    assert (found.value, found.n) == (0.5, 10)
    assert found.method == "Wilson over 2 groups"


def test_samples_of_zeros_and_ones_never_count_as_independent_rows() -> None:
    observations = [
        Observation(f"e{i}", f"e{i}", float(i % 2)) for i in range(40) for _ in range(8)
    ]
    found = estimate(observations)
    assert found.method == "cluster bootstrap (40 groups)"
    assert found.high - found.low > 0.25


def test_few_groups_of_shares_get_wilson_over_the_groups() -> None:
    found = estimate(rows([0.5, 1.0, 0.25] * 19, per_group=3))
    low, high = proportion_confint(0.5833333333333333 * 19, 19, method="wilson")
    assert found.method == "Wilson over 19 groups"
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_equal_shares_in_many_groups_get_wilson_over_the_groups() -> None:
    found = estimate(rows([1.0] * 100, per_group=2))
    low, _ = proportion_confint(50, 50, method="wilson")
    assert (found.method, found.high) == ("Wilson over 50 groups", 1.0)
    assert found.low == pytest.approx(low)


def test_few_groups_of_tokens_get_student_t_over_the_group_means() -> None:
    means = [120.0, 150.0, 133.0, 181.0, 95.0, 140.0, 122.0, 160.0]
    found = estimate(rows([m + d for m in means for d in (-5.0, 5.0)], per_group=2), "tokens")
    low, high = scipy_stats.t.interval(0.95, 7, np.mean(means), scipy_stats.sem(means))
    assert found.method == "Student t over 8 groups"
    assert found.value == pytest.approx(np.mean(means))
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_student_t_is_centred_on_the_value_when_groups_differ_in_size() -> None:
    observations = [Observation(f"a{i}", "a", 100.0) for i in range(9)]
    observations += [Observation("b", "b", 200.0), Observation("c", "c", 150.0)]
    found = estimate(observations, "tokens")
    assert found.value == pytest.approx((900 + 200 + 150) / 11)
    assert (found.low + found.high) / 2 == pytest.approx(found.value)


def test_a_count_of_tokens_has_no_negative_end() -> None:
    assert estimate(rows([0.0, 400.0]), "tokens").low == 0.0


def test_equal_tokens_have_no_interval_and_the_method_says_why() -> None:
    found = estimate(rows([64.0] * 30), "tokens")
    assert (found.value, found.low, found.high) == (64.0, None, None)
    assert found.method == "no interval: all 30 groups are equal"
    one = estimate(rows([64.0, 80.0], per_group=2), "tokens")
    assert (one.value, one.low, one.method) == (72.0, None, "no interval: one group")


def test_equal_tokens_that_floats_cannot_hold_are_still_equal() -> None:
    found = estimate(rows([0.1, 0.2, 0.3] * 30, per_group=3), "TFLOP")
    shuffled = estimate(
        [Observation(f"{g}{v}", f"g{g}", v) for g in range(30) for v in (0.3, 0.1, 0.2)], "TFLOP"
    )
    assert found.low is None
    assert shuffled.low is None


def test_nothing_scored_has_no_value_and_keeps_the_count() -> None:
    found = estimate(rows([None] * 3, reason="not_applicable") + rows([None]))
    assert (found.value, found.low, found.n) == (None, None, 0)
    assert found.unscored == {"no_answer": 1, "not_applicable": 3}
    assert found.method == "nothing scored"
    assert estimate([]).n == 0


def test_f87_a_value_that_is_no_number_is_refused() -> None:
    for bad in (math.nan, math.inf):
        with pytest.raises(ValueError, match="value"):
            Observation("a", "a", bad)


def test_an_observation_has_a_value_or_a_reason() -> None:
    with pytest.raises(ValueError, match="not both"):
        Observation("a", "a", None)
    with pytest.raises(ValueError, match="not both"):
        Observation("a", "a", 1.0, "no_answer")


def test_an_example_lies_in_one_group() -> None:
    with pytest.raises(ValueError, match="in groups"):
        estimate([Observation("a", "x", 1.0), Observation("a", "y", 1.0)])


scores = st.one_of(st.none(), st.sampled_from([0.0, 1.0]), st.floats(0, 1))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), scores), max_size=120))
def test_every_observation_is_counted_and_the_interval_holds_the_value(pairs) -> None:
    observations = [
        Observation(f"e{e}", f"g{e % 25}", v, "judge_error" if v is None else None)
        for e, v in pairs
    ]
    found = estimate(observations)
    assert found.n + sum(found.unscored.values()) == len(observations)
    if found.value is not None:
        assert found.low - 1e-9 <= found.value <= found.high + 1e-9
        assert 0 <= found.low <= found.high <= 1
    assert estimate(observations) == found


def test_the_order_of_rows_does_not_change_the_mean() -> None:
    values = [random.Random(3).random() for _ in range(200)]
    observations = rows(values, per_group=4)
    shuffled = random.Random(1).sample(observations, len(observations))
    assert estimate(shuffled).value == estimate(observations).value


@pytest.mark.parametrize("unit", ["share", "tokens"])
def test_the_bootstrap_is_that_of_scipy_on_one_row_a_group(unit: str) -> None:
    values = [random.Random(7).betavariate(2, 3) for _ in range(150)]
    if unit == "tokens":
        values = [random.Random(i).expovariate(1 / 150) for i in range(150)]
    mine = cluster_bootstrap(values, [str(i) for i in range(150)])
    theirs = scipy_stats.bootstrap(
        (np.array(values),), np.mean, method="percentile", n_resamples=20_000, rng=5
    ).confidence_interval
    width = theirs.high - theirs.low
    assert mine.low == pytest.approx(theirs.low, abs=0.05 * width)
    assert mine.high == pytest.approx(theirs.high, abs=0.05 * width)


def test_groups_that_are_alike_are_redrawn_with_the_same_distribution() -> None:
    """Ten kinds among 600 groups go the fast way; a speck of noise makes all groups distinct."""
    draw = random.Random(2)
    values = [draw.randrange(10) / 9 for _ in range(600)]
    names = [str(i) for i in range(600)]
    fast = cluster_bootstrap(values, names)
    slow = cluster_bootstrap([v + draw.random() * 1e-9 for v in values], names)
    width = slow.high - slow.low
    assert fast.low == pytest.approx(slow.low, abs=0.05 * width)
    assert fast.high == pytest.approx(slow.high, abs=0.05 * width)


def test_unequal_groups_are_redrawn_whole() -> None:
    """One group of 40 rows carries the spread: both ends come from it being drawn or not."""
    values = [1.0] * 40 + [0.0] * 40
    groups = ["big"] * 40 + [f"small{i}" for i in range(40)]
    found = cluster_bootstrap(values, groups)
    assert found.low == 0.0
    assert found.high > 0.7


def test_equal_calls_give_equal_intervals_and_another_seed_another_one() -> None:
    draw = random.Random(1)
    values, groups = [draw.random() for _ in range(60)], [str(i) for i in range(60)]
    assert cluster_bootstrap(values, groups) == cluster_bootstrap(values, groups)
    assert cluster_bootstrap(values, groups) != cluster_bootstrap(values, groups, seed=1)


def test_the_bootstrap_refuses_an_empty_or_uneven_table() -> None:
    for values, groups in (([], []), ([1.0], [])):
        with pytest.raises(ValueError, match="groups"):
            cluster_bootstrap(values, groups)


def test_ten_thousand_rows_take_seconds_at_most() -> None:
    values, groups = [random.Random(1).random()] * 10_000, [str(i) for i in range(10_000)]
    values = [v * (i + 1) for i, v in enumerate(values)]
    started = time.process_time()
    assert isinstance(cluster_bootstrap(values, groups), Interval)
    assert time.process_time() - started < 10


def test_the_cluster_bootstrap_covers_the_truth_where_single_rows_would_not() -> None:
    """40 groups of 5 rows that share a group effect, 300 worlds: near 95 % must hold the mean."""
    draw = np.random.default_rng(11)
    covered = naive = 0
    for world in range(300):
        effect = draw.normal(0, 1, size=40).repeat(5)
        values = (0.3 + effect + draw.normal(0, 0.5, size=200)).tolist()
        groups = [str(i // 5) for i in range(200)]
        found = cluster_bootstrap(values, groups, seed=world, resamples=1000)
        covered += found.low <= 0.3 <= found.high
        single = cluster_bootstrap(values, [str(i) for i in range(200)], resamples=1000)
        naive += single.low <= 0.3 <= single.high
    assert 0.90 <= covered / 300 <= 0.98
    assert naive / 300 < 0.8


def test_intervals_are_the_same_alone_and_in_company() -> None:
    draw = random.Random(4)
    several = [
        clustered([draw.random() for _ in range(50)], [str(i) for i in range(50)]),
        clustered([float(i % 2) for i in range(300)], [str(i) for i in range(300)]),
        clustered([draw.random() for _ in range(100)], [str(i // 2) for i in range(100)]),
        clustered([draw.randrange(4) / 3 for _ in range(90)], [str(i) for i in range(90)]),
        clustered([draw.random() for _ in range(61)], [str(i // 3) for i in range(61)]),
    ]
    assert bootstrap_each(several) == [bootstrap(one) for one in several]


def test_zeros_and_ones_are_one_binomial() -> None:
    """1,000 rows of which 300 are 1: the ends are quantiles of a binomial, over 1,000."""
    values = [1.0] * 300 + [0.0] * 700
    found = cluster_bootstrap(values, [str(i) for i in range(1000)], resamples=200_000)
    low, high = scipy_stats.binom(1000, 0.3).ppf([0.025, 0.975]) / 1000
    assert found.low == pytest.approx(low, abs=0.0011)
    assert found.high == pytest.approx(high, abs=0.0011)


def test_two_kinds_of_unequal_groups_are_drawn_as_whole_groups() -> None:
    """Groups of one right row and of three wrong ones: the mean of a resample is k / (k + 3 (n - k))."""
    values, groups = [], []
    for i in range(40):
        size = 1 if i % 2 else 3
        values += [float(size == 1)] * size
        groups += [str(i)] * size
    found = cluster_bootstrap(values, groups, resamples=100_000)
    ends = scipy_stats.binom(40, 0.5).ppf([0.025, 0.975])
    expected = [k / (k + 3 * (40 - k)) for k in ends]
    assert found.low == pytest.approx(expected[0], abs=1e-9)
    assert found.high == pytest.approx(expected[1], abs=1e-9)


def test_very_many_groups_unlike_each_other_get_student_t() -> None:
    draw = random.Random(6)
    found = estimate(rows([draw.random() for _ in range(100_001)]))
    assert found.method == "Student t over 100001 groups"
    assert found.high - found.low == pytest.approx(
        2 * 1.96 * (1 / 12) ** 0.5 / 100_001**0.5, rel=0.02
    )
    coarse = estimate(rows([draw.randrange(5) / 4 for _ in range(100_001)]))
    assert coarse.method == "cluster bootstrap (100001 groups)"

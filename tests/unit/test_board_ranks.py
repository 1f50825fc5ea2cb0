"""Ranks, sets of ranks, Pareto fronts, and the pairs behind them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lt_bench.board.matrix import Matrix
from lt_bench.board.pairwise import contrasts
from lt_bench.board.pareto import front
from lt_bench.board.ranks import order, places, rank_sets, ties
from lt_bench.stats import Observation
from lt_bench.stats.holm import holm
from lt_bench.stats.paired import paired


def alone(values: np.ndarray) -> Matrix:
    return Matrix(values, np.arange(len(values)), single=True)


def grouped(values: np.ndarray, size: int) -> Matrix:
    return Matrix(values, np.arange(0, len(values), size), single=True)


def test_ties_share_a_rank_and_the_next_one_is_skipped() -> None:
    values = {"a": 0.9, "b": 0.5, "c": 0.9, "d": 0.7}
    assert places(values, "higher") == {"a": 1, "c": 1, "d": 3, "b": 4}
    assert places(values, "lower") == {"b": 1, "d": 2, "a": 3, "c": 3}
    assert places({"a": 0.1 + 0.2, "b": 0.3}, "higher") == {"a": 1, "b": 1}
    assert order(values, "higher") == ["a", "c", "d", "b"]


def test_sets_of_ranks_count_what_is_significantly_better_and_worse() -> None:
    rng = np.random.default_rng(0)
    rows = 400
    values = np.stack(
        [(rng.random(rows) < share).astype(float) for share in (0.9, 0.6, 0.6, 0.2)], axis=1
    )
    found = contrasts(alone(values))
    sets = rank_sets(4, found, "higher")
    assert (sets[0].low, sets[0].high) == (1, 1)
    assert (sets[3].low, sets[3].high) == (4, 4)
    assert {(one.low, one.high) for one in sets[1:3]} == {(2, 3)}
    turned = rank_sets(4, found, "lower")
    assert (turned[0].low, turned[3].high) == (4, 1)
    assert ties([0, 1, 2, 3], found) == {0: 1, 1: 2, 2: 2, 3: 3}


def test_sets_cover_equal_models_as_often_as_promised() -> None:
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(120):
        values = (rng.random((80, 6)) < 0.6).astype(float)
        sets = rank_sets(6, contrasts(alone(values)), "higher")
        held += all((one.low, one.high) == (1, 6) for one in sets)
    assert held >= 0.95 * 120 - 2 * math.sqrt(120 * 0.95 * 0.05)


def test_pairs_are_mcnemars_for_rights_and_wrongs_of_single_rows() -> None:
    rng = np.random.default_rng(2)
    values = (rng.random((150, 2)) < [0.7, 0.5]).astype(float)
    (one,) = contrasts(alone(values))
    ours, theirs = (
        [Observation(str(i), str(i), float(v)) for i, v in enumerate(column)] for column in values.T
    )
    other = paired(ours, theirs)
    assert other is not None
    assert other.interval is not None
    assert one.difference == pytest.approx(other.value)
    assert one.p_value == pytest.approx(other.p_value)
    assert one.method.startswith("exact McNemar")
    assert one.low == pytest.approx(other.interval.low, abs=0.02)


@pytest.mark.parametrize("missing", [False, True])
def test_pairs_in_groups_are_those_of_the_paired_module(missing: bool) -> None:
    rng = np.random.default_rng(4)
    values = rng.normal([0.2, 0.0], 1.0, (120, 2)) + np.repeat(rng.normal(size=(30, 1)), 4, axis=0)
    if missing:
        values[3:17, 0] = np.nan
        values[15:20, 1] = np.nan
    (one,) = contrasts(grouped(values, 4))
    ours, theirs = (
        [
            Observation(str(i), str(i // 4), None, "no_answer")
            if math.isnan(v)
            else Observation(str(i), str(i // 4), float(v))
            for i, v in enumerate(column)
        ]
        for column in values.T
    )
    other = paired(ours, theirs)
    assert other is not None
    assert other.interval is not None
    assert one.difference == pytest.approx(other.value)
    assert (one.rows, one.groups, one.left_out) == (other.rows, other.groups, other.left_out)
    assert one.p_value == pytest.approx(other.p_value, abs=0.01)
    assert one.low == pytest.approx(other.interval.low, abs=0.02)
    assert one.high == pytest.approx(other.interval.high, abs=0.02)


def test_few_groups_have_a_student_interval_and_all_flips_counted() -> None:
    rng = np.random.default_rng(5)
    (one,) = contrasts(grouped(rng.normal([0.5, 0.0], 1.0, (40, 2)), 5))
    assert "Student t over 8 groups" in one.method
    assert "all sign flips of 8 groups" in one.method
    assert (one.p_value * 2**7) == pytest.approx(round(one.p_value * 2**7))


def test_a_difference_of_shares_stays_one() -> None:
    values = np.array([[1.0, float(i == 3)] for i in range(24)])
    (one,) = contrasts(grouped(values, 4))
    assert one.high == 1.0
    assert one.low is not None
    assert one.low < one.difference < 1.0


def test_holm_is_over_all_pairs_of_the_column() -> None:
    rng = np.random.default_rng(6)
    values = (rng.random((200, 5)) < np.linspace(0.4, 0.8, 5)).astype(float)
    found = contrasts(alone(values))
    assert len(found) == 10
    assert [one.p_holm for one in found] == pytest.approx(holm([one.p_value for one in found]))


def test_candidates_without_a_common_row_are_no_pair() -> None:
    values = np.array([[1.0, np.nan], [0.0, np.nan], [np.nan, 1.0], [np.nan, 0.0]])
    assert contrasts(alone(values)) == []
    assert contrasts(alone(values[:, :1])) == []
    assert contrasts(grouped(values + 0.5, 2)) == []


def test_a_front_is_what_nothing_beats() -> None:
    quality = {"best": 0.9, "cheap": 0.5, "beaten": 0.5, "middle": 0.7, "twin": 0.7, "lacks": 0.99}
    cost = {"best": 300.0, "cheap": 50.0, "beaten": 60.0, "middle": 100.0, "twin": 100.0}
    found = front(quality, cost)
    assert found.front == ("cheap", "middle", "twin", "best")
    assert found.beaten == ("beaten",)
    assert front({}, {}).front == ()

"""Sign-flip tests without draws, and two shares on the same rows."""

from __future__ import annotations

import numpy as np
import pytest

from lt_bench.stats.flips import flip_tests, groups_needed, smallest_p
from lt_bench.stats.mcnemar import mcnemar
from lt_bench.stats.paired import sign_flips
from lt_bench.stats.shares import detectable, mcnemar_each, share_intervals


def every_flip(sums: np.ndarray) -> float:
    """Two-sided p by counting all choices of signs, one after another."""
    totals = np.zeros(1)
    for one in sums:
        totals = np.concatenate([totals + one, totals - one])
    return float((np.abs(totals) >= abs(sums.sum()) - 1e-9).mean())


@pytest.mark.parametrize("groups", [5, 12, 13, 17])
@pytest.mark.parametrize("kind", ["counts", "fractions", "halves"])
def test_p_values_are_those_of_all_sign_flips(groups: int, kind: str) -> None:
    rng = np.random.default_rng(groups)
    sums = {
        "counts": rng.integers(-3, 5, (groups, 30)).astype(float),
        "fractions": rng.normal(0.3, 1, (groups, 30)),
        "halves": rng.choice([-1.0, -0.5, 0.5, 1.0, 2.0], (groups, 30)),
    }[kind]
    p_values, _ = flip_tests(sums)
    for column, p in zip(sums.T, p_values, strict=True):
        exact = every_flip(column[column != 0])
        # Far out the saddlepoint is off by a share of p that no decision hangs on.
        assert p == pytest.approx(exact, rel=0.06 if exact > 0.01 else 0.2)


def test_equal_sums_are_mcnemars_test_to_the_last_digit() -> None:
    sums = np.array([[0.25] * 18 + [-0.25] * 5 + [0.0] * 7]).T
    p_values, names = flip_tests(sums)
    assert p_values[0] == mcnemar(18, 5)
    assert names == ["exact test of signs (McNemar)"]


def test_very_small_p_values_are_told_apart() -> None:
    rng = np.random.default_rng(0)
    strong = np.abs(rng.normal(2, 1, (300, 1)))
    stronger = np.abs(rng.normal(2, 1, (600, 1)))
    p_all = flip_tests(strong)[0][0]
    assert p_all == pytest.approx(2.0**-299, rel=1e-9)
    assert flip_tests(stronger)[0][0] < p_all
    mixed = strong.copy()
    mixed[:40] *= -1
    assert 0 < flip_tests(mixed)[0][0] < 1e-20


def test_the_tail_agrees_with_drawn_flips() -> None:
    rng = np.random.default_rng(1)
    sums = rng.integers(-4, 6, (80, 6)).astype(float)
    p_values, _ = flip_tests(sums)
    for column, p in zip(sums.T, p_values, strict=True):
        assert p == pytest.approx(sign_flips(column)[0], abs=0.015)


def test_nothing_differs_or_no_group_at_all() -> None:
    p_values, names = flip_tests(np.zeros((4, 2)))
    assert list(p_values) == [1.0, 1.0]
    assert names == ["no group differs"] * 2
    assert list(flip_tests(np.zeros((0, 1)))[0]) == [1.0]


def test_mcnemar_of_many_is_mcnemar_of_each() -> None:
    first, second = np.array([0, 3, 10, 40, 7]), np.array([0, 9, 10, 12, 0])
    found = mcnemar_each(first.astype(float), second.astype(float))
    for a, b, p in zip(first, second, found, strict=True):
        assert p == pytest.approx(mcnemar(int(a), int(b)), rel=1e-9)


def test_newcombes_published_interval() -> None:
    # Newcombe (1998), table II, method 10: 36 both, 12 first alone, 2 second alone, 0 neither.
    low, high = share_intervals(*(np.array([float(n)]) for n in (36, 48, 38, 50)))
    assert low[0] == pytest.approx(0.0569, abs=5e-4)
    assert high[0] == pytest.approx(0.3404, abs=5e-4)


def test_intervals_of_extreme_shares_stay_within_bounds_and_have_width() -> None:
    low, high = share_intervals(*(np.array([float(n)]) for n in (30, 30, 30, 30)))
    assert -1 <= low[0] < 0 < high[0] <= 1
    low, high = share_intervals(*(np.array([float(n)]) for n in (0, 30, 0, 30)))
    assert high[0] == 1.0


def test_a_difference_that_can_be_found_has_eighty_percent_power() -> None:
    rng = np.random.default_rng(3)
    error = 0.05
    true = detectable(error)
    found = rng.normal(true, error, 20_000)
    assert (np.abs(found) > 1.96 * error).mean() == pytest.approx(0.8, abs=0.01)
    with pytest.raises(ValueError, match="standard error"):
        detectable(float("nan"))


@pytest.mark.parametrize("tests", [1, 3, 45])
def test_so_many_groups_are_needed_before_a_test_can_be_significant(tests: int) -> None:
    needed = groups_needed(tests)
    for groups, separated in ((needed - 1, False), (needed, True)):
        sums = np.arange(1.0, groups + 1)[:, None]  # all one way, of different sizes
        (p_value,), _ = flip_tests(sums)
        assert p_value == pytest.approx(smallest_p(groups))
        assert bool(p_value * tests <= 0.05) is separated

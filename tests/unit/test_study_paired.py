"""Differences of two candidates on the same rows, against cases computed by hand."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lt_bench.stats import Observation
from lt_bench.stats.paired import paired, sign_flips


def scores(
    values: dict[str, float | None], groups: dict[str, str] | None = None
) -> list[Observation]:
    return [
        Observation(
            row, (groups or {}).get(row, row), value, None if value is not None else "judge_error"
        )
        for row, value in values.items()
    ]


def test_right_and_wrong_on_the_same_rows_is_mcnemar() -> None:
    # 6 rows right by the first alone, 1 by the second alone, 3 alike: p = 2 (1 + 7) / 2^7
    first = scores({f"r{n}": float(n < 8) for n in range(10)})
    second = scores({f"r{n}": float(n in (6, 7, 9)) for n in range(10)})
    found = paired(first, second)
    assert found is not None
    assert found.value == pytest.approx(0.5)
    assert found.p_value == pytest.approx(16 / 128)
    assert "McNemar" in found.method


def test_few_groups_have_the_t_interval_of_their_differences() -> None:
    # d = 1, 2, 3, 6: mean 3, variance 14/3, t(3, 0.975) = 3.182446
    second = dict.fromkeys("abcd", 10.0)
    first = {"a": 11.0, "b": 12.0, "c": 13.0, "d": 16.0}
    found = paired(scores(first), scores(second))
    assert found is not None
    assert found.interval is not None
    half = 3.182446305 * math.sqrt(14 / 3 / 4)
    assert found.value == pytest.approx(3.0)
    assert (found.interval.low, found.interval.high) == pytest.approx((3 - half, 3 + half))


def test_a_factor_scales_the_second_row_by_row() -> None:
    # 30 - 0.55 x 60 = -3; 40 - 0.55 x 80 = -4; 50 - 0.55 x 100 = -5
    first, second = {"a": 30.0, "b": 40.0, "c": 50.0}, {"a": 60.0, "b": 80.0, "c": 100.0}
    found = paired(scores(first), scores(second), factor=0.55)
    assert found is not None
    assert found.value == pytest.approx(-4.0)


def test_samples_of_a_row_are_averaged_before_rows_are() -> None:
    first = [Observation("a", "a", value) for value in (1.0, 0.0, 0.0, 0.0)]
    first += [Observation("b", "b", 1.0)]
    found = paired(first, scores({"a": 0.0, "b": 0.0}))
    assert found is not None
    assert found.value == pytest.approx((0.25 + 1.0) / 2)
    assert found.rows == 2


def test_rows_without_a_partner_are_left_out_and_counted() -> None:
    found = paired(
        scores({"a": 1.0, "b": 1.0, "c": None, "d": 1.0}), scores({"a": 0.0, "b": 1.0, "c": 1.0})
    )
    assert found is not None
    assert (found.rows, found.left_out) == (2, 2)
    assert found.value == pytest.approx(0.5)


def test_no_row_in_common_is_no_difference() -> None:
    assert paired(scores({"a": 1.0}), scores({"b": 1.0})) is None
    assert paired([], []) is None


def test_a_row_in_two_groups_is_refused() -> None:
    with pytest.raises(ValueError, match="two groups|in groups"):
        paired(scores({"a": 1.0}), scores({"a": 1.0}, {"a": "other"}))


def test_equal_candidates_have_no_interval_and_p_one() -> None:
    same = scores({f"r{n}": float(n % 2) for n in range(40)})
    found = paired(same, same)
    assert found is not None
    assert (found.value, found.interval, found.p_value) == (0.0, None, 1.0)


def test_rows_of_one_group_count_as_one() -> None:
    # 100 rows in 5 groups that agree within: as uncertain as 5 rows are, not as 100
    groups = {f"g{g}r{n}": f"g{g}" for g in range(5) for n in range(20)}
    first = {row: float(group in ("g0", "g1", "g2", "g3")) for row, group in groups.items()}
    second = dict.fromkeys(groups, 0.0)
    found = paired(scores(first, groups), scores(second, groups))
    assert found is not None
    assert found.groups == 5
    assert found.p_value == pytest.approx(2 / 2**4)
    assert found.interval is not None
    assert found.interval.low < 0.8 - 0.4


def test_a_margin_is_what_the_mean_is_tested_against() -> None:
    first = scores({f"r{n}": float(n % 2) for n in range(60)})
    second = scores(dict.fromkeys((f"r{n}" for n in range(60)), 0.0))
    at, away = paired(first, second, margin=0.5), paired(first, second, margin=0.1)
    assert at is not None
    assert away is not None
    assert at.value == away.value == pytest.approx(0.5)
    assert at.p_value == 1.0
    assert away.p_value < 1e-3


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=9))
@settings(max_examples=40, deadline=None)
def test_drawn_signs_agree_with_all_of_them(sums: list[int]) -> None:
    total = abs(sum(sums))
    every = [
        abs(sum(s * v for s, v in zip(signs, sums, strict=True)))
        for signs in product((1, -1), repeat=len(sums))
    ]
    exact = sum(one >= total for one in every) / len(every)
    found, _ = sign_flips(np.array(sums, dtype=float))
    assert found == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4)


def test_the_interval_covers_and_the_test_keeps_its_level() -> None:
    """150 studies of 25 groups of two rows without a difference: 95 % intervals hold 0 about so often."""
    rng = np.random.default_rng(5)
    held = rejected = 0
    for study in range(150):
        common = rng.normal(size=25)
        values = [
            {f"g{g}r{n}": float(common[g] + rng.normal()) for g in range(25) for n in range(2)}
            for _ in range(2)
        ]
        groups = {row: row[: row.index("r")] for row in values[0]}
        found = paired(scores(values[0], groups), scores(values[1], groups), seed=study)
        assert found is not None
        assert found.interval is not None
        held += found.interval.low <= 0 <= found.interval.high
        rejected += found.p_value <= 0.05
    assert 0.88 <= held / 150 <= 0.99
    assert 0.01 <= rejected / 150 <= 0.11

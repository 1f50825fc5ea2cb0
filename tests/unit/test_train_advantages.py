"""Combined reward and advantages against cases reckoned by hand from the seed's equations 1 and 2."""

from __future__ import annotations

import math

import pytest

from lt_bench.train.advantages import advantages, combined, differ

EXACT = 1e-9
SEED = {"correctness": 0.4, "helpfulness": 0.3, "length": 0.3}


def test_the_combined_reward_is_the_weighted_sum() -> None:
    rewards = {"correctness": 1.0, "helpfulness": 0.0, "length": 0.5, "other": 9.0}
    assert combined(rewards, SEED) == pytest.approx(0.55, abs=EXACT)


def test_a_missing_reward_is_no_zero() -> None:
    with pytest.raises(KeyError, match="length"):
        combined({"correctness": 1.0, "helpfulness": 1.0}, SEED)


def test_advantages_of_a_group() -> None:
    rewards = [1.0, 0.7, 0.7, 0.4, 0.3, 0.3, 0.0, 0.0]
    mean = 3.4 / 8
    squares = [0.330625, 0.075625, 0.075625, 0.000625, 0.015625, 0.015625, 0.180625, 0.180625]
    deviation = math.sqrt(sum(squares) / 8)  # of the population
    expected = [(reward - mean) / (deviation + 1e-8) for reward in rewards]
    assert advantages(rewards) == pytest.approx(expected, abs=EXACT)
    assert deviation == pytest.approx(0.330718913883, abs=EXACT)
    assert math.fsum(advantages(rewards)) == pytest.approx(0.0, abs=EXACT)


def test_two_completions_lie_one_deviation_apart_on_either_side() -> None:
    assert advantages([0.7, 0.3]) == pytest.approx([0.2 / 0.20000001, -0.2 / 0.20000001], abs=EXACT)


def test_equal_rewards_teach_nothing() -> None:
    assert advantages([0.7] * 8) == pytest.approx([0.0] * 8, abs=1e-6)
    assert not differ([0.7] * 8)
    assert differ([0.7] * 7 + [0.71])


def test_a_completion_without_a_score_has_no_part_in_its_group() -> None:
    found = advantages([1.0, None, 0.0, None])
    assert found[1] == found[3] == 0.0
    assert [found[0], found[2]] == pytest.approx(advantages([1.0, 0.0]), abs=EXACT)


@pytest.mark.parametrize("group", [[None, None], [0.4, None], []])
def test_groups_with_hardly_any_score(group: list[float | None]) -> None:
    assert advantages(group) == [0.0] * len(group)
    assert not differ(group)

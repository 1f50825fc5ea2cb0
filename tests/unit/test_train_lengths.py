"""r_length against cases reckoned by hand from the seed's formula."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from lt_bench.train.lengths import LengthBudget, length_reward

EXACT = 1e-9
SEED = LengthBudget()
"""λ 0.5 and 0.4, ε 0.1 of L_ref. With L_ref = 353: bounds 141.2 and 176.5, ε 35.3 tokens."""


@pytest.mark.parametrize(
    ("length", "reward"),
    [
        (150, 1.0),  # inside
        (142, 1.0),
        (176, 1.0),
        (177, 1 - 0.5 / 35.3),  # d = 0.5 tokens above
        (200, 1 - 23.5 / 35.3),
        (211, 1 - 34.5 / 35.3),
        (212, 0.0),  # d = 35.5 > ε
        (353, 0.0),
        (141, 1 - 0.2 / 35.3),  # d = 0.2 tokens below
        (120, 1 - 21.2 / 35.3),
        (106, 1 - 35.2 / 35.3),
        (105, 0.0),
        (0, 0.0),
    ],
)
def test_a_tolerance_in_shares_of_the_reference(length: int, reward: float) -> None:
    assert length_reward(length, 353.0, SEED) == pytest.approx(reward, abs=EXACT)


@pytest.mark.parametrize(
    ("length", "reward"),
    [
        (40, 1.0),  # at the lower bound: 0.4 x 100
        (50, 1.0),  # at the upper bound: 0.5 x 100
        (45, 1.0),
        (39, 0.75),
        (36, 0.0),
        (51, 0.75),
        (53, 0.25),
        (54, 0.0),
        (80, 0.0),
    ],
)
def test_a_tolerance_in_tokens(length: int, reward: float) -> None:
    budget = LengthBudget(unit="tokens", tolerance=4.0)
    assert length_reward(length, 100.0, budget) == pytest.approx(reward, abs=EXACT)


def test_the_seeds_tolerance_read_as_tokens_is_a_step() -> None:
    budget = LengthBudget(unit="tokens", tolerance=0.1)
    found = [length_reward(length, 100.0, budget) for length in (39, 40, 50, 51)]
    assert found == [0.0, 1.0, 1.0, 0.0]


@pytest.mark.parametrize(("edge", "reward"), [(40, 1.0), (50, 1.0), (30, 0.0), (60, 0.0)])
def test_at_each_bound_and_at_the_end_of_each_slope(edge: int, reward: float) -> None:
    assert length_reward(edge, 100.0, SEED) == pytest.approx(reward, abs=EXACT)


def test_another_reference_moves_the_bounds() -> None:
    rewards = [length_reward(100, reference, SEED) for reference in (160.0, 200.0, 240.0, 400.0)]
    # 160: 20 above 80, ε 16; 200: at 100; 240: inside 96..120; 400: 60 below 160, ε 40
    assert rewards == pytest.approx([0.0, 1.0, 1.0, 0.0], abs=EXACT)


@pytest.mark.parametrize(
    ("length", "reference"), [(-1, 10.0), (3, 0.0), (3, -1.0), (3, float("nan"))]
)
def test_what_is_no_length_has_no_reward(length: int, reference: float) -> None:
    with pytest.raises(ValueError, match="no length reward"):
        length_reward(length, reference, SEED)


def test_bounds_that_cross_are_refused() -> None:
    with pytest.raises(ValidationError, match=r"lower 0\.6 is above upper 0\.5"):
        LengthBudget(lower=0.6)

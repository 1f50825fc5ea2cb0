"""From the rewards of a group of completions to their advantages, in float64.

LiveThinking, equations 1 and 2 (Group Relative Policy Optimization, Shao et al. 2024).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

EPSILON: Final = 1e-8
"""ε_std of the seed."""


def combined(rewards: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """r = Σ w · r over the weighted rewards.

    Raises:
        KeyError: a weighted reward is missing; to leave it out would shrink the others' sum.
    """
    return math.fsum(weight * rewards[name] for name, weight in weights.items())


def advantages(rewards: Sequence[float | None], epsilon: float = EPSILON) -> list[float]:
    """A = (r - μ) / (σ + ε) of one group, with the deviation of the population (divisor K).

    None is a completion that nobody scored: it has no part in μ and σ, and its advantage is 0.

    TRL divides by the deviation of a sample (divisor K - 1) and adds 1e-4: at K = 8 its advantages
    are smaller by a factor of about 0.935.
    """
    given = [reward for reward in rewards if reward is not None]
    if not given:
        return [0.0] * len(rewards)
    mean = math.fsum(given) / len(given)
    deviation = math.sqrt(math.fsum((r - mean) ** 2 for r in given) / len(given))
    return [0.0 if r is None else (r - mean) / (deviation + epsilon) for r in rewards]


def differ(rewards: Sequence[float | None]) -> bool:
    """Whether a group teaches anything: two of its completions were rewarded differently."""
    given = [reward for reward in rewards if reward is not None]
    return bool(given) and max(given) - min(given) > 1e-9

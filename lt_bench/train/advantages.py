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


def advantages(rewards: Sequence[float], epsilon: float = EPSILON) -> list[float]:
    """A = (r - μ) / (σ + ε) of one group, with the deviation of the population (divisor K).

    TRL divides by the deviation of a sample (divisor K - 1) and adds 1e-4: at K = 8 its advantages
    are smaller by a factor of about 0.935.
    """
    mean = math.fsum(rewards) / len(rewards)
    deviation = math.sqrt(math.fsum((r - mean) ** 2 for r in rewards) / len(rewards))
    return [(r - mean) / (deviation + epsilon) for r in rewards]

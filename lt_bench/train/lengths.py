"""The length reward: a budget around a reference length, and a price for leaving it.

LiveThinking, "Length Reward": L_upper = λ_upper · L_ref, L_lower = λ_lower · L_ref, d is how far the
length lies outside of [L_lower, L_upper], and r = max(0, 1 - d / ε).
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from lt_bench.config import Config


class LengthBudget(Config):
    """`upper`, `lower`: λ_upper and λ_lower. `tolerance` is ε, `unit` what it is counted in:
    `relative` shares of L_ref (0.1 of 350 tokens is 35 tokens), or `tokens`; the paper's 0.1 does not
    say, and in tokens it would be a step. `reference`: L_ref is the `mean` of the reference run, or
    each `input`'s own. That run is of the parent stage, on `rows` inputs, `samples` each, at
    `temperature`."""

    upper: float = Field(default=0.5, gt=0.0)
    lower: float = Field(default=0.4, ge=0.0)
    tolerance: float = Field(default=0.1, gt=0.0)
    unit: Literal["relative", "tokens"] = "relative"
    reference: Literal["mean", "input"] = "mean"
    of: str | None = None
    rows: int = Field(default=128, ge=1)
    samples: int = Field(default=1, ge=1)
    temperature: float = Field(default=0.7, ge=0.0)

    @model_validator(mode="after")
    def _ordered(self) -> LengthBudget:
        if self.lower > self.upper:
            raise ValueError(f"lower {self.lower:g} is above upper {self.upper:g}")
        return self


def length_reward(length: int, reference: float, budget: LengthBudget) -> float:
    """r_length of `length` output tokens (markup and end token included), in [0, 1].

    Raises:
        ValueError: no reference length, or a negative length.
    """
    if length < 0 or not reference > 0.0:
        raise ValueError(f"no length reward of {length} tokens to a reference of {reference:g}")
    low, high = budget.lower * reference, budget.upper * reference
    outside = max(low - length, length - high, 0.0)
    unit = reference if budget.unit == "relative" else 1.0
    return max(0.0, 1.0 - outside / unit / budget.tolerance)

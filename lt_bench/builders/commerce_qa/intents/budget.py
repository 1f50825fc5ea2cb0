"""Amounts as people name them when they have a budget."""

from __future__ import annotations

from typing import Final

_STEPS: Final = ((100, 5), (500, 10), (2000, 50))
_COARSEST: Final = 100


def step(amount: float) -> int:
    """5 below 100, then 10, 50 and 100: nobody has a budget of 1,305."""
    return next((step for below, step in _STEPS if amount < below), _COARSEST)


def round_amount(amount: float) -> float:
    """`amount` rounded down to a full step, never to 0."""
    unit = step(amount)
    return float(max(unit, int(amount / unit) * unit))


def above(amount: float) -> float:
    """The next full step above `amount`."""
    unit = step(amount)
    return float(int(amount / unit) * unit + unit)

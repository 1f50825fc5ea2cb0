"""P-values of several tests, adjusted so that one false finding among them stays as rare as asked."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment (S. Holm, Scand. J. Stat. 6, 1979), in the order given.

    The smallest of m is multiplied by m, the next one by m - 1, and so on; none may be smaller than
    the one before it, and none exceeds 1.

    Raises:
        ValueError: a p-value outside [0, 1], NaN included.
    """
    if wrong := [value for value in p_values if not 0 <= value <= 1]:
        raise ValueError(f"{wrong[0]} is no p-value")
    adjusted, least = [0.0] * len(p_values), 0.0
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    for done, place in enumerate(order):
        least = max(least, min(1.0, (len(order) - done) * p_values[place]))
        adjusted[place] = least
    return adjusted

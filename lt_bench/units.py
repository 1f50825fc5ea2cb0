"""How a value of each unit is shown."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from lt_bench.records import Unit


class Shown(NamedTuple):
    """What a value is multiplied with, its decimals (None: as many as show three digits) and its sign."""

    factor: float
    decimals: int | None
    sign: str


SHOWN: Final[dict[Unit, Shown]] = {
    "share": Shown(100.0, 1, "%"),
    "tokens": Shown(1.0, 1, "tokens"),
    # Work spans many powers of ten: a miniature's row takes a millionth of a large model's.
    "TFLOP": Shown(1.0, None, "TFLOP"),
    "count": Shown(1.0, 2, ""),
    "characters": Shown(1.0, 0, "chars"),
    "seconds": Shown(1.0, 2, "s"),
    "coefficient": Shown(1.0, 2, ""),
}


def number(value: float, unit: Unit, like: float | None = None) -> str:
    """ "92.3" for a share of 0.923; with as many decimals as `like` would have."""
    factor, decimals, _ = SHOWN[unit]
    if decimals is None:
        decimals = _three_digits(value if like is None else like)
    return f"{value * factor:.{decimals}f}"


def _three_digits(value: float) -> int:
    """Decimals that show three digits of a value."""
    if not value or not math.isfinite(value):
        return 0
    return min(12, max(0, 2 - math.floor(math.log10(abs(value)))))

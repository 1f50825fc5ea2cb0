"""A quantity: a number with its unit, as it was said, and when two of them agree."""

from __future__ import annotations

from typing import Final, NamedTuple

from lt_bench.claims.units import Unit, alike, is_money


class Quantity(NamedTuple):
    """A number as it was said. `step` is the size of its last written digit; `loose`: a small
    number word without a unit ("one", "two"), which is talk more often than data.

    `bound` is "about", "below", "above", "within", "from" (the last two hold the number itself)
    or "between", where the number lies between `value` and `high`. `spoken` is another reading,
    0 where there is none: "fifty-three ten" is 5310, and as a price 53.10.
    """

    value: float
    unit: Unit | None
    start: int
    end: int
    step: float = 1.0
    bound: str = ""
    loose: bool = False
    high: float = 0.0
    spoken: float = 0.0

    @property
    def base(self) -> float:
        """The value in the base unit of its dimension."""
        return self.value * (self.unit.factor if self.unit else 1.0)


_CLOSE: Final = 0.85
"""A bound states a number that is at least this share of it: "under 300" tells of 259."""


def agrees(said: Quantity, known: Quantity) -> bool:
    """Whether the number in a reply states the known one.

    In the same unit the values must be equal; a bound allows what its words allow, within
    reason; after a conversion the reply may round to its last written digit or by 1 %. A missing
    unit agrees with any, a different dimension with none.
    """
    if said.spoken and agrees(said._replace(value=said.spoken, spoken=0.0), known):
        return True
    both = said.unit is not None and known.unit is not None
    if said.unit and known.unit and not alike(said.unit, known.unit):
        return False
    a, b = (said.base, known.base) if both else (said.value, known.value)
    factor = said.unit.factor if both and said.unit else 1.0
    if abs(a - b) <= 1e-9 * max(1.0, abs(b)):
        strict = said.bound in ("below", "above") and not known.bound
        return not (strict and is_money(said.unit or known.unit))
    if said.bound:
        return _within_bound(said, a, b, factor)
    converted = both and said.unit is not None and known.unit is not None
    converted = converted and said.unit.factor != known.unit.factor  # type: ignore[union-attr]
    rounding = max(
        0.5 * said.step * factor * (said.value != int(said.value) or said.value >= 10),
        0.01 * abs(b),
    )
    return converted and abs(a - b) <= rounding


def bears_out(known: Quantity, said: Quantity) -> bool:
    """Whether the known number makes true what was said, though it may be told too loosely to
    state it: 405 g are "under a pound" and no answer to "how heavy"."""
    if agrees(said, known):
        return True
    strict = said.bound in ("below", "above")
    if not strict or not said.unit or not known.unit or not alike(said.unit, known.unit):
        return False
    low, high = sorted((said.base, known.base))
    below = known.base < said.base
    return low != high and below == (said.bound == "below") and low >= _NEAR * high


_NEAR: Final = 0.6


def _within_bound(said: Quantity, a: float, b: float, factor: float) -> bool:
    if said.bound == "between":
        return a <= b <= said.high * factor
    if said.bound == "below":
        return _CLOSE * a <= b < a
    if said.bound == "above":
        return a < b <= a / _CLOSE
    if said.bound == "about":
        return abs(a - b) <= max(min(0.5 * said.step * factor, 0.1 * abs(b)), 0.05 * abs(b))
    # of sizes, "up to 28" is no way to say 24; of money it is
    if not is_money(said.unit):
        return False
    return _CLOSE * a <= b <= a if said.bound == "within" else a <= b <= a / _CLOSE

"""A quantity: a number with its unit, as it was said, and when two of them agree."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from lt_bench.claims.units import MONTH, Unit, alike, is_money, of_calendar


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


_FREEZING: Final = re.compile(r"(?:(?<![a-z0-9])(?<!\d )-|零下|负|(?<![a-z])minus )\s*$")
_DEGREES: Final = frozenset(["angle", "temperature", "temperature f"])


def signed(value: float, unit: Unit | None, before: str) -> float:
    """`value` with the sign that the text before it gives a temperature: "-15 °C", 零下十五度."""
    cold = unit is not None and unit.dimension in _DEGREES and _FREEZING.search(before)
    return -value if cold else value


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
    if said.unit and known.unit and (said.unit.name, known.unit.name) == ("pound", "gbp"):
        said = said._replace(unit=known.unit)
    if said.unit and known.unit and not alike(said.unit, known.unit):
        return False
    if of_calendar(said.unit, known.unit):
        return _one_span(said, known)
    a, b = (said.base, known.base) if both else (said.value, known.value)
    factor = said.unit.factor if both and said.unit else 1.0
    if abs(a - b) <= 1e-9 * max(1.0, abs(b)):
        strict = said.bound in ("below", "above") and not known.bound
        return not (strict and is_money(said.unit or known.unit))
    if said.bound:
        told = said if said.unit else said._replace(unit=known.unit)
        return _within_bound(told, a, b, factor)
    if _rounded(said, known):
        return True
    converted = both and said.unit is not None and known.unit is not None
    converted = converted and said.unit.factor != known.unit.factor  # type: ignore[union-attr]
    rounding = max(
        0.5 * said.step * factor * (said.value != int(said.value) or said.value >= 10),
        0.01 * abs(b),
    )
    return converted and abs(a - b) <= rounding


def may_agree(said: Quantity, known: Quantity) -> bool:
    """False where a plain number without a unit is too far from the known one to state it."""
    if said.bound or said.spoken:
        return True
    return abs(said.value - known.value) <= 0.5 + said.step + _ROUND_WHOLE * abs(known.value)


_MONTHS_VARY: Final = 0.035
_ROUND_WHOLE: Final = 0.03
_ROUND_TENS: Final = 0.01


def _one_span(said: Quantity, known: Quantity) -> bool:
    """Whether months and days tell of one span of time: "two months" for 60 or 61 days."""
    days = [
        q.base * (MONTH if q.unit and q.unit.dimension == "months" else 1.0) for q in (said, known)
    ]
    slack = 0.05 if said.bound == "about" else _MONTHS_VARY
    whole = all(q.unit and q.unit.factor >= 1.0 for q in (said, known))
    return whole and days[1] >= MONTH / 5 and abs(days[0] - days[1]) <= slack * days[1]


def _rounded(said: Quantity, known: Quantity) -> bool:
    """Whether people would say the one for the other: "147 dollars" for 146.99, "320" for 318.60.
    Only measures and sums are rounded; a version or a rating is told as it is."""
    same = said.unit is None or (known.unit is not None and said.unit.name == known.unit.name)
    if known.unit is None or not same or said.value == 0:
        return False
    if said.value != int(said.value):
        return is_money(known.unit) and _cut_short(said, known)
    off = abs(said.value - known.value)
    odd = known.value != int(known.value)
    if odd and off <= 0.5 and off <= _ROUND_WHOLE * known.value:
        return True
    tens = said.value % 10 == 0 and known.value >= 100 and (odd or known.value >= 1000)
    return tens and off <= _ROUND_TENS * known.value


def _cut_short(said: Quantity, known: Quantity) -> bool:
    """Whether a sum lacks the last digits of the known one: "237.5" for 237.51."""
    finer = round(said.step, 9) > 0.01 and known.value >= _SUM
    return finer and abs(said.value - known.value) < said.step


_SUM: Final = 20.0


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


def same(said: Quantity, known: Quantity) -> bool:
    """Agreement in which a missing unit is forgiven to the reply, not to the evidence."""
    if said.unit is not None and known.unit is None:
        return is_money(said.unit) and said.value == known.value
    return bears_out(known, said)


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

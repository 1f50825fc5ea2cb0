"""Quantities in text: numbers with their units, and when two of them agree."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from lt_bench.claims import numerals
from lt_bench.claims.dates import DATE
from lt_bench.claims.units import AFTER, BEFORE, Unit, is_money, unit_named

MAX_DIGITS: Final = 15
_DIGITS: Final = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_NUMBER: Final = re.compile(
    rf"(?P<before>(?<![a-z]){BEFORE})?(?:(?<![a-z0-9.])(?<![a-z]-)|(?<=\dx))(?P<digits>{_DIGITS})"
    r"(?P<frac> ?[\u00bd\u00bc\u00be]|[ -]1/[248](?!\d)|/[248](?![\d/]))?"
    rf"(?P<kilo>k(?![a-z0-9]))?(?P<after>{AFTER})?(?![a-wyz]|x(?!\d)|\d|-[a-z]+\d)"
    rf"|\b(?P<words>{numerals.ENGLISH})(?P<unit>{AFTER})?"
    rf"|(?P<han>{numerals.CHINESE})(?P<measure>{AFTER})"
)
_MASK: Final = re.compile(
    rf"{DATE.pattern}"
    r"|\b(?:no|nr|num|slot|number|item|lot|link)\.? ?#? ?\d{1,3}(?![\d.%]*\d)(?!\s?(?:kg|g|cm|usd|dollars)\b)|#\s?\d{1,3}\b|\d{1,3} ?号(?:链接|商品|款)?"
    r"|\b\d{1,2}:\d{2}(?: ?[ap]\.?m\b\.?)?|\b\d{1,2} ?[ap]\.?m\b\.?"
    r"|\b24/7\b|\b(?:one|once) (?:of|by|more|moment|second|thing)\b|\bno one\b|\bthe one\b|\b(?:this|that|each|every|which|another|first|any) one\b"
    r"|https?://\S+"
)
_APPROXIMATE: Final = re.compile(
    r"(?:about|around|roughly|approximately|approx\.?|circa|nearly|almost|close to|some|~|≈|just over|"
    r"just under|a bit over|a bit under|大约|大概|约|差不多|将近|近)\s*[$€£¥]?$"
)
_BELOW: Final = re.compile(
    r"(?:under|less than|below|fewer than|not even|不到|低于|以内)\s*[$€£¥]?$"
)
_ABOVE: Final = re.compile(
    r"(?:over|more than|above|at least|upwards of|超过|多于|至少)\s*[$€£¥]?$"
)


class Quantity(NamedTuple):
    """A number as it was said. `step` is the size of its last written digit; `loose`: a small
    number word without a unit ("one", "two"), which is talk more often than data."""

    value: float
    unit: Unit | None
    start: int
    end: int
    step: float = 1.0
    bound: str = ""
    loose: bool = False

    @property
    def base(self) -> float:
        """The value in the base unit of its dimension."""
        return self.value * (self.unit.factor if self.unit else 1.0)


def scan(folded: str) -> list[Quantity]:
    """The quantities of a folded text, in order.

    Dates, times, slot numbers ("no. 9") and digits inside model names ("X9") are none. In
    "20 x 30 x 40 cm" and "10-12 days" the unit belongs to every number; "5 ft 4 in" is one.
    """
    masked = _MASK.sub(lambda match: "\x00" * len(match.group()), folded)
    found = [
        quantity for match in _NUMBER.finditer(masked) if (quantity := _quantity(match, masked))
    ]
    return _joined(_shared_units(found, masked), masked)


def _quantity(match: re.Match[str], text: str) -> Quantity | None:
    number = match["digits"] or match["words"] or match["han"]
    if len(number) > 4 * MAX_DIGITS or (match["digits"] and len(number) > MAX_DIGITS):
        return None
    if match["words"]:
        value, decimals = numerals.english(match["words"])
    elif match["han"]:
        value, decimals = numerals.chinese(match["han"])
    else:
        value, decimals = _digits(match)
    name = match["before"] or match["after"] or match["unit"] or match["measure"] or ""
    unit = _unit(name)
    loose = match["words"] is not None and unit is None and value <= 10
    bound = _bound(text, match.start())
    return Quantity(value, unit, *match.span(), 10.0**-decimals, bound, loose)


def _digits(match: re.Match[str]) -> tuple[float, int]:
    text = match["digits"].replace(",", "")
    value, decimals = float(text), len(text.partition(".")[2])
    fraction = (match["frac"] or "").strip(" -")
    if fraction.startswith("/"):
        value, decimals = value / float(fraction[1:]), 3
    elif fraction:
        halves = {"½": 0.5, "¼": 0.25, "¾": 0.75, "1/2": 0.5, "1/4": 0.25, "1/8": 0.125}
        value, decimals = value + halves[fraction], 3
    return (value * 1000, decimals - 3) if match["kilo"] else (value, decimals)


def _unit(name: str) -> Unit | None:
    name = name.strip(" -")
    return unit_named("in") if name == '"' else unit_named(name)


def _bound(text: str, start: int) -> str:
    before = text[max(0, start - 24) : start].rstrip()
    if _APPROXIMATE.search(before):
        return "about"
    return "below" if _BELOW.search(before) else "above" if _ABOVE.search(before) else ""


_SERIES: Final = re.compile(
    r"\s*(?:x|×|by|-|to|and|or|–|~|到|至|/|(?:out )?of)\s*(?:wide|tall|deep|high|long)?\s*[$€£¥]?"
)


def _shared_units(found: list[Quantity], text: str) -> list[Quantity]:
    """Units carried back over "20 x 30 x 40 cm" and "10 to 12 days", and on over "$20-30"."""
    for i in range(len(found) - 2, -1, -1):
        here, after = found[i], found[i + 1]
        if not _SERIES.fullmatch(text[here.end : after.start]):
            continue
        if here.unit is None and after.unit is not None:
            found[i] = here._replace(unit=after.unit)
        elif after.unit is None and is_money(here.unit):
            found[i + 1] = after._replace(unit=here.unit)
    return found


def _joined(found: list[Quantity], text: str) -> list[Quantity]:
    """ "5 ft 4 in", "1 h 30 min", "129 dollars and 50 cents" as one quantity."""
    joined: list[Quantity] = []
    for here in found:
        last = joined[-1] if joined else None
        if last and _continues(last, here, text[last.end : here.start]):
            assert last.unit
            value = last.value + here.base / last.unit.factor
            joined[-1] = last._replace(value=value, end=here.end, step=here.step * 1e-3)
        else:
            joined.append(here)
    return joined


def _continues(last: Quantity, here: Quantity, between: str) -> bool:
    if last.unit is None or here.unit is None or between.strip() not in ("", "and"):
        return False
    same = last.unit.dimension == here.unit.dimension
    return same and here.unit.factor < last.unit.factor and here.base < last.unit.factor


def agrees(said: Quantity, known: Quantity) -> bool:
    """Whether the number in a reply states the known one.

    In the same unit the values must be equal; "about", "under" and "over" allow 5 % beside the
    last written digit; after a conversion the reply may round to its last written digit or by
    1 %. A missing unit agrees with any, a different dimension with none.
    """
    if said.unit and known.unit and said.unit.dimension != known.unit.dimension:
        return False
    a, b = (said.base, known.base) if said.unit and known.unit else (said.value, known.value)
    if abs(a - b) <= 1e-9 * max(1.0, abs(b)):
        return True
    factor = said.unit.factor if said.unit and known.unit else 1.0
    if said.bound == "below":
        return 0.9 * a <= b < a
    if said.bound == "above":
        return a < b <= 1.12 * a
    if said.bound == "about":
        return abs(a - b) <= max(0.5 * said.step * factor, 0.05 * abs(b))
    converted = (
        said.unit is not None and known.unit is not None and said.unit.factor != known.unit.factor
    )
    rounding = max(
        0.5 * said.step * factor * (said.value != int(said.value) or said.value >= 10),
        0.01 * abs(b),
    )
    return converted and abs(a - b) <= rounding

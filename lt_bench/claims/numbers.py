"""The quantities of a text: digits and English number words; Chinese shapes come from beside."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims import numerals
from lt_bench.claims.bounds import bound_of
from lt_bench.claims.chinese_numbers import HAN_MASK, scan_chinese
from lt_bench.claims.dates import DATE, may_hold_dates
from lt_bench.claims.quantities import Quantity, agrees, signed
from lt_bench.claims.units import AFTER, BEFORE, Unit, is_money, unit_named
from lt_bench.claims.wording import is_cjk

__all__ = ["MAX_DIGITS", "Quantity", "agrees", "scan"]

MAX_DIGITS: Final = 15
_DIGITS: Final = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_FIGURE: Final = (
    r"(?=[\d.$€£¥₹₩ucareig])"  # a character that a figure can begin with: most places fail here
    rf"(?P<before>(?<![a-z]){BEFORE})?(?:(?<![a-z0-9.])(?<![a-z]-)|(?<=\dx))(?P<digits>{_DIGITS})"
    r"(?P<frac> ?[\u00bd\u00bc\u00be]| and a half(?= |$)|[ -]1/[248](?!\d)|/[248](?![\d/]))?"
    rf"(?P<kilo>k(?![a-z0-9])| grand\b)?(?:(?<=grand) of)?(?P<after>{AFTER})?(?![a-wyz]|x(?!\d)|\d|-[a-z]+\d)"
)
_NUMBER: Final = re.compile(
    rf"{_FIGURE}|\b(?P<words>{numerals.ENGLISH})(?:(?<=grand) of|(?<=thousand) of)?(?P<unit>{AFTER})?"
)
_FIGURES: Final = re.compile(rf"{_FIGURE}|(?P<words>(?!))(?P<unit>(?!))")
"""`_NUMBER` for texts without number words."""
_NO_NUMBERS: Final = (
    r"\b(?:no|nr|num|slot|number|item|lot|link)\.? ?#? ?\d{1,3}(?![\d.%]*\d)(?!\s?(?:kg|g|cm|usd|dollars|bucks|months?|years?|days?|weeks?|hours?|minutes?)\b)|#\s?\d{1,3}\b"
    r"|\b\d{1,2}:\d{2}(?: ?[ap]\.?m\b\.?)?|\b\d{1,2} ?[ap]\.?m\b\.?"
    r"|\b24/7\b|(?<!ty[ -])\b(?:one|once) (?:of|by|more|moment|second|thing)\b|\bno one\b|\bthe one\b|\b(?:this|that|each|every|which|another|first|any) one\b"
    r"|https?://\S+"
)
_MASK: Final = re.compile(f"{DATE.pattern}|{_NO_NUMBERS}")
_DATELESS_MASK: Final = re.compile(_NO_NUMBERS)
_MASKED: Final = re.compile(
    r"#|\d[:/]|://|[\d ][ap]\.?m|(?<![a-z])(?:no|nr|num|slot|item|lot|link|one|once)(?![a-z])|number"
)
"""Texts without any of these have nothing that `_NO_NUMBERS` masks."""


_DIGIT: Final = re.compile(r"\d")


def scan(folded: str) -> list[Quantity]:
    """The quantities of a folded text, in order.

    Dates, times, slot numbers ("no. 9", "9号") and digits inside model names ("X9") are none. In
    "20 x 30 x 40 cm" and "10-12 days" the unit belongs to every number; "5 ft 4 in" is one.
    """
    worded = numerals.may_hold_english(folded)
    if not worded and folded.isascii() and not _DIGIT.search(folded):
        return []
    masked = folded
    if may_hold_dates(folded):
        masked = _MASK.sub(_blank, folded)
    elif _MASKED.search(folded):
        masked = _DATELESS_MASK.sub(_blank, folded)
    found: list[Quantity] = []
    if is_cjk(masked):
        masked = HAN_MASK.sub(_blank, masked)
        found = scan_chinese(masked)
        for one in found:
            masked = _without(masked, one)
    if worded or _DIGIT.search(masked):
        number = _NUMBER if worded else _FIGURES
        each = (_quantity(match, masked) for match in number.finditer(masked))
        found += [quantity for quantity in each if quantity]
    if len(found) < 2:
        return found
    found.sort(key=lambda quantity: quantity.start)
    return _joined(_shared_units(found, folded), folded)


_SPOKEN: Final = re.compile(
    r"^(?!.*(?:hundred|thousand|million|point|dozen|half)).*(?:ty|teen|ten|eleven|twelve|(?:ty|oh)[ -][a-z]+)$"
)
"""Number words that may be a price: "fifty-three ten" is 53.10."""


_BELOW_ZERO: Final = re.compile(r"(?:\bminus |(?<![\w)] )(?<![\w)])-)$")


def _blank(match: re.Match[str]) -> str:
    return "\x00" * len(match.group())


def _without(text: str, quantity: Quantity) -> str:
    """`text` with a quantity blanked out, so that it is found once."""
    gap = "\x00" * (quantity.end - quantity.start)
    return text[: quantity.start] + gap + text[quantity.end :]


def _quantity(match: re.Match[str], text: str) -> Quantity | None:
    number = match["digits"] or match["words"]
    if len(number) > 4 * MAX_DIGITS or (match["digits"] and len(number) > MAX_DIGITS):
        return None
    value, decimals = numerals.english(match["words"]) if match["words"] else _digits(match)
    unit = _unit(match["before"] or match["after"] or match["unit"] or "")
    if (match["after"] or "").strip() == '"' and text.count('"', 0, match.start()) % 2:
        unit = None  # a closing quote, and no inches
    if match["words"] and numerals.is_share(match["words"]):
        unit = unit_named("%")
    if _BELOW_ZERO.search(text, max(0, match.start() - 7), match.start()) and (
        unit is None or unit.dimension in ("temperature", "temperature f", "angle")
    ):
        value = -value
    elif match["digits"]:
        value = signed(value, unit, text[: match.start()])
    loose = match["words"] is not None and unit is None and abs(value) <= 10
    rough = "about" if match["words"] and numerals.is_rough(match["words"]) else ""
    bound = bound_of(text, *match.span()) or rough
    if match["words"] and numerals.is_share(match["words"]) and bound == "about":
        bound = _SIDE_OF.get(_last_word(text, match.start()), bound)
    spoken = (
        value / 100
        if match["words"] and numerals.is_buck(match["words"])
        else value / 100
        if match["words"] and value >= 100 and _SPOKEN.search(match["words"])
        else 0.0
    )
    return Quantity(value, unit, *match.span(), 10.0**-decimals, bound, loose, spoken=spoken)


_SIDE_OF: Final = {"under": "below", "below": "below", "over": "above", "above": "above"}
"""A part is told coarsely: "just under a fifth" may be 18 %."""


def _last_word(text: str, end: int) -> str:
    return text[:end].rsplit(None, 1)[-1] if text[:end].strip() else ""


def _digits(match: re.Match[str]) -> tuple[float, int]:
    text = match["digits"].replace(",", "")
    value, decimals = float(text), len(text.partition(".")[2])
    fraction = (match["frac"] or "").strip(" -")
    if fraction.startswith("/"):
        value, decimals = value / float(fraction[1:]), 3
    elif fraction:
        halves = {
            "and a half": 0.5,
            "½": 0.5,
            "¼": 0.25,
            "¾": 0.75,
            "1/2": 0.5,
            "1/4": 0.25,
            "1/8": 0.125,
        }
        value, decimals = value + halves[fraction], 3
    return (value * 1000, decimals - 3) if match["kilo"] else (value, decimals)


def _unit(name: str) -> Unit | None:
    name = name.strip(" -")
    return unit_named("in") if name == '"' else unit_named(name)


_SERIES: Final = re.compile(
    r"\s*(?:x|×|by|-|to|against|versus|vs\.?|compared (?:to|with)|instead of|and|or|–|~|到|至|乘|和|或|/|(?:out )?of)\s*(?:wide|tall|deep|high|long|宽|高|深|长)?\s*[$€£¥]?|\s*[宽高深长厚]\s*"
)


VERSUS: Final = re.compile(r"\s*(?:to|against|versus|vs\.?|compared (?:to|with)|instead of)\s*")


def _shared_units(found: list[Quantity], text: str) -> list[Quantity]:
    """Units carried back over "20 x 30 x 40 cm" and "10 to 12 days", and on over "$20-30"."""
    for i in range(len(found) - 2, -1, -1):
        here, after = found[i], found[i + 1]
        between = text[here.end : after.start]
        if not _SERIES.fullmatch(between):
            continue
        if here.unit is None and after.unit is not None:
            found[i] = here._replace(unit=after.unit, loose=False)
        elif after.unit is None and is_money(here.unit):
            found[i + 1] = after._replace(unit=here.unit)
        elif after.unit is None and VERSUS.fullmatch(between):
            found[i + 1] = after._replace(unit=here.unit, loose=False)
    return found


def _joined(found: list[Quantity], text: str) -> list[Quantity]:
    """ "5 ft 4 in", "1 h 30 min", "129 dollars and 50 cents" as one quantity."""
    joined: list[Quantity] = []
    for here in found:
        last = joined[-1] if joined else None
        if last and _cents_behind(last, here, text):
            joined[-1] = _with_cents(last, here, text)
        elif last and _continues(last, here, text[last.end : here.start]):
            assert last.unit
            value = last.value + here.base / last.unit.factor
            joined[-1] = last._replace(value=value, end=here.end, step=here.step * 1e-3)
        else:
            joined.append(here)
    return joined


def _cents_behind(last: Quantity, here: Quantity, text: str) -> bool:
    """Whether a number finishes a sum: "four euros fifty", "12 dollars 90"."""
    cents = here.unit is not None and here.unit.name == "cent"
    plain = (
        (here.unit is None or cents) and not here.bound and here.step == 1.0 and here.value >= 10
    )
    whole = is_money(last.unit) and last.value == int(last.value) and here.value == int(here.value)
    if not plain or not whole or here.value > _MOST_CENTS:
        return False
    if not cents and not _SUM_ENDS.match(text, here.end):
        return False
    named = text[here.start - 1 : here.start] == " " and _COINS.search(text[last.start : last.end])
    return bool(named) and text[last.end : here.start].strip() in ("", "and")


def _with_cents(last: Quantity, here: Quantity, text: str) -> Quantity:
    value = last.value + here.value / 100
    slang = last.value == 1 and text[last.start : last.end].endswith("buck")
    whole, spoken = (100 + here.value, value) if slang else (value, 0.0)
    return last._replace(value=whole, spoken=spoken, end=here.end, step=0.01)


_MOST_CENTS: Final = 99
_SUM_ENDS: Final = re.compile(
    r"\s*(?:$|[^\w\s]|(?:for|to|and|with|all|on|flat|each|at|plus|or|but|after|before|shipping|"
    r"delivery|postage|in|tonight|today|right|now|a|per|once|if|when|using|off|apiece|instead|is)\b)"
)
_COINS: Final = re.compile(r"(?:euros?|dollars?|bucks?|pounds?|quid|rupees?)$")


def _continues(last: Quantity, here: Quantity, between: str) -> bool:
    if last.unit is None or here.unit is None or between.strip() not in ("", "and", "零", "又"):
        return False
    same = last.unit.dimension == here.unit.dimension
    return same and here.unit.factor < last.unit.factor and here.base < last.unit.factor

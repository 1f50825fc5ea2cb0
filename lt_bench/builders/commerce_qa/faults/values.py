"""Values that are false of a product though they might be true: near misses above all.

A false value is never another figure of the same sheet, nor one from the question, nor one that
implies or is implied by the true one ("polyester" for "recycled polyester").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.faults.counterfactual import attribute_at
from lt_bench.builders.commerce_qa.faults.told import (
    GIFT,
    LATEST,
    LEFT,
    PACK,
    POSTAGE,
    PRICE,
    RATING,
    RETURN_DAYS,
    RETURN_FEES,
    SIZE,
    STOCK,
    VARIANT,
)
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.schema import Attribute, Value
from lt_bench.builders.commerce_qa.statement import COUPON

_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")
_AVAILABLE: Final = ("InStock", "LimitedAvailability")
_FEES: Final = ("FreeReturn", "ReturnFeesCustomerResponsibility")
_NEAR: Final = (0.9, 1.1, 0.8, 1.25, 1.5)
"""Off by ten percent first of all: what a careless reader lets pass."""


def false_value(
    listing: Listing, path: str, true: Value, draw: Draw, taken: Iterable[Value] = ()
) -> Value | None:
    """A value that is not at `path`, and none of those `taken`; None where nothing is left."""
    candidates = [v for v in _candidates(listing, path, true) if v not in {true, *taken}]
    figures = figures_of(listing.document.text)
    free = [v for v in candidates if not _is_number(v) or float(v) not in figures]
    return draw.pick(free) if free else None


def figures_of(text: str) -> set[float]:
    """All numbers written in digits."""
    return {float(f.replace(",", "")) for f in _FIGURE.findall(text) if f.count(".") < 2}


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def overlap(one: str, other: str, alternatives: Iterable[Value]) -> bool:
    """Whether one of two values may be true because the other is: one holds the other, or they
    share a word that is not common to all alternatives. Grades ("A+", "A++") are exact."""
    short, long = sorted((one.lower(), other.lower()), key=len)
    if short in long and any(c.isalpha() for c in long.replace(short, "", 1)):
        return True
    common = set.intersection(*(_words(str(v)) for v in alternatives))
    return bool((_words(one) & _words(other)) - common)


def _words(text: str) -> set[str]:
    """Words of letters; of Chinese, its characters."""
    return set(re.findall(r"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]{2,}", text.lower()))


# --- candidates by what stands at a path -----------------------------------------------------


def _candidates(listing: Listing, path: str, true: Value) -> list[Value]:
    attribute = attribute_at(listing, path)
    if attribute:
        return _of_attribute(attribute, true)
    if VARIANT.fullmatch(path) or path == STOCK:
        return ["InStock"] if true == "OutOfStock" else ["OutOfStock"]
    if SIZE.fullmatch(path):
        chart = listing.product.category.chart
        return _neighbours([s.name for s in chart.sizes], str(true)) if chart else []
    make = _OFFER.get(path)
    return make(listing, true) if make else []


def _of_attribute(attribute: Attribute, true: Value) -> list[Value]:
    if isinstance(true, bool):
        return [not true]
    if isinstance(true, str):
        others = [v for v in dict.fromkeys(attribute.values) if v != true]
        return [v for v in others if not overlap(str(v), true, attribute.values)]
    return [*near(true), *(v for v in attribute.values if v != true)]


def near(true: float) -> list[Value]:
    """Numbers that are easily taken for `true`: off by a tenth and more, or with two digits
    exchanged. As many decimals as `true` has, and at least 4 % away from it."""
    decimals = len(f"{true:g}".partition(".")[2])
    scaled = [round(true * factor, decimals) for factor in _NEAR]
    steps = [round(true + step, decimals) for step in (1, 2, -1)] if abs(true) < 10 else []
    found = [*scaled, *steps, *_exchanged(f"{true:g}")]
    whole = [int(v) if decimals == 0 else v for v in found]
    far = [v for v in whole if abs(v - true) > 0.04 * abs(true) and v * true > 0]
    return list(dict.fromkeys(far))


def _exchanged(digits: str) -> list[float]:
    """1290 -> 2190, 1920: two neighbouring digits in the wrong order, none leading with 0."""
    found = []
    for i in range(len(digits) - 1):
        a, b = digits[i], digits[i + 1]
        swapped = f"{digits[:i]}{b}{a}{digits[i + 2 :]}"
        if a.isdigit() and b.isdigit() and a != b and not swapped.lstrip("-").startswith("0"):
            found.append(float(swapped))
    return found


def _neighbours(names: list[str], true: str) -> list[Value]:
    """The sizes next to the true one: the mistake that people make."""
    place = names.index(true)
    return [name for i, name in enumerate(names) if abs(i - place) in (1, 2)]


def _money(_: Listing, true: Value) -> list[Value]:
    return near(float(true))


def _postage(_: Listing, true: Value) -> list[Value]:
    """Free where it is not, and the other way round."""
    return [v for v in (0.0, 3.9, 4.5, 5.9, 7.5) if (v == 0) != (float(true) == 0)] + (
        near(float(true)) if true else []
    )


def _left(_: Listing, true: Value) -> list[Value]:
    return [v for v in near(float(true)) if float(v) >= 1]


def _latest(_: Listing, true: Value) -> list[Value]:
    return [int(float(true)) + step for step in (1, 2, 3)]


def _return_days(_: Listing, true: Value) -> list[Value]:
    return [v for v in (7, 10, 14, 15, 28, 30, 45, 60, 90) if abs(v - float(true)) > 1]


def _fees(_: Listing, true: Value) -> list[Value]:
    return [fees for fees in _FEES if fees != true]


def _gift(listing: Listing, true: Value) -> list[Value]:
    gifts = listing.product.category.gifts
    return [gift for gift in gifts if not overlap(gift, str(true), gifts)]


def _rating(_: Listing, true: Value) -> list[Value]:
    rated = [round(float(true) + step / 10, 1) for step in (-7, -4, -3, 2, 3, 4)]
    return [v for v in rated if 3 <= v <= 5]


def _code(_: Listing, true: Value) -> list[Value]:
    """The same word with another number behind it."""
    word = str(true).rstrip("0123456789")
    return [f"{word}{n}" for n in (5, 8, 10, 15, 20, 30)]


def _percent(_: Listing, true: Value) -> list[Value]:
    return [v for v in (5, 8, 10, 12, 15, 18, 20, 25, 30) if v != true]


def _last_day(_: Listing, true: Value) -> list[Value]:
    """Another day of the month, or the same day of another month."""
    year, month, day = (int(part) for part in str(true).split("-"))
    days = [d for d in (day - 10, day - 1, day + 1, day + 7) if 1 <= d <= 28]
    later = month % 12 + 1
    dates = [*((month, d) for d in days), (later, day)]
    return [f"{year}-{m:02d}-{d:02d}" for m, d in dates]


_OFFER: Final[Mapping[str, Callable[[Listing, Value], list[Value]]]] = {
    PRICE: _money,
    PACK: _money,
    f"{COUPON}.price": _money,
    f"{COUPON}.name": _code,
    f"{COUPON}.discount": _percent,
    f"{COUPON}.validThrough": _last_day,
    POSTAGE: _postage,
    LEFT: _left,
    LATEST: _latest,
    RETURN_DAYS: _return_days,
    RETURN_FEES: _fees,
    GIFT: _gift,
    RATING: _rating,
}

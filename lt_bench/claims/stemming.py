"""A crude English stemmer that brings the ways of naming one property together."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_SUFFIXES: Final = (
    ("iness", "y"), ("ings", ""), ("ing", ""), ("ities", "ity"), ("ies", "y"), ("sses", "ss"),
    ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("ness", ""), ("ally", ""), ("ied", "y"),
    ("ed", ""), ("ly", ""),
)  # fmt: skip
_IRREGULAR: Final = {
    "weighs": "weight", "weigh": "weight", "weighed": "weight", "weighing": "weight",
    "costs": "price", "cost": "price", "price": "price", "priced": "price", "prices": "price", "pricing": "price",
    "colour": "color", "colours": "color", "colors": "color", "coloured": "color",
    "grey": "gray", "shipped": "ship", "ships": "ship", "shipping": "ship", "shipment": "ship",
    "delivered": "ship", "delivery": "ship",
    "deliveries": "ship", "arrive": "ship", "arrives": "ship", "heats": "heat",
    "heated": "heat", "heating": "heat", "heater": "heat", "cools": "cool", "cooling": "cool",
    "cooler": "cool", "heavy": "weight", "long": "length", "lengthwise": "length",
    "wide": "width", "tall": "height", "high": "height", "deep": "depth", "thick": "thickness",
    "lbs": "lb", "warranties": "warranty", "lasts": "last", "lasting": "last", "men": "man",
    "women": "woman", "shoes": "shoe", "holds": "hold", "held": "hold", "aluminium": "aluminum",
    "made": "make", "makes": "make", "fitted": "fit", "fits": "fit", "fitting": "fit",
    "wifi": "wifi", "wi": "wifi",
}  # fmt: skip


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A crude stem: enough to match "machine-washable towels" with "machine washable towel"."""
    word = word.split("'")[0] if word.endswith("'s") else word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4:
        for suffix, instead in _SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                return _undouble(word[: -len(suffix)] + instead)
    if word.endswith("s") and len(word) > 3 and word[-2] not in "su":
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _undouble(word: str) -> str:
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz"
    word = word[:-1] if doubled else word
    return word[:-1] if word.endswith("e") and len(word) > 4 else word

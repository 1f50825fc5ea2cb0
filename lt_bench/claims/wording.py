"""Folded text and its words: what two ways of writing the same thing have in common.

Folding never changes the length of a text, so that an offset in the folded text is one in the
original, and evidence can be quoted exactly.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_LOOKALIKES = {
    **dict.fromkeys(map(ord, "‘’‛′`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒−﹣"), "-"),
    **dict.fromkeys(
        map(
            ord,
            "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000\u200b\u200c\u200d\ufeff\t\r\x0b\x0c\x1c\x1d\x1e\x1f",
        ),
        " ",
    ),
    **dict.fromkeys(map(ord, "\x85\u2028\u2029"), "\n"),
    **dict.fromkeys(map(ord, "*_\u2060"), " "),
    ord("。"): ".",
    ord("、"): ",",
    ord("～"): "~",
}
_TABLE: Final[dict[int, int | str]] = {**_FULL_WIDTH, **_LOOKALIKES}
WORD = re.compile(r"[a-z\u00df-\u024f]+(?:'[a-z]+)?|\d+(?:[.,]\d+)*|[\u3400-\u9fff]")
CJK = re.compile(r"[\u3400-\u9fff]")


class Word(NamedTuple):
    """One word and where it stands in its folded text. A Chinese character is a word."""

    text: str
    start: int
    end: int


def fold(text: str) -> str:
    """`text` in lower case with plain quotes, hyphens and spaces; of the same length."""
    plain = text.translate(_TABLE)
    low = plain.lower()
    if len(low) != len(plain):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in plain)
    return low


def words(folded: str) -> list[Word]:
    """The words of a folded text, in order."""
    return [Word(m.group(), m.start(), m.end()) for m in WORD.finditer(folded)]


def stems(folded: str) -> tuple[str, ...]:
    """The stems of the words of a folded text, in order."""
    return tuple(stem(word) for word in WORD.findall(folded))


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


def is_cjk(text: str) -> bool:
    """Whether Chinese characters occur in it."""
    return CJK.search(text) is not None

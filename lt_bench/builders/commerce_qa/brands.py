"""Made-up brand names. A first syllable belongs to one split, so that no brand is in two."""

from __future__ import annotations

from typing import Final

from lt_bench.builders.commerce_qa.draw import Draw

_STARTS: Final = {
    "train": (
        "Velm", "Cass", "Nord", "Brix", "Halv", "Tess", "Quor", "Mend", "Sylv", "Farr", "Gald", "Jund", "Lorv", "Pell", "Rost", "Sunn",
        "Torv", "Ulm", "Vint", "Wex", "Yarr", "Zell", "Arb", "Dorn", "Elst", "Frej",
    ),
    "validation": ("Omb", "Kest", "Hild", "Bost", "Ning", "Stell"),
    "test": ("Iv", "Mor", "Kar", "Lind", "Drev", "Plet", "Sorb", "Tand", "Ols", "Grim", "Fenn", "Bav"),
}  # fmt: skip
_ENDS: Final = (
    "ora", "ano", "ia", "ex", "ino", "ella", "us", "ero", "ique", "ado", "aris", "ent", "on", "ue", "ival", "omi", "una", "eth", "aro", "ily",
)  # fmt: skip
SPLITS: Final = tuple(_STARTS)


def brand(split: str, draw: Draw) -> str:
    """A brand of this split, e.g. "Velmora"."""
    return draw.pick(_STARTS[split]) + draw.pick(_ENDS)

"""The colours and sizes that a product comes in, and whether they are to be had."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from lt_bench.claims.languages import language_of
from lt_bench.claims.paths import lookup
from lt_bench.claims.wording import fold, stems
from lt_bench.records import Document


def variants_of(document: Document) -> list[tuple[frozenset[str], object]]:
    """The stems of colour and size of each variant, in order, and its availability."""
    variants = lookup(document.product, "hasVariant")
    return [
        (
            frozenset(stems(fold(f"{v.get('color') or ''} {v.get('size') or ''}"))),
            lookup(v, "offers.availability"),
        )
        for v in (variants if isinstance(variants, list) else [])[:200]
        if isinstance(v, dict)
    ]


_STATES: Final = (
    ("out", re.compile(r"out ?of ?stock|sold ?out|discontinued|back ?order|缺货|售罄")),
    ("preorder", re.compile(r"pre-?\s?(?:order|sale)|预售")),
    ("in", re.compile(r"in ?stock|limited ?availability|online ?only|in ?store ?only|有货|现货")),
)


def availability_of(value: object) -> str | None:
    """The state behind "https://schema.org/InStock", "sold out", ...; None for other values."""
    return _availability_in(str(value)[:_LONGEST])


_LONGEST: Final = 200


@lru_cache(maxsize=8192)
def _availability_in(text: str) -> str | None:
    folded = fold(text)
    return next((state for state, pattern in _STATES if pattern.search(folded)), None)


def states_told(offers: Iterable[object], folded: str) -> frozenset[str]:
    """What the values of a product's data say of its availability, or else its folded text."""
    found = frozenset(state for value in offers if (state := availability_of(value)))
    if found:
        return found
    speaker = language_of(folded)
    told = (state for state, pattern in speaker.availability.items() if pattern.search(folded))
    return frozenset(told)

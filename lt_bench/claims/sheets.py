"""A document taken apart, once for all the examples that hold it: the rows of a room share theirs."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Final

import orjson

from lt_bench.claims.entries import Entry, lines_of, read_words
from lt_bench.claims.fields import fields_of, leaves_of
from lt_bench.claims.variants import availability_of, states_told, variants_of
from lt_bench.claims.wording import fold, long
from lt_bench.records import Document

KEPT: Final = 256
"""Documents that are kept; the least recently used go first."""
MIN_LINE: Final = 12
"""Shorter lines, in characters, are found in any text."""


@dataclass(frozen=True)
class Sheet:
    """`entries` carry the product number that was asked for. `vocabulary` are all stems of the
    document, `told` those outside the lines that give its name, `values` those of short property
    values; `states` and `variants` tell what is to be had; `lines` are its folded lines that are
    long enough to be recognised, `folded` is all its text."""

    product: int
    entries: tuple[Entry, ...]
    vocabulary: frozenset[str]
    told: frozenset[str]
    values: frozenset[str]
    states: frozenset[str]
    variants: tuple[tuple[frozenset[str], str], ...]
    lines: frozenset[str]
    folded: str


_sheets: OrderedDict[tuple[str | bytes, ...], dict[int, Sheet]] = OrderedDict()
"""The sheets of a document by product number."""


def sheet_of(document: Document, product: int) -> Sheet:
    """The document as that of product number `product`."""
    key = (document.id, document.kind, document.title, document.text, _bytes(document.product))
    known = _sheets.setdefault(key, {})
    if product not in known:
        other = next(iter(known.values()), None)
        known[product] = _renumbered(other, product) if other else _taken_apart(document, product)
        while len(_sheets) > KEPT:
            _sheets.popitem(last=False)
    _sheets.move_to_end(key)
    return known[product]


def _bytes(product: object) -> bytes:
    try:
        return orjson.dumps(product)
    except TypeError:  # numbers beyond 64 bits, and whatever else is no plain JSON
        return repr(product).encode()


def _taken_apart(document: Document, product: int) -> Sheet:
    leaves = dict.fromkeys(leaves_of(document.product, (), 0))
    folded = fold(document.text)
    lines = tuple(lines_of(document.id, product, folded))
    entries = (*lines, *fields_of(document.id, product, leaves))
    title = frozenset(read_words(title_of(document)).stems)
    variants = variants_of(document)
    offers = [value for path, value, _ in leaves if "availability" in path]
    told = ((names, availability_of(offer)) for names, offer in variants)
    return Sheet(
        product=product,
        entries=entries,
        vocabulary=frozenset(read_words(document.title).stems).union(
            *(e.value for e in entries),
            *(e.label for e in entries),
            *(names for names, _ in variants),
        ),
        told=frozenset().union(*(t for e in lines if not title <= (t := e.label.union(e.value)))),
        values=_values(entries),
        states=states_told([*offers, *(offer for _, offer in variants)], folded),
        variants=tuple((names, state) for names, state in told if names and state),
        lines=_recognisable(lines, folded),
        folded=f"{fold(document.title)} {folded} {fold(title_of(document))}",
    )


def _values(entries: tuple[Entry, ...]) -> frozenset[str]:
    """The stems of short values of properties."""
    short = frozenset().union(*(e.value for e in entries if e.label and len(e.value) <= _SHORT))
    return frozenset(s for s in short if long(s) and s.isalpha())


def _recognisable(lines: tuple[Entry, ...], folded: str) -> frozenset[str]:
    """The lines that are long enough to be recognised, white space closed up."""
    texts = (" ".join(folded[e.start : e.end].split()) for e in lines)
    return frozenset(text for text in texts if len(text) > MIN_LINE)


_SHORT: Final = 4
"""A value of more words is prose."""


def title_of(document: Document) -> str:
    """The name of the product, or else the title of the document."""
    name = (document.product or {}).get("name")
    return name if isinstance(name, str) and name else document.title


def _renumbered(sheet: Sheet, product: int) -> Sheet:
    entries = tuple(entry._replace(product=product) for entry in sheet.entries)
    return replace(sheet, product=product, entries=entries)

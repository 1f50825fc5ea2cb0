"""A document taken apart, once for all the examples that hold it: the rows of a room share theirs."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import orjson

from lt_bench.claims.entries import (
    Entry,
    availability_of,
    fields_of,
    leaves_of,
    lines_of,
    read_words,
    states_of,
    variants_of,
)
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
    fields = list(dict.fromkeys(leaves_of(document.product, (), 0)))
    lines = tuple(lines_of(document, product))
    entries = (*lines, *fields_of(document, product, fields))
    title = read_words(title_of(document))[0]
    folded = fold(document.text)
    texts = (" ".join(folded[e.start : e.end].split()) for e in lines)
    variants = ((names, availability_of(offer)) for names, offer in variants_of(document))
    return Sheet(
        product=product,
        entries=entries,
        vocabulary=frozenset(read_words(document.title)[0]).union(
            *(e.value for e in entries),
            *(e.label for e in entries),
            *(names for names, _ in variants_of(document)),
        ),
        told=frozenset().union(
            *(t for e in lines if not frozenset(title) <= (t := e.label.union(e.value)))
        ),
        values=frozenset(
            s
            for e in entries
            if e.label and len(e.value) <= 4
            for s in e.value
            if long(s) and s.isalpha()
        ),
        states=frozenset(states_of(document, fields)),
        variants=tuple((names, state) for names, state in variants if names and state),
        lines=frozenset(text for text in texts if len(text) > MIN_LINE),
        folded=f"{fold(document.title)} {folded} {fold(title_of(document))}",
    )


def title_of(document: Document) -> str:
    """The name of the product, or else the title of the document."""
    name = (document.product or {}).get("name")
    return name if isinstance(name, str) and name else document.title


def _renumbered(sheet: Sheet, product: int) -> Sheet:
    fields = {**sheet.__dict__, "product": product}
    fields["entries"] = tuple(_copied(entry, product) for entry in sheet.entries)
    return Sheet(**fields)


def _copied(entry: Entry, product: int) -> Entry:
    """A copy under another number; what was worked out about the entry stays with it."""
    copy = object.__new__(Entry)
    for name in Entry.__slots__:
        object.__setattr__(copy, name, getattr(entry, name))
    object.__setattr__(copy, "product", product)
    return copy

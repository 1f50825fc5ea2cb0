"""The evidence of one example, taken apart once: products, their names, and what is documented."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from lt_bench.claims.dates import Date, scan_dates
from lt_bench.claims.entries import Entry, read_words
from lt_bench.claims.kept import Kept
from lt_bench.claims.languages import COMMON
from lt_bench.claims.numbers import Quantity, scan
from lt_bench.claims.sheets import Sheet, sheet_of, title_of
from lt_bench.claims.views import View
from lt_bench.claims.wording import fold, long, stems
from lt_bench.records import Document, Example

_ASKING: Final = ("viewer", "user")
SHARED: Final = -1
"""The product number of evidence that is about the shop, or about nobody in particular."""


@dataclass(frozen=True)
class ProductNames:
    """How one product can be called: stems that only its name has, pairs of neighbouring stems
    of the name, its slot number, all stems of the name, and the Chinese parts that only it has."""

    single: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    slot: int | None
    all: frozenset[str] = frozenset()
    spelled: tuple[str, ...] = ()


@dataclass
class Evidence:
    """What can be known from one example. `entries[p]` are those of product p, SHARED included;
    `vocabulary[p]` its stems, `foreign[p]` those of values that only other products have; `said`
    are the quantities that the host has told, `asked` those of the viewers; `heard` are the
    numbers of dialogue and question, `everything` all text there is, folded; `variants` the
    colours and sizes of a product and whether each is to be had, `lines` all lines of the
    documents that are long enough to be recognised; `mentioned` keeps which products a clause names."""

    documents: dict[str, Document]
    product_of: dict[str, int]
    names: list[ProductNames]
    entries: dict[int, list[Entry]]
    vocabulary: dict[int, frozenset[str]]
    history: frozenset[str]
    question: frozenset[str]
    said: tuple[Quantity, ...]
    asked: tuple[Quantity, ...]
    dates_said: tuple[Date, ...] = ()
    availability: dict[int, frozenset[str]] = field(default_factory=dict)
    everything: str = ""
    heard: frozenset[str] = frozenset()
    variants: dict[int, list[tuple[frozenset[str], str]]] = field(default_factory=dict)
    lines: frozenset[str] = frozenset()
    foreign: dict[int, frozenset[str]] = field(default_factory=dict)
    mentioned: Kept[tuple[str, str], tuple[frozenset[int], frozenset[int], int]] = field(
        default_factory=Kept
    )
    _views: dict[frozenset[int], View] = field(default_factory=dict)

    def view(self, products: frozenset[int]) -> View:
        """What is known of some products and of the shop; of everything for no product."""
        if products not in self._views:
            self._views[products] = self._view(products)
        return self._views[products]

    def _view(self, products: frozenset[int]) -> View:
        chosen = [*sorted(products), SHARED] if products else [*self.entries]
        known = [*products, SHARED] if products else [*self.vocabulary]
        others = [self.foreign.get(product, frozenset()) for product in products]
        return View(
            products,
            tuple(e for p in dict.fromkeys(chosen) for e in self.entries.get(p, ())),
            self.history.union(*(self.vocabulary.get(p, frozenset()) for p in known)),
            frozenset.intersection(*others) if others else frozenset(),
            tuple(v for p in products for v in self.variants.get(p, ())),
            self.called,
        )

    @cached_property
    def slots(self) -> dict[int, int]:
        """The product that stands in each slot."""
        pairs = ((names.slot, product) for product, names in enumerate(self.names))
        return {slot: product for slot, product in pairs if slot is not None}

    @cached_property
    def called(self) -> frozenset[str]:
        """All stems of the names of products."""
        return frozenset(s for names in self.names for s in names.all)


def evidence_of(example: Example) -> Evidence:
    """Takes the documents, the history and the question of an example apart."""
    owners = _owners(example.documents)
    sheets = [sheet_of(document, owners[document.id]) for document in example.documents]
    numbers = (SHARED, *range(max(owners.values(), default=SHARED) + 1))
    entries = {p: [e for s in sheets if s.product == p for e in s.entries] for p in numbers}
    vocabulary = _united({p: [s.vocabulary for s in sheets if s.product == p] for p in numbers})
    states = _united({p: [s.states for s in sheets if s.product == p] for p in numbers})
    values = _united({p: [s.values for s in sheets if s.product == p] for p in numbers})
    heard = fold(" \n".join(f"{line.name} {line.content}" for line in example.history))
    hosts = fold(" \n".join(u.content for u in example.history if u.role not in _ASKING))
    viewers = fold(" \n".join(u.content for u in example.history if u.role in _ASKING))
    question = fold(example.question)
    return Evidence(
        documents={document.id: document for document in example.documents},
        product_of=owners,
        names=_names(example.documents, owners, len(numbers) - 1, sheets),
        entries=entries,
        vocabulary=vocabulary,
        history=frozenset(stems(heard)),
        question=frozenset(stems(question)),
        said=tuple(scan(hosts)),
        asked=tuple(scan(viewers) + scan(question)),
        dates_said=tuple(scan_dates(heard) + scan_dates(question)),
        availability={p: found for p, found in states.items() if found},
        heard=frozenset(re.findall(r"\d+", f"{heard} {question}")),
        everything=" ".join((heard, question, *(sheet.folded for sheet in sheets))),
        foreign=_foreign(values, vocabulary),
        variants={p: [v for s in sheets if s.product == p for v in s.variants] for p in numbers},
        lines=frozenset().union(*(sheet.lines for sheet in sheets)),
    )


def _united(parts: dict[int, list[frozenset[str]]]) -> dict[int, frozenset[str]]:
    return {product: frozenset().union(*found) for product, found in parts.items()}


def _foreign(
    values: dict[int, frozenset[str]], vocabulary: dict[int, frozenset[str]]
) -> dict[int, frozenset[str]]:
    """For each product, the stems of property values that only other products have."""
    owned = {p: found for p, found in values.items() if p != SHARED}
    return {
        p: frozenset().union(*(v for q, v in owned.items() if q != p))
        - vocabulary[p]
        - vocabulary[SHARED]
        for p in owned
    }


# --- products --------------------------------------------------------------------------------


def _owners(documents: tuple[Document, ...]) -> dict[str, int]:
    """The product number of each document. FAQ and reviews belong to the product whose name
    they carry; what names none is shared."""
    owners: dict[str, int] = {}
    known: dict[str, int] = {}
    for document in documents:
        if document.product is not None or document.kind == "product":
            key = fold(title_of(document)) or document.id
            owners[document.id] = known.setdefault(key, len(known))
    for document in documents:
        if document.id not in owners:
            owners[document.id] = _named(document, known)
    return owners


def _named(document: Document, known: dict[str, int]) -> int:
    if document.kind not in ("faq", "review", "evidence") or not known:
        return SHARED
    about = (document.product or {}).get("name") if document.product else None
    text = fold(f"{about or ''} {document.title} {document.text[:200]}")
    named = [number for name, number in known.items() if name and name in text]
    return named[0] if len(named) == 1 else SHARED


def _names(
    documents: tuple[Document, ...], owners: dict[str, int], n: int, sheets: list[Sheet]
) -> list[ProductNames]:
    titles = ["" for _ in range(n)]
    slots: list[int | None] = [None] * n
    for document in documents:
        product = owners[document.id]
        if product != SHARED and (document.product is not None or document.kind == "product"):
            titles[product] = titles[product] or fold(title_of(document))
            slots[product] = document.slot if slots[product] is None else slots[product]
    named = [stems(title) for title in titles]
    spread = Counter(stem for name in named for stem in set(name))
    elsewhere = _value_stems(documents, sheets)
    return [
        _product_names(name, spread, elsewhere, slot, _spelled(titles, p))
        for p, (name, slot) in enumerate(zip(named, slots, strict=True))
    ]


_PIECE: Final = re.compile(r"[\u3400-\u9fff]{2,6}")


def _spelled(titles: list[str], product: int) -> tuple[str, ...]:
    """The Chinese words of a title that occur in no other title and are no ordinary talk."""
    others = [title for p, title in enumerate(titles) if p != product]
    pieces = _PIECE.findall(titles[product])
    if not others:
        pieces = pieces[:-1]  # the last names the kind of goods
    return tuple(p for p in pieces if p not in COMMON and not any(p in t for t in others))


def _product_names(
    name: tuple[str, ...],
    spread: Counter[str],
    elsewhere: frozenset[str],
    slot: int | None,
    spelled: tuple[str, ...],
) -> ProductNames:
    own = [s for s in name if spread[s] == 1]
    single = frozenset(
        s for s in own if s not in elsewhere and s not in COMMON and (long(s) or s.isdigit())
    )
    pairs = frozenset(pair for pair in itertools.pairwise(name) if set(pair) & set(own))
    return ProductNames(single, pairs, slot, frozenset(name), spelled)


def _value_stems(documents: tuple[Document, ...], sheets: list[Sheet]) -> frozenset[str]:
    """Stems that occur outside the lines that give a name, and so may not mean a product; a
    brand always may."""
    brands: set[str] = set()
    for document in documents:
        brand = (document.product or {}).get("brand")
        brand = brand.get("name") if isinstance(brand, dict) else brand
        if isinstance(brand, str):
            brands.update(read_words(brand)[0])
    return frozenset().union(*(sheet.told for sheet in sheets)) - brands

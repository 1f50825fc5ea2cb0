"""The evidence of one example, taken apart once: products, their names, and what is documented."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from lt_bench.claims.dates import Date, scan_dates
from lt_bench.claims.entries import Entry, read_words
from lt_bench.claims.languages import COMMON
from lt_bench.claims.measures import Measures
from lt_bench.claims.numbers import Quantity, scan
from lt_bench.claims.sheets import Sheet, sheet_of, title_of
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
    documents that are long enough to be recognised."""

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
    _views: dict[tuple[str, frozenset[int]], list[Entry]] = field(default_factory=dict)
    _measures: dict[frozenset[int], Measures] = field(default_factory=dict)
    _words: dict[frozenset[int], frozenset[str]] = field(default_factory=dict)
    _keys: dict[frozenset[int], list[tuple[Entry, frozenset[str]]]] = field(default_factory=dict)

    def of(self, products: frozenset[int]) -> Iterator[Entry]:
        """The entries of some products and of the shop; of everything for no product."""
        chosen = [*sorted(products), SHARED] if products else [*self.entries]
        for product in dict.fromkeys(chosen):
            yield from self.entries.get(product, ())

    def measured(self, products: frozenset[int]) -> list[Entry]:
        """Those of `of` that hold quantities."""
        return self._kept("measured", products, lambda e: bool(e.quantities))

    def measures(self, products: frozenset[int]) -> Measures:
        """The entries of `measured`, to be found by their numbers."""
        if products not in self._measures:
            self._measures[products] = Measures(self.measured(products))
        return self._measures[products]

    @cached_property
    def slots(self) -> dict[int, int]:
        """The product that stands in each slot."""
        pairs = ((names.slot, product) for product, names in enumerate(self.names))
        return {slot: product for slot, product in pairs if slot is not None}

    @cached_property
    def called(self) -> frozenset[str]:
        """All stems of the names of products."""
        return frozenset(s for names in self.names for s in names.all)

    def flagged(self, products: frozenset[int]) -> list[Entry]:
        """Those of `of` that hold a yes or a no under a name."""
        return self._kept("flagged", products, lambda e: e.flag is not None and bool(e.about))

    def keyed(self, products: frozenset[int]) -> list[tuple[Entry, frozenset[str]]]:
        """The entries of `flagged`, each with the stems that only its name has."""
        if products not in self._keys:
            entries = self.flagged(products)
            spread = Counter(s for e in entries if e.start is not None for s in e.about)
            self._keys[products] = [
                (
                    e,
                    frozenset(
                        s for s in e.about - COMMON - self.called if len(s) > 2 and spread[s] < 2
                    ),
                )
                for e in entries
            ]
        return self._keys[products]

    def worded(self, products: frozenset[int]) -> list[Entry]:
        """Those lines of `of` that can be recognised by their words."""
        return self._kept("worded", products, _has_words)

    def _kept(
        self, kind: str, products: frozenset[int], wanted: Callable[[Entry], bool]
    ) -> list[Entry]:
        key = (kind, products)
        if key not in self._views:
            self._views[key] = [entry for entry in self.of(products) if wanted(entry)]
        return self._views[key]

    def words_of(self, products: frozenset[int]) -> frozenset[str]:
        """The stems that the evidence of some products, the shop and the history hold."""
        if products not in self._words:
            chosen = [*products, SHARED] if products else [*self.vocabulary]
            parts = (self.vocabulary.get(p, frozenset()) for p in chosen)
            self._words[products] = self.history.union(*parts)
        return self._words[products]


def _has_words(entry: Entry) -> bool:
    prose = bool(entry.quantities) and not entry.label
    return (
        entry.start is not None
        and entry.flag is None
        and not prose
        and 0 < len(entry.content) <= 40
    )


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

"""The evidence of one example, taken apart once: products, their names, and what is documented."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from lt_bench.claims.dates import Date, scan_dates
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
from lt_bench.claims.languages import COMMON
from lt_bench.claims.numbers import Quantity, scan
from lt_bench.claims.wording import fold, stems
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
    colours and sizes of a product and whether each is to be had."""

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
    foreign: dict[int, frozenset[str]] = field(default_factory=dict)
    _views: dict[tuple[str, frozenset[int]], list[Entry]] = field(default_factory=dict)
    _words: dict[frozenset[int], frozenset[str]] = field(default_factory=dict)

    def of(self, products: frozenset[int]) -> Iterator[Entry]:
        """The entries of some products and of the shop; of everything for no product."""
        chosen = [*sorted(products), SHARED] if products else [*self.entries]
        for product in dict.fromkeys(chosen):
            yield from self.entries.get(product, ())

    def measured(self, products: frozenset[int]) -> list[Entry]:
        """Those of `of` that hold quantities."""
        return self._kept("measured", products, lambda e: bool(e.quantities))

    def flagged(self, products: frozenset[int]) -> list[Entry]:
        """Those of `of` that hold a yes or a no under a name."""
        return self._kept("flagged", products, lambda e: e.flag is not None and bool(e.about))

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
    n = max(owners.values(), default=SHARED) + 1
    entries: dict[int, list[Entry]] = {SHARED: [], **{p: [] for p in range(n)}}
    vocabulary: dict[int, set[str]] = {p: set() for p in entries}
    states: dict[int, set[str]] = {p: set() for p in entries}
    for document in example.documents:
        product = owners[document.id]
        fields = list(dict.fromkeys(leaves_of(document.product, (), 0)))
        made = [*lines_of(document, product), *fields_of(document, product, fields)]
        entries[product] += made
        vocabulary[product].update(read_words(document.title)[0], *(e.value for e in made))
        vocabulary[product].update(*(e.label for e in made))
        states[product] |= states_of(document, fields)
    heard = fold(" \n".join(f"{line.name} {line.content}" for line in example.history))
    hosts = fold(" \n".join(u.content for u in example.history if u.role not in _ASKING))
    viewers = fold(" \n".join(u.content for u in example.history if u.role in _ASKING))
    question = fold(example.question)
    return Evidence(
        documents={document.id: document for document in example.documents},
        product_of=owners,
        names=_names(
            example.documents, owners, n, [e for found in entries.values() for e in found]
        ),
        entries=entries,
        vocabulary={p: frozenset(found) for p, found in vocabulary.items()},
        history=frozenset(stems(heard)),
        question=frozenset(stems(question)),
        said=tuple(scan(hosts)),
        asked=tuple(scan(viewers) + scan(question)),
        dates_said=tuple(scan_dates(heard) + scan_dates(question)),
        availability={p: frozenset(found) for p, found in states.items() if found},
        heard=frozenset(re.findall(r"\d+", f"{heard} {question}")),
        everything=" ".join(
            (heard, question, *(fold(f"{d.title} {d.text} {_title(d)}") for d in example.documents))
        ),
        foreign=_foreign(entries, vocabulary),
        variants=_variants(example.documents, owners),
    )


def _variants(
    documents: tuple[Document, ...], owners: dict[str, int]
) -> dict[int, list[tuple[frozenset[str], str]]]:
    """The stems of colour and size of each variant of each product, and its state."""
    found: dict[int, list[tuple[frozenset[str], str]]] = {}
    for document in documents:
        for named, offer in variants_of(document):
            state = availability_of(offer)
            if named and state:
                found.setdefault(owners[document.id], []).append((named, state))
    return found


def _foreign(
    entries: dict[int, list[Entry]], vocabulary: dict[int, set[str]]
) -> dict[int, frozenset[str]]:
    """For each product, the stems of property values that only other products have."""
    values = {
        p: {
            s
            for e in found
            if e.label and len(e.value) <= 4
            for s in e.value
            if _long(s) and s.isalpha()
        }
        for p, found in entries.items()
        if p != SHARED
    }
    shared = vocabulary[SHARED]
    return {
        p: frozenset(
            set().union(*(v for q, v in values.items() if q != p)) - vocabulary[p] - shared
        )
        for p in values
    }


def _long(stem: str) -> bool:
    """Long enough to mean one thing: three letters, or two Chinese characters."""
    return len(stem) > 2 - (stem >= "\u3400")


# --- products --------------------------------------------------------------------------------


def _title(document: Document) -> str:
    name = (document.product or {}).get("name")
    return name if isinstance(name, str) and name else document.title


def _owners(documents: tuple[Document, ...]) -> dict[str, int]:
    """The product number of each document. FAQ and reviews belong to the product whose name
    they carry; what names none is shared."""
    owners: dict[str, int] = {}
    known: dict[str, int] = {}
    for document in documents:
        if document.product is not None or document.kind == "product":
            key = fold(_title(document)) or document.id
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
    documents: tuple[Document, ...], owners: dict[str, int], n: int, lines: list[Entry]
) -> list[ProductNames]:
    titles = ["" for _ in range(n)]
    slots: list[int | None] = [None] * n
    for document in documents:
        product = owners[document.id]
        if product != SHARED and (document.product is not None or document.kind == "product"):
            titles[product] = titles[product] or fold(_title(document))
            slots[product] = document.slot if slots[product] is None else slots[product]
    named = [stems(title) for title in titles]
    spread = Counter(stem for name in named for stem in set(name))
    elsewhere = _value_stems(documents, lines)
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
    plain = elsewhere | COMMON
    single = frozenset(s for s in own if s not in plain and (_long(s) or s.isdigit()))
    pairs = frozenset(pair for pair in itertools.pairwise(name) if set(pair) & set(own))
    return ProductNames(single, pairs, slot, frozenset(name), spelled)


def _value_stems(documents: tuple[Document, ...], lines: list[Entry]) -> frozenset[str]:
    """Stems that occur outside the lines that give a name, and so may not mean a product; a
    brand always may."""
    titles = {d.id: frozenset(read_words(_title(d))[0]) for d in documents}
    found: set[str] = set()
    for line in lines:
        told = line.label.union(line.value)
        if line.start is not None and not titles[line.document] <= told:
            found |= told
    for document in documents:
        brand = (document.product or {}).get("brand")
        brand = brand.get("name") if isinstance(brand, dict) else brand
        if isinstance(brand, str):
            found -= set(read_words(brand)[0])
    return frozenset(found)

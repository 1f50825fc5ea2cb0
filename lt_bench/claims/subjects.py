"""Which product each clause of a reply speaks about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lt_bench.claims import numerals
from lt_bench.claims.clauses import Clause
from lt_bench.claims.evidence import Evidence, ProductNames


class Subject(NamedTuple):
    """`products` of which a clause speaks, empty where it names none; `beside` are products it
    only compares with, `named` those that it calls by name itself."""

    products: frozenset[int]
    beside: frozenset[int]
    named: frozenset[int] = frozenset()

    def allows(self, product: int) -> bool:
        """Whether the clause may be about `product` (below 0: the shop)."""
        return product < 0 or not self.products or product in self.products | self.beside


def subjects(clauses: tuple[Clause, ...], evidence: Evidence) -> list[Subject]:
    """The subject of each clause; a name holds until the next one."""
    found: list[Subject] = []
    current: frozenset[int] = frozenset()
    for clause in clauses:
        named, beside, place = _mentions(clause, evidence)
        if named and current and any(q.start < place for q in clause.quantities):
            beside |= (
                current  # "28 kg against 31 kg for the Cove": the first value is of the one before
            )
        if clause.language.everyone.match(clause.text) and not named:
            current = frozenset()
        current = named or current
        found.append(Subject(current, beside, named))
    return found


def _mentions(clause: Clause, evidence: Evidence) -> tuple[frozenset[int], frozenset[int], int]:
    """Products named, products compared with, and where the first name stands."""
    places = dict(_named(clause, evidence))
    for product, names in enumerate(evidence.names):
        for piece in names.spelled:
            if piece in clause.text:
                places.setdefault(product, clause.text.index(piece))
    for slot, place in (*slots_named(clause), *_bare_slot(clause)):
        for product, names in enumerate(evidence.names):
            if names.slot == slot:
                places.setdefault(product, place)
    spans = [m.span() for m in clause.language.beside.finditer(clause.text)] if places else []
    beside = {
        product for product, place in places.items() if any(a <= place <= b for a, b in spans)
    }
    first = min(places.values(), default=len(clause.text))
    return frozenset(places.keys() - beside), frozenset(beside), first


def slots_named(clause: Clause) -> list[tuple[int, int]]:
    """The slot numbers in a clause ("no. 9", "#9", "九号") and where they stand."""
    found = clause.language.slot.finditer(clause.text)
    return [(_number(next(filter(None, m.groups()))), m.start()) for m in found]


def _bare_slot(clause: Clause) -> list[tuple[int, int]]:
    """A clause that is a short number and nothing else may call a slot: "11, at 30 dB"."""
    text = clause.text.strip(" ,.:")
    return [(int(text), 0)] if text.isascii() and text.isdigit() and len(text) <= 3 else []


def _number(text: str) -> int:
    return int(text) if text.isdigit() else int(numerals.chinese(text)[0])


def _named(clause: Clause, evidence: Evidence) -> Iterator[tuple[int, int]]:
    """Each product called by name, and where. Neighbouring words are one name: it is that of
    the product which most of them fit."""
    run: list[int] = []
    start = 0
    for i, stem in enumerate(clause.stems):
        after = clause.stems[i + 1] if i + 1 < len(clause.stems) else ""
        fitting = [p for p, names in enumerate(evidence.names) if _fits(stem, after, names)]
        if fitting:
            start = start if run else clause.places[i]
            run += fitting
        elif run:
            yield _most(run), start
            run = []
    if run:
        yield _most(run), start


def _fits(stem: str, after: str, names: ProductNames) -> bool:
    return stem in names.single or (stem, after) in names.pairs


def _most(run: list[int]) -> int:
    return max(dict.fromkeys(run), key=run.count)

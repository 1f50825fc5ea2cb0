"""Which product each clause of a reply speaks about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from lt_bench.claims.clauses import Clause
from lt_bench.claims.evidence import Evidence, ProductNames

_SLOT: Final = re.compile(
    r"\b(?:no|nr|number|slot|item|link)\.? ?#? ?(\d{1,3})\b|#\s?(\d{1,3})\b|(\d{1,3}) ?号"
)
_COMPARED: Final = re.compile(
    r"(?:\bthan|\bunlike|\bcompared (?:to|with)|\bversus|\bvs\.?|\bagainst|\binstead of|\bover|比)\s*(?:the |our |no\.? ?)?$"
)
_ALL: Final = re.compile(r"^\W*(?:both|all|each|every|they all|either|neither|都|两款)\b")


class Subject(NamedTuple):
    """`products` of which a clause speaks, empty where it names none; `beside` are products it
    only compares with."""

    products: frozenset[int]
    beside: frozenset[int]

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
        if _ALL.match(clause.text) and not named:
            current = frozenset()
        current = named or current
        found.append(Subject(current, beside))
    return found


def _mentions(clause: Clause, evidence: Evidence) -> tuple[frozenset[int], frozenset[int], int]:
    """Products named, products compared with, and where the first name stands."""
    places = dict(_named(clause, evidence))
    for slot, place in slots_named(clause.text):
        for product, names in enumerate(evidence.names):
            if names.slot == slot:
                places.setdefault(product, place)
    beside = {
        product
        for product, place in places.items()
        if _COMPARED.search(clause.text[max(0, place - 20) : place])
    }
    first = min(places.values(), default=len(clause.text))
    return frozenset(places.keys() - beside), frozenset(beside), first


def slots_named(folded: str) -> list[tuple[int, int]]:
    """The slot numbers in a text ("no. 9", "#9", "9号") and where they stand."""
    return [(int(m[1] or m[2] or m[3]), m.start()) for m in _SLOT.finditer(folded)]


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

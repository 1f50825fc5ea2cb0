"""Which product each clause of a reply speaks about."""

from __future__ import annotations

import re
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
            beside |= current  # "28 kg against 31 kg for the Cove": the first value is of the one before
        if _ALL.match(clause.text) and not named:
            current = frozenset()
        current = named or current
        found.append(Subject(current, beside))
    return found


def _mentions(clause: Clause, evidence: Evidence) -> tuple[frozenset[int], frozenset[int], int]:
    """Products named, products compared with, and where the first name stands."""
    first = len(clause.text)
    named: set[int] = set()
    beside: set[int] = set()
    slots = {int(m[1] or m[2] or m[3]): m.start() for m in _SLOT.finditer(clause.text)}
    for product, names in enumerate(evidence.names):
        place = slots.get(names.slot, -1) if names.slot is not None else -1
        place = place if place >= 0 else _place(clause, names)
        if place >= 0:
            compared = _COMPARED.search(clause.text[max(0, place - 20) : place])
            (beside if compared else named).add(product)
            first = min(first, place)
    return frozenset(named), frozenset(beside), first


def _place(clause: Clause, names: ProductNames) -> int:
    for i, stem in enumerate(clause.stems):
        if stem in names.single:
            return clause.places[i]
        if i + 1 < len(clause.stems) and (stem, clause.stems[i + 1]) in names.pairs:
            return clause.places[i]
    return -1

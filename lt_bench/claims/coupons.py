"""A coupon is one answer: its name, its rate and what is left to pay belong together."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.clauses import Clause
from lt_bench.claims.entries import Entry
from lt_bench.claims.quantities import agrees
from lt_bench.claims.targets import Target
from lt_bench.records import Fact

_OFFER: Final = re.compile(r"(.*priceSpecification\[\w+\])\.(?:name|discount|price)$")


def fact_of_the_coupon(one: Fact, other: Fact) -> bool:
    """The code and the rate belong to the price after the discount, where that was asked for."""
    first, second = _OFFER.match(one.path), _OFFER.match(other.path)
    asked = other.path.endswith(".price") and not one.path.endswith(".price")
    same = bool(first and second and first[1] == second[1] and one.document == other.document)
    return asked and same


def line_of_the_coupon(target: Target, entry: Entry, clause: Clause) -> bool:
    """Whether an entry is the coupon asked for: its name, its rate and what is left to pay are one
    answer; how long it holds is more."""
    dated = any(day.agrees(other) for day in clause.dates for other in entry.dates)
    if dated or not _OFFER.match(target.fact.path) or len(entry.quantities) < 2:
        return False
    if target.quantity is not None:
        return any(agrees(q, target.quantity) for q in entry.quantities)
    name = frozenset().union(*(p.content for p in target.phrases[:1]))
    return name <= entry.label.union(entry.value)

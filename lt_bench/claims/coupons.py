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


def fact_of_the_coupon(asked: Fact, told: Fact) -> bool:
    """Whether a fact is the code or the rate of the coupon whose price was asked for."""
    first, second = _OFFER.match(asked.path), _OFFER.match(told.path)
    same = first and second and first[1] == second[1] and asked.document == told.document
    return bool(same) and asked.path.endswith(".price") and not told.path.endswith(".price")


def line_of_the_coupon(asked: Target, entry: Entry, clause: Clause) -> bool:
    """Whether a clause takes from a line no more than the coupon asked for; how long it holds is more."""
    dated = any(day.agrees(other) for day in clause.dates for other in entry.dates)
    if dated or not _OFFER.match(asked.fact.path) or len(entry.quantities) < 2:
        return False
    if asked.quantity is not None:
        return any(agrees(q, asked.quantity) for q in entry.quantities)
    name = frozenset().union(*(p.content for p in asked.phrases[:1]))
    return name <= entry.label.union(entry.value)

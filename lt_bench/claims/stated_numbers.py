"""Whether a clause states the number of a fact."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.clauses import Clause
from lt_bench.claims.language import FUNCTION, stem_set
from lt_bench.claims.quantities import Quantity, agrees
from lt_bench.claims.targets import Target
from lt_bench.claims.units import is_money
from lt_bench.claims.wording import fold, stems


def number_stated(target: Target, clause: Clause) -> bool | None:
    """True where the clause gives the number, False where it denies it, None where it gives no or
    another one, or leaves open which of two."""
    assert target.quantity is not None
    matching = [
        q
        for q in clause.quantities
        if agrees(q, target.quantity)
        and _unit_told(target, q, clause)
        and not clause.language.vague.match(clause.text, q.end)
        and not (q.unit is None and clause.language.calling.match(clause.text, q.end))
    ]
    if not matching:
        return None
    first = matching[0]
    if clause.denied(first.start):
        return False
    if _SPANNED.search(target.fact.path):
        return True  # "three or four days" is a span
    return not any(_alternatives(first, other, clause) for other in clause.quantities)


_SPANNED: Final = re.compile(r"deliveryTime\.(?:min|max)Value$")


def _unit_told(target: Target, said: Quantity, clause: Clause) -> bool:
    """Whether a number without its unit still answers: prices, counts, and beside the name of
    the property."""
    known = target.quantity.unit if target.quantity else None
    if said.loose:
        noun = target.label.union(stems(fold(target.fact.unit or "")))
        noun |= _REMAINING if "inventory" in target.label else frozenset()
        return bool(noun & clause.heard) or (len(clause.stems) <= 4 and not target.extra)
    if (
        said.unit is None
        and known is not None
        and not target.extra
        and _bare(said, clause, target.label)
    ):
        return True
    if known is None:
        timed = said.unit is not None and said.unit.dimension in ("time", "business time", "months")
        return (
            said.unit is None
            or said.unit.name == "star"
            or (timed and _TIMED.search(target.fact.path) is not None)
            or (not target.fact.unit and _COUNTED.search(target.fact.path) is None)
        )
    return said.unit is not None or is_money(known) or bool(target.label & clause.heard)


_REMAINING: Final = stem_set("left last remaining pair pairs piece pieces unit units item stock")
_PLAIN_NUMBER: Final = 100


def _bare(said: Quantity, clause: Clause, label: frozenset[str]) -> bool:
    """Whether a number without its unit is all that a clause tells: "20000", "that's 405"."""
    alone = len(clause.quantities) == 1 and not clause.dates
    places = zip(clause.stems, clause.places, strict=True)
    words = {s for s, p in places if not said.start <= p < said.end} - FUNCTION
    other = words - clause.language.common - label
    return alone and (said.value >= _PLAIN_NUMBER or len(words) < 3 or not other)


_COUNTED: Final = re.compile(r"rating|(?<!dis)count|inventory", re.IGNORECASE)
"""Paths of numbers that have no unit at all: "4 kg" does not state a rating of 4."""
_TIMED: Final = re.compile(r"days|time|hours|minutes|months|weeks|years|duration", re.IGNORECASE)


def _alternatives(one: Quantity, other: Quantity, clause: Clause) -> bool:
    """ "129 or 99 dollars": two values that cannot both be."""
    first, second = sorted((one, other), key=lambda q: q.start)
    between = clause.text[first.end : second.start]
    joined = (
        re.fullmatch(r"\s*,?\s*(?:or|或者?|还是)\s*(?:maybe |perhaps )?\W*", between) is not None
    )
    return joined and not agrees(one, other)

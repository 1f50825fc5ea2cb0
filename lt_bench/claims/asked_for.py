"""What was asked for anyway, and so is nothing that a reply volunteers."""

from __future__ import annotations

from typing import Final

from lt_bench.claims.cases import Case
from lt_bench.claims.clauses import Clause
from lt_bench.claims.coupons import fact_of_the_coupon
from lt_bench.claims.entries import Entry
from lt_bench.claims.evidence import SHARED
from lt_bench.claims.language import FUNCTION
from lt_bench.claims.quantities import Quantity, agrees, same
from lt_bench.claims.targets import Target
from lt_bench.claims.units import alike
from lt_bench.claims.variants import availability_of
from lt_bench.records import Fact


def fact_was_asked(target: Target, case: Case) -> bool:
    """A fact that the answer itself states cannot be its extra; nor can words of the question."""
    if any(_is_part_of(target, asked) for asked in case.required):
        return True
    content = frozenset().union(*(wording.content for wording in target.phrases[:1]))
    numbers = any(wording.quantities for wording in target.phrases) or target.quantity
    return bool(content) and content <= case.question.heard and not numbers


def _is_part_of(target: Target, asked: Target) -> bool:
    """Whether a fact comes with the answer to what was asked."""
    one, other = target.fact, asked.fact
    if target.product == asked.product:
        same_path = one.path == other.path and (one.path != "text" or one.value == other.value)
        if same_path or (asked.label and asked.label == target.label):
            return True
        if target.state is not None and target.state == asked.state:
            return True
    return _range_of(one) == _range_of(other) or fact_of_the_coupon(other, one)


def _range_of(fact: Fact) -> tuple[str, str]:
    """The lower and the upper end of a range are one fact."""
    parent = fact.path.removesuffix(".minValue").removesuffix(".maxValue")
    return fact.document, parent if parent != fact.path else f"{fact.path}={fact.value}"


def entry_was_asked(entry: Entry, clause: Clause, case: Case) -> bool:
    """An entry that only tells the asked property, or repeats the question, or names a product."""
    content = frozenset(entry.value) - FUNCTION
    if case.question.bounds & {q.unit.dimension for q in entry.quantities if q.unit}:
        return True  # "under 210 yuan" asked for the price, whatever else it asked for
    if entry.about & case.question.heard and all(t.fact.path == "name" for t in case.required):
        return bool(case.required)  # a wish, and not what was asked beside it
    if _names_product(entry, case) or (
        content <= case.question.heard and not entry.quantities and entry.flag is None
    ):
        return True
    if any(answers_it(entry, clause, t) for t in case.required if _kin(t.product, entry.product)):
        return True
    return bool(entry.flag is not None and entry.label <= case.question.heard | FUNCTION)


STOCKED: Final = frozenset(["stock", "availability"])
"""Stems of the names of availability."""


def _kin(one: int, other: int) -> bool:
    return SHARED in (one, other) or one == other


def answers_it(entry: Entry, clause: Clause, target: Target) -> bool:
    """Whether the clause takes from the entry what was asked; a line may hold more than that."""
    if target.rivals & entry.label:
        return False
    known = entry.label.union(entry.value) - FUNCTION
    taken = [q for q in clause.quantities if any(same(q, number) for number in entry.quantities)]
    dated = any(day.agrees(other) for day in clause.dates for other in entry.dates)
    if target.state and (known & STOCKED or availability_of(" ".join(entry.value))):
        return not taken
    if dated:
        return target.date is not None
    verdict = _taken_answers(taken, entry, clause, target)
    if verdict is not None:
        return verdict
    return _worded_alike(entry, clause, target, taken=bool(taken))


def _taken_answers(
    taken: list[Quantity], entry: Entry, clause: Clause, target: Target
) -> bool | None:
    """Whether the numbers taken from an entry are what was asked; None where they do not tell."""
    if not taken:
        return None
    number = target.quantity
    if number is None:
        told = [q for wording in target.phrases for q in wording.quantities]
        if all(any(agrees(q, known) for known in told) for q in taken):
            return True
        unheard = all(p.content.isdisjoint(clause.heard) for p in target.phrases)
        return False if unheard else None
    if not any(_alike(q, number) for q in taken):
        return False
    unnamed = entry.about.isdisjoint(clause.heard)
    repeats = unnamed and all(agrees(q, number) for q in taken)
    return True if repeats or _another_share(taken, number, entry, clause) else None


def _worded_alike(entry: Entry, clause: Clause, target: Target, *, taken: bool) -> bool:
    """Whether an entry is of the property asked for, by its name, its value or its words."""
    known = entry.label.union(entry.value) - FUNCTION
    within = bool(target.label) and target.label <= frozenset(entry.value)
    if target.label & entry.label or (within and (taken or not entry.about)):
        return True
    if target.date and any(day.agrees(target.date) for day in entry.dates):
        return not taken
    number = target.quantity
    if number and any(q.base == number.base for q in entry.quantities):
        return True
    return any(
        p.content and p.content <= known and not p.content.isdisjoint(clause.heard)
        for p in target.phrases
    )


def _another_share(taken: list[Quantity], asked: Quantity, entry: Entry, clause: Clause) -> bool:
    """Whether a percentage only tries to answer: "a fifth" of sugar is no 20 % off."""
    share = asked.unit is not None and asked.unit.name == "%"
    named = "off" in clause.heard or not entry.about.isdisjoint(clause.heard)
    return share and not named and all(q.unit == asked.unit for q in taken)


def _alike(one: Quantity, other: Quantity) -> bool:
    return one.unit is None or other.unit is None or alike(one.unit, other.unit)


def _names_product(entry: Entry, case: Case) -> bool:
    """A line such as "No. 4: Halden Glow"."""
    words = {s for s in entry.content | entry.about if not s.isdigit()} - {"no"}
    return bool(words) and words <= case.names

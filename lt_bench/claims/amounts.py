"""The check of one quantity of a clause: documented, derived, of another product, or invented."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lt_bench.claims.checks import Verdict
from lt_bench.claims.clauses import Clause
from lt_bench.claims.entries import Entry
from lt_bench.claims.evidence import SHARED
from lt_bench.claims.language import FUNCTION
from lt_bench.claims.quantities import Quantity, agrees, same
from lt_bench.claims.scope import Scope
from lt_bench.claims.units import is_money

_VAGUE: Final = frozenset(["time", "valu", "detail"])
"""Words of a label that alone name no property: "run time" is no delivery time."""
_COUNT_MAX: Final = 12
_ALIKE: Final = 10
"""Counts that differ by more than this factor are of different things."""
_CHART: Final = 6
"""An entry with more numbers than these is a chart, which names no number."""
_BARE_MONEY: Final = 20
"""A number without a unit may be a sum of money from here on: "减一百"."""


def quantity_verdict(
    said: Quantity, clause: Clause, products: frozenset[int], scope: Scope
) -> tuple[Verdict, Entry | None]:
    """The verdict on a quantity that the clause asserts of some products, and the entry behind it."""
    evidence, heard = scope.evidence, _around(said, clause)
    measures = evidence.view(products).measures
    own, agreeing = measures.entries, measures.telling(said)
    topics = heard - _VAGUE
    named = [
        e
        for e in own
        if not e.about.isdisjoint(topics)
        and len(e.quantities) <= _CHART
        and _measures(said, e)
        and e.product != SHARED
        and not _free(e, heard)
    ]
    misnamed = _misnamed(said, clause, own) if agreeing else None
    if misnamed is not None:
        return "contradicted", misnamed
    if named and not (set(map(id, named)) & set(map(id, agreeing))):
        rescued = [e for e in agreeing if about(e, heard)]
        if rescued:
            return "supported", rescued[0]
        if not _derived(said, clause, evidence.view(products | scope.asked).measures.entries):
            return "contradicted", quotable(named)
    if agreeing:
        return "supported", _best(agreeing, heard)
    if _derived(said, clause, evidence.view(products | scope.asked).measures.entries):
        return "supported", None
    if any(agrees(said, q) for q in evidence.said):
        return "supported", None
    echoed = any(_echoes(said, q) for q in evidence.asked)
    rival = any(_rivals(said, known) for known in scope.required)
    if echoed and (not rival or scope.limits):
        return "not_a_claim", None
    telling = evidence.view(frozenset()).measures.telling(said)
    wrong = next((e for e in telling if e.product not in products), None)
    if wrong is not None or rival:
        return "contradicted", wrong
    scale = clause.text[: said.start].endswith("out of ")
    small = (
        not scale
        and said.unit is None
        and said.value == int(said.value)
        and said.value <= _COUNT_MAX
    )
    return ("not_a_claim" if small and not named else "not_in_documents"), None


def _free(entry: Entry, heard: set[str]) -> bool:
    """Whether the entry is a price of nothing, and "free" is what was said of it."""
    return "free" in heard and all(q.value == 0 for q in entry.quantities)


def _echoes(said: Quantity, asked: Quantity) -> bool:
    """Whether a number repeats one of the question; "168" repeats 1.68 m."""
    if said.unit is None and asked.unit is not None and asked.unit.dimension == "length":
        return abs(said.value * 10 - asked.base) < 1e-6 or said.value == asked.value
    return agrees(said, asked)


def _around(said: Quantity, clause: Clause) -> set[str]:
    """The stems between the quantities on either side: the words that are about this one."""
    before = max((q.end for q in clause.quantities if q.end <= said.start), default=0)
    after = min(
        (q.start for q in clause.quantities if q.start >= said.end), default=len(clause.text)
    )
    return {
        s
        for s, p in zip(clause.stems, clause.places, strict=True)
        if before <= p < after and not s.isdigit()
    }


def _misnamed(said: Quantity, clause: Clause, own: Sequence[Entry]) -> Entry | None:
    """The property whose name stands right before a number that is not of its kind: "the
    warranty is 48 dB"."""
    before = [(s, e) for s, e in zip(clause.stems, clause.ends, strict=True) if e <= said.start]
    for stem, word_end in reversed(before):
        if not clause.language.copula.fullmatch(clause.text[word_end : said.start]):
            return None
        named = [e for e in own if e.label == {stem} and e.quantities]
        if named:
            return (
                None
                if any(
                    _measures(said, e) or any(q.unit is None for q in e.quantities) for e in named
                )
                else named[0]
            )
    return None


def _measures(said: Quantity, entry: Entry) -> bool:
    counts = said.unit is None and any(
        (known.unit is None or known.unit.name == "star")
        and known.value / _ALIKE <= said.value <= known.value * _ALIKE
        for known in entry.quantities
    )
    return counts or any(_rivals(said, known) or same(said, known) for known in entry.quantities)


def _rivals(said: Quantity, known: Quantity) -> bool:
    """Of one dimension, and different."""
    dimensions = [q.unit.dimension if q.unit else "" for q in (said, known)]
    return dimensions[0] == dimensions[1] != "" and not agrees(said, known)


def about(entry: Entry, heard: set[str]) -> bool:
    """Whether the words heard name what the entry is about."""
    topic = (entry.label or frozenset(entry.value)) - FUNCTION
    return bool({s for s in topic if s.isalpha() and len(s) > 2 - (s >= "\u3400")} & heard)


def _best(entries: list[Entry], heard: set[str]) -> Entry:
    return max(entries, key=lambda e: (len(e.about & heard), e.start is not None))


def quotable(entries: list[Entry]) -> Entry:
    """The first entry that stands in a text; else the first."""
    return next((e for e in entries if e.start is not None), entries[0])


def _derived(said: Quantity, clause: Clause, own: Sequence[Entry]) -> bool:
    """A sum, difference or multiple of documented values, or a price after a documented
    percentage, where the words say that something is derived."""
    if not clause.language.deriving.search(clause.text):
        return False
    if said.unit is not None and not is_money(said.unit):
        return _difference(said, own)
    if said.unit is None and said.value < _BARE_MONEY:
        return False
    currency = said.unit.dimension if said.unit else None
    kin = {
        q.base
        for e in own
        for q in e.quantities
        if is_money(q.unit) and q.unit and currency in (None, q.unit.dimension)
    }
    prices = sorted(kin)[:60]
    shares = {q.value / 100 for e in own for q in e.quantities if q.unit and q.unit.name == "%"}
    steps = (abs(a - b) for a in prices for b in prices)
    sums = (a + b for i, a in enumerate(prices) for b in prices[i + 1 :])
    multiples = (a * n for a in prices for n in (2, 3, 4))
    spared = (a * n - b for a in prices for b in prices for n in (2, 3))
    cut = (a * part for a in prices for share in shares for part in (share, 1 - share))
    slack = 0.05 * said.base if said.bound else min(0.5 * said.step, 0.011) + 1e-9
    return any(
        abs(said.base - value) <= slack
        for group in (steps, sums, multiples, spared, cut)
        for value in group
    )


def _difference(said: Quantity, own: Sequence[Entry]) -> bool:
    """Whether two products differ by so much in one property, or it is that of two or three pieces."""
    for i, one in enumerate(own):
        for other in own[i + 1 :]:
            if one.product != other.product and one.label and one.label == other.label:
                step = one.quantities[0].base - other.quantities[0].base
                if one.quantities[0].unit and agrees(said, _in_unit(abs(step), one.quantities[0])):
                    return True
    return any(
        agrees(said, q._replace(value=q.value * n))
        for e in own
        for q in e.quantities
        for n in (2, 3)
        if q.unit and said.unit and q.unit.dimension == said.unit.dimension != "share"
    )


def _in_unit(base: float, like: Quantity) -> Quantity:
    factor = like.unit.factor if like.unit else 1.0
    return Quantity(round(base / factor, 9), like.unit, 0, 0)

"""Which product each clause of a reply speaks about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from lt_bench.claims import numerals
from lt_bench.claims.clauses import Clause
from lt_bench.claims.evidence import Evidence, ProductNames
from lt_bench.claims.numbers import VERSUS
from lt_bench.claims.quantities import Quantity
from lt_bench.claims.wording import is_cjk


class Subject(NamedTuple):
    """`products` of which a clause speaks, empty where it names none; `beside` are products it
    only compares with, `named` those that it calls by name itself."""

    products: frozenset[int]
    beside: frozenset[int]
    named: frozenset[int] = frozenset()

    def allows(self, product: int) -> bool:
        """Whether the clause may be about `product` (below 0: the shop)."""
        return product < 0 or not self.products or product in self.products | self.beside


def subjects(
    clauses: tuple[Clause, ...], evidence: Evidence, asked: frozenset[int] = frozenset()
) -> list[Subject]:
    """The subject of each clause; a name holds until the next one. Where several products were
    `asked` about, "24 months against 12" gives the second number to another of them."""
    found: list[Subject] = []
    current: frozenset[int] = frozenset()
    for clause in clauses:
        named, beside, place = _mentions(clause, evidence)
        named = named or (_among(clause, asked, evidence) if not beside else named)
        if named and current and any(q.start < place for q in clause.quantities):
            beside |= (
                current  # "28 kg against 31 kg for the Cove": the first value is of the one before
            )
            if clause.language.beside.search(clause.text):
                found.append(Subject(named, beside, named))
                current |= named  # "it" behind that may be either
                continue
        if clause.language.everyone.match(clause.text) and not named:
            current = frozenset()
        if not named and current < asked and clause.language.other.search(clause.text):
            current = asked - current
        current = named or current
        if len(asked) > 1 and _sets_numbers_apart(clause):
            beside |= asked
        found.append(Subject(current, beside, named))
    return found


def _among(clause: Clause, asked: frozenset[int], evidence: Evidence) -> frozenset[int]:
    """The products asked about that a clause calls by a word which none of the others is called by."""
    if len(asked) < 2:
        return frozenset()
    heard = clause.heard - clause.language.common
    names = {product: evidence.names[product].all & heard for product in asked}
    return frozenset(
        p
        for p, own in names.items()
        if own - frozenset().union(*(n for q, n in names.items() if q != p))
    )


def _mentions(clause: Clause, evidence: Evidence) -> tuple[frozenset[int], frozenset[int], int]:
    """Products named, products compared with, and where the first name stands."""
    key = (clause.text, clause.language.name)
    return evidence.mentioned.get(key, lambda: _mentioned(clause, evidence))


def _mentioned(clause: Clause, evidence: Evidence) -> tuple[frozenset[int], frozenset[int], int]:
    places = dict(_named(clause, evidence))
    for product, names in enumerate(evidence.names):
        for piece in names.spelled:
            if piece in clause.text:
                places.setdefault(product, clause.text.index(piece))
    called = (*slots_named(clause), *slots_counted(clause, evidence), *_bare_slot(clause))
    for slot, place in called:
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


def slots_counted(clause: Clause, evidence: Evidence) -> list[tuple[int, int]]:
    """Plain numbers that call a product by its slot, and where they stand: "number nine", "51 is
    fine" where 51 was asked about and is no value of that product."""
    found: list[tuple[int, int]] = []
    for quantity in clause.quantities:
        if quantity.unit is None and not quantity.bound and quantity.value <= _LAST_SLOT:
            product = evidence.slots.get(int(quantity.value))
            if product is not None and _calls(quantity, product, clause, evidence):
                found.append((int(quantity.value), quantity.start))
    return found


_LAST_SLOT: Final = 999


def _calls(number: Quantity, product: int, clause: Clause, evidence: Evidence) -> bool:
    if number.value != int(number.value) or _in_a_name(number, clause, evidence):
        return False
    speaker = clause.language
    if speaker.numbered.search(clause.text[: number.start].rstrip()) or speaker.calling.match(
        clause.text, number.end
    ):
        return True
    if _asks_which(evidence) and _is_all(number, clause):
        return True
    if f"{number.value:g}" not in evidence.heard:
        return False
    opens = not clause.text[: number.start].strip()
    if opens and speaker.acting.match(clause.text, number.end):
        return True
    own = evidence.view(frozenset({product})).measures.entries
    return not any(known.value == number.value for e in own for known in e.quantities)


_LEAD: Final = re.compile(
    r"\W*(?:(?:oh|well|so|try|easily|definitely|it|that|i'd|i would|you want|your best bet|(?:go|say|pick|choose|take|grab|suggest|recommend|point you)|for|with|at|to|would|is|be|'d|'s|'ll) ?)*\W*"
)
_TRAIL: Final = re.compile(r"\W*(?:for (?:sure|you)|it is|then|definitely|please)?\W*")


def _asks_which(evidence: Evidence) -> bool:
    """Whether the question is answered by a slot: "which one", "what number"."""
    asked = evidence.question
    return "size" not in asked and (
        ("which" in asked and bool(asked & {"one", "number", "slot", "item"}))
        or ("what" in asked and bool(asked & {"number", "slot"}))
    )


def _is_all(number: Quantity, clause: Clause) -> bool:
    """Whether a clause holds a number and hardly more: "that'd be thirty-eight"."""
    before, after = clause.text[: number.start], clause.text[number.end :]
    return bool(_LEAD.fullmatch(before) and _TRAIL.fullmatch(after))


def _in_a_name(number: Quantity, clause: Clause, evidence: Evidence) -> bool:
    """Whether a number closes a documented word, as that of a coupon does."""
    word = clause.text[max(0, number.start - 2) : number.end]
    return is_cjk(word[:1]) and is_cjk(word[1:2]) and word in evidence.everything


def _sets_numbers_apart(clause: Clause) -> bool:
    pairs = pairwise(clause.quantities)
    if any(VERSUS.fullmatch(clause.text, a.end, b.start) for a, b in pairs):
        return True
    starts = {quantity.start for quantity in clause.quantities}
    return any(m.end() in starts for m in clause.language.beside.finditer(clause.text))


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

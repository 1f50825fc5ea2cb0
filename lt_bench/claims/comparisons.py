"""Claims that one product is lighter, cheaper or longer than another, against their values."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.clauses import Clause
from lt_bench.claims.entries import Entry
from lt_bench.claims.evidence import Evidence
from lt_bench.claims.language import FUNCTION, Language
from lt_bench.claims.subjects import Subject, slots_counted
from lt_bench.claims.targets import Target


def wrong_comparison(
    clause: Clause,
    product: int,
    rivals: frozenset[int],
    evidence: Evidence,
    asked: frozenset[str],
) -> Entry | None:
    """The entry that a comparison contradicts: `product` is said to have less or more of a
    property than the rivals, and has not; the property is the one `asked` about where the clause names none ("the longer
    one"). None where nothing is compared or a value is unknown."""
    match = clause.language.comparative.search(clause.text)
    if match is None or clause.denied(match.start()) or match.lastgroup is None:
        return None
    if clause.language.imagined.search(clause.text):
        return None
    direction, _, stem = match.lastgroup.partition("_")
    more = direction == "more"
    wanted = frozenset([stem]) if stem else clause.heard
    own = _measured(product, wanted, evidence)
    if own is None and not stem and _plain(clause):
        wanted, own = asked, _measured(product, asked, evidence)
    if own is None:
        return None
    wanted = wanted & own.label
    others = [e for rival in rivals - {product} if (e := _measured(rival, wanted, evidence))]
    if not others or (not stem and not _of_one_kind(own, others)):
        return None
    values = [entry.quantities[0].base for entry in others]
    mine = own.quantities[0].base
    holds = mine > max(values) if more else mine < min(values)
    return None if holds else own


def winner(question: str, speaker: Language, targets: tuple[Target, ...]) -> int | None:
    """The product that wins a comparison which asks for one property of several products; None
    where nothing is compared, or nobody wins."""
    numbers = {t.product: t.quantity for t in targets if t.quantity}
    if len(numbers) != len(targets) or len(numbers) < 2 or len({t.fact.path for t in targets}) > 1:
        return None
    ordered = sorted(numbers, key=lambda product: numbers[product].base)
    if numbers[ordered[0]].base == numbers[ordered[-1]].base:
        return None
    if _asks_for_less(question, speaker, targets[0]):
        return ordered[0]
    return ordered[-1] if direction(question, speaker) else None


def _asks_for_less(question: str, speaker: Language, target: Target) -> bool:
    unit = target.quantity.unit if target.quantity else None
    timed = unit is not None and unit.dimension == "time"
    if timed and speaker.swift.search(question):
        return True
    return direction(question, speaker) == "less"


def direction(text: str, speaker: Language) -> str:
    """ "more" or "less", whichever a text ranks by; "" where it ranks nothing."""
    match = speaker.comparative.search(text)
    if match:
        return (match.lastgroup or "").partition("_")[0]
    if _FOR_LESS.search(text):
        return "less"
    return "more" if speaker.greater.search(text) else ""


_FOR_LESS: Final = re.compile(r"\bwhich\b.{1,30}\b(?:less|fewer|least)\b(?! than\b)", re.IGNORECASE)


def claimed_winner(
    clauses: tuple[Clause, ...],
    told: tuple[Subject, ...],
    products: frozenset[int],
    asked: str,
    shown: int | None,
    evidence: Evidence,
) -> int | None:
    """The product of two that a reply names as the winner: the first that it calls by name without
    a number, the other one where it is ranked the other way round from what was `asked`."""
    for clause, subject in zip(clauses, told, strict=True):
        named = subject.named & products
        if not named and shown is not None and clause.language.shown.search(clause.text):
            named = frozenset({shown})
        figures = len(clause.quantities) - len(slots_counted(clause, evidence))
        if not clause.asserts or len(named) != 1 or figures:
            continue
        ranked = direction(clause.text, clause.language)
        turned = bool(ranked and asked and ranked != asked) or clause.language.rejects.search(
            clause.text
        )
        return next(iter(products - named)) if turned and len(products) == 2 else next(iter(named))
    called = [products & s.named for c, s in zip(clauses, told, strict=True) if c.asserts]
    only = frozenset().union(*called)
    return next(iter(only)) if len(only) == 1 else None


def _plain(clause: Clause) -> bool:
    """Whether the clause names no property at all."""
    named = {stem for stem in clause.heard if not stem.isdigit()} - FUNCTION
    return named <= clause.language.common


def _measured(product: int, wanted: frozenset[str], evidence: Evidence) -> Entry | None:
    """The entry of a product whose label is that property and little else."""
    named = [e for e in evidence.entries.get(product, ()) if wanted & e.about and e.quantities]
    return min(
        named,
        key=lambda e: (-len(wanted & e.about), len(e.label), e.start is None),
        default=None,
    )


def _of_one_kind(own: Entry, others: list[Entry]) -> bool:
    """Whether all of them hold one number of one dimension under one name."""
    kinds = {
        (e.about, e.quantities[0].unit.dimension if e.quantities[0].unit else "", len(e.quantities))
        for e in (own, *others)
    }
    return len(kinds) == 1 and len(own.quantities) == 1

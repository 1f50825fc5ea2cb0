"""Claims that one product is lighter, cheaper or longer than another, against their values."""

from __future__ import annotations

from lt_bench.claims.clauses import Clause
from lt_bench.claims.entries import Entry
from lt_bench.claims.evidence import Evidence


def wrong_comparison(
    clause: Clause, product: int, rivals: frozenset[int], evidence: Evidence
) -> Entry | None:
    """The entry that a comparison contradicts: `product` is said to have less or more of a
    property than the rivals, and has not. None where nothing is compared or a value is unknown."""
    match = clause.language.comparative.search(clause.text)
    if match is None or clause.denied(match.start()) or match.lastgroup is None:
        return None
    direction, _, stem = match.lastgroup.partition("_")
    more = direction == "more"
    wanted = frozenset([stem]) if stem else clause.heard
    own = _measured(product, wanted, evidence)
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

"""Claims that one product is lighter, cheaper or quieter than another, against their values."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.clauses import Clause
from lt_bench.claims.entries import Entry
from lt_bench.claims.evidence import Evidence

_ADJECTIVES: Final[dict[str, tuple[str, bool]]] = {
    "lighter": ("weight", False), "lightest": ("weight", False),
    "heavier": ("weight", True), "heaviest": ("weight", True),
    "cheaper": ("price", False), "cheapest": ("price", False),
    "less expensive": ("price", False), "more affordable": ("price", False),
    "more expensive": ("price", True), "pricier": ("price", True), "priciest": ("price", True),
    "quieter": ("nois", False), "quietest": ("nois", False),
    "louder": ("nois", True), "loudest": ("nois", True), "noisier": ("nois", True),
    "taller": ("height", True), "flatter": ("height", False),
    "wider": ("width", True), "narrower": ("width", False),
}  # fmt: skip
"""An adjective, the stem of the property it compares, and whether more of it wins."""
_ADJECTIVE: Final = re.compile(rf"\b(?:{'|'.join(_ADJECTIVES)})\b")


def wrong_comparison(
    clause: Clause, product: int, rivals: frozenset[int], evidence: Evidence
) -> Entry | None:
    """The entry that a comparison contradicts: `product` is said to have less or more of a
    property than the rivals, and has not. None where nothing is compared or a value is unknown."""
    match = _ADJECTIVE.search(clause.text)
    if match is None or clause.denied(match.start()):
        return None
    stem, more = _ADJECTIVES[match.group()]
    own = _measured(product, stem, evidence)
    others = [entry for rival in rivals - {product} if (entry := _measured(rival, stem, evidence))]
    if own is None or not others:
        return None
    values = [entry.quantities[0].base for entry in others]
    mine = own.quantities[0].base
    holds = mine > max(values) if more else mine < min(values)
    return None if holds else own


def _measured(product: int, stem: str, evidence: Evidence) -> Entry | None:
    """The entry of a product whose label is that property and little else."""
    named = [e for e in evidence.entries.get(product, ()) if stem in e.label and e.quantities]
    return min(named, key=lambda e: (len(e.label), e.start is None), default=None)

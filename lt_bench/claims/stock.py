"""Whether goods are to be had, as a clause says it."""

from __future__ import annotations

from lt_bench.claims.clauses import Clause


def _denied_from_outside(clause: Clause, start: int, end: int) -> bool:
    """Whether a negator reaches `start` that is no part of the wording itself."""
    return any(a <= start < b and not start < b < end for a, b in clause.reaches)


def stock_state(clause: Clause) -> str | None:
    """The availability that a clause asserts: in, out or preorder."""
    for state, pattern in clause.language.availability.items():
        match = pattern.search(clause.text)
        if match:
            flipped = _denied_from_outside(clause, *match.span())
            return {"out": "in", "in": "out"}.get(state, state) if flipped else state
    return None

"""Whether goods are to be had, as a clause says it."""

from __future__ import annotations

from functools import lru_cache

from lt_bench.claims.clauses import Clause
from lt_bench.claims.language import Language


def stock_state(clause: Clause) -> str | None:
    """The availability that a clause asserts: in, out or preorder."""
    return _state(clause.text, clause.reaches, clause.language)


@lru_cache(maxsize=4096)
def _state(text: str, reaches: tuple[tuple[int, int], ...], speaker: Language) -> str | None:
    for state, pattern in speaker.availability.items():
        match = pattern.search(text)
        if match:
            flipped = _denied_from_outside(reaches, *match.span())
            return {"out": "in", "in": "out"}.get(state, state) if flipped else state
    return None


def _denied_from_outside(reaches: tuple[tuple[int, int], ...], start: int, end: int) -> bool:
    """Whether a negator reaches `start` that is no part of the wording itself."""
    return any(a <= start < b and not start < b < end for a, b in reaches)

"""The check of availability: what a clause says is to be had, against the sheets."""

from __future__ import annotations

from typing import Final

from lt_bench.claims.checks import Checks
from lt_bench.claims.clauses import Clause
from lt_bench.claims.entries import Entry
from lt_bench.claims.evidence import SHARED
from lt_bench.claims.scope import Scope
from lt_bench.claims.stock import stock_state
from lt_bench.claims.subjects import slots_named
from lt_bench.claims.variants import availability_of
from lt_bench.claims.views import View

COUNTED: Final = frozenset(["stock", "inventory", "left"])
"""Stems of the names of what counts the pieces that are left."""


def check_stock(clause: Clause, view: View, scope: Scope, checks: Checks) -> None:
    """Whether goods are to be had must be as the sheets say, of the colours and sizes named."""
    state = stock_state(clause)
    if state is None:
        return
    known = scope.evidence.availability
    if not view.products:
        view = scope.evidence.view(frozenset(known))
    states = _states_of_variants(clause, view) or frozenset().union(
        *(known.get(product, frozenset()) for product in (*view.products, SHARED))
    )
    if state in states:
        checks.add("supported", _stock_line(state, clause, view))
    else:
        checks.add("contradicted" if states else "not_in_documents")


def _stock_line(state: str, clause: Clause, view: View) -> Entry | None:
    """The line behind the state of the colours and sizes that the clause names, or of all."""
    named = view.colours_and_sizes & clause.heard
    lines = (
        entry
        for entry in view.entries
        if entry.start is not None and not entry.label.isdisjoint(named or COUNTED)
    )
    return next((e for e in lines if availability_of(" ".join(e.value)) == state), None)


def _states_of_variants(clause: Clause, view: View) -> frozenset[str]:
    """The states of the variants whose colours and sizes the clause names; none where it names none."""
    if not view.variants:
        return frozenset()
    heard = clause.heard - {str(number) for number, _ in slots_named(clause)}
    told = [(len(names & heard), state) for names, state in view.variants]
    most = max(n for n, _ in told)
    return frozenset(state for n, state in told if n == most) if most else frozenset()

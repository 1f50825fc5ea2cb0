"""The check of one clause against the evidence: what in it is documented, and what is not."""

from __future__ import annotations

from lt_bench.claims.amounts import quantity_verdict, quotable
from lt_bench.claims.checks import Checks
from lt_bench.claims.clauses import Clause
from lt_bench.claims.comparisons import wrong_comparison
from lt_bench.claims.entries import Entry
from lt_bench.claims.evidence import SHARED
from lt_bench.claims.model_names import check_names
from lt_bench.claims.offers import check_gifts, check_promises, check_return_postage
from lt_bench.claims.properties import check_properties, check_time_of_day
from lt_bench.claims.quantities import Quantity, same
from lt_bench.claims.repeated import repeated
from lt_bench.claims.scope import Scope
from lt_bench.claims.stock_check import COUNTED, check_stock
from lt_bench.claims.subjects import Subject, slots_counted
from lt_bench.claims.views import View


def check(clause: Clause, subject: Subject, scope: Scope) -> Checks:
    """Verdicts on every quantity, day, availability, promise and property that it asserts."""
    checks = Checks()
    if not clause.asserts:
        return checks
    view = scope.evidence.view((subject.products | subject.beside) or scope.asked)
    called = {start for _, start in slots_counted(clause, scope.evidence)}
    for quantity in clause.quantities:
        if quantity.start not in called and not clause.denied(quantity.start):
            _quantity(quantity, clause, view, scope, checks)
    _days(clause, view, scope, checks)
    check_stock(clause, view, scope, checks)
    _compared(clause, subject, scope, checks)
    _flags(clause, view, checks)
    check_properties(clause, view, scope, checks)
    check_promises(clause, view, scope, checks)
    check_time_of_day(clause, view, checks)
    check_gifts(clause, view, scope, checks)
    check_return_postage(clause, view, checks)
    check_names(clause, scope, checks)
    checks.entries.extend(repeated(clause, view))
    if checks.entries and not any(v == "supported" for v, _ in checks.verdicts):
        checks.add("supported", checks.entries[0])
    return checks


def _quantity(said: Quantity, clause: Clause, view: View, scope: Scope, checks: Checks) -> None:
    if said.unit is None and f"{said.value:g}" in view.colours_and_sizes:
        return  # "blue 42" names a variant
    answers = any(said.value == q.value for q in scope.required)
    if said.unit is None and not answers and (counts := _remaining(said, clause, view)):
        known = [e for e in counts if any(same(said, q) for q in e.quantities)]
        checks.add("supported" if known else "contradicted", (known or counts)[0])
        return
    verdict, entry = quantity_verdict(said, clause, view.products, scope)
    told = entry is not None and verdict == "supported" and bool(entry.about & clause.heard)
    if said.loose and not told and not _counts(said, entry, clause):
        return  # "one", "two": talk more often than data
    checks.add(verdict, entry)
    if verdict == "supported" and entry is None:
        checks.derived.add(said.unit.dimension if said.unit else "")


def _counts(said: Quantity, entry: Entry | None, clause: Clause) -> bool:
    """Whether a small number stands right before the name of a property that counts: "four ports"."""
    after = next((s for s, p in clause.words() if p >= said.end), "")
    plain = entry is not None and len(entry.quantities) == 1 and entry.quantities[0].unit is None
    return plain and entry is not None and after in entry.about - clause.language.common


def _remaining(said: Quantity, clause: Clause, view: View) -> list[Entry]:
    """The entries that count what is left, where that is what a number of the clause does."""
    match = clause.language.availability["in"].search(clause.text)
    if match is None or not match.start() <= said.start < match.end():
        return []
    return [
        entry
        for entry in view.measures.entries
        if entry.about & COUNTED and any(q.unit is None for q in entry.quantities)
    ]


def _days(clause: Clause, view: View, scope: Scope, checks: Checks) -> None:
    for day in clause.dates:
        if clause.denied(day.start):
            continue
        entries = [e for e in view.entries if any(d.agrees(day) for d in e.dates)]
        if entries:
            checks.add("supported", quotable(entries))
        elif not any(d.agrees(day) for d in scope.evidence.dates_said):
            checks.add("not_in_documents")


def _compared(clause: Clause, subject: Subject, scope: Scope, checks: Checks) -> None:
    if len(subject.products) != 1:
        return
    rivals = subject.beside or (
        scope.asked if len(scope.asked) > 1 else frozenset(scope.evidence.entries) - {SHARED}
    )
    wrong = wrong_comparison(
        clause, next(iter(subject.products)), rivals, scope.evidence, scope.labels
    )
    if wrong is not None:
        checks.add("contradicted", wrong)


def _flags(clause: Clause, view: View, checks: Checks) -> None:
    """Documented yes-or-no properties whose name the clause repeats."""
    if len(view.products) > 1:
        return
    for entry, keys in view.flags:
        whole = entry.about <= clause.heard
        named = entry.about if whole else keys & clause.heard
        if not named:
            continue
        denied = _rejects(clause) or any(clause.denied(clause.last(stem)) for stem in named)
        if whole or denied or _grants(clause):
            checks.add("supported" if denied != entry.flag else "contradicted", entry)


def _rejects(clause: Clause) -> bool:
    return clause.language.rejects.search(clause.text) is not None


def _grants(clause: Clause) -> bool:
    """Whether it says that something is there or can be done."""
    speaker = clause.language
    return bool(speaker.approves.search(clause.text) or speaker.having.search(clause.text))

"""What a reply volunteers beyond the answer: documented facts that nobody asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lt_bench.claims.asked_for import STOCKED, answers_it, entry_was_asked, fact_was_asked
from lt_bench.claims.cases import Case
from lt_bench.claims.checks import Checks
from lt_bench.claims.clauses import Clause
from lt_bench.claims.coupons import line_of_the_coupon
from lt_bench.claims.entries import Entry
from lt_bench.claims.evidence import SHARED
from lt_bench.claims.gold_stances import Stances
from lt_bench.claims.ledger import Ledger
from lt_bench.claims.quantities import agrees, same
from lt_bench.claims.stock import stock_state
from lt_bench.claims.subjects import Subject
from lt_bench.claims.targets import Target
from lt_bench.claims.units import CURRENCIES, is_money


def extras_of(case: Case, ledger: Ledger, stances: Stances) -> int:
    """How many documented facts the reply volunteers: facts of gold, or lines of evidence,
    whichever are more."""
    clauses = ledger.reply.clauses
    answering = {clauses[i].sentence for t in case.required for i in ledger.hearing.affirming(t)}
    gold = {
        (t.fact.document, t.fact.path, str(t.fact.value))
        for t in case.helpful
        if stances[t] == "stated" and not fact_was_asked(t, case) and _borne_out(t, ledger)
    }
    first = _answered_at(case, ledger, stances)
    told = {
        item
        for i, checks in enumerate(ledger.checks)
        for item in _told(
            clauses[i],
            _named_so_far(i, ledger),
            checks,
            case,
            after=i > first,
            wrong=any(stances[t] != "stated" for t in case.required),
            within=clauses[i].sentence in answering,
        )
    }
    return max(len(gold), len(told))


def _named_so_far(i: int, ledger: Ledger) -> Subject:
    """The subject of a clause, with the names that its sentence has called it by until there."""
    subject, clauses = ledger.told[i], ledger.reply.clauses
    called = (
        ledger.told[j].named
        for j in range(max(0, i - _NEAR), i + 1)
        if clauses[j].sentence == clauses[i].sentence
    )
    return subject._replace(named=frozenset().union(*called) & (subject.products | subject.named))


_NEAR: Final = 5
"""A name that stands more clauses before is no longer one that a clause calls."""


def _borne_out(target: Target, ledger: Ledger) -> bool:
    """Whether a fact is stated somewhere beside no claim that nothing bears out."""
    said = [*ledger.hearing.affirming(target)]
    return not said or any(ledger.checks[i].worst[0] not in _FALSE for i in said)


_FALSE: Final = frozenset(["contradicted", "not_in_documents"])


def _answered_at(case: Case, ledger: Ledger, stances: Stances) -> int:
    """The clause in which the answer is complete, or a wrong one given; beyond the last where
    neither is."""
    wrong = (i for i, checks in enumerate(ledger.checks) if checks.worst[0] in _FALSE)
    if not case.required:
        silent = (*ledger.abstention.missing, *ledger.abstention.refused)
        return min(silent, default=next(wrong, len(ledger.checks)))
    if any(stances[t] != "stated" for t in case.required):
        return next(wrong, len(ledger.checks))
    affirmed = (min(ledger.hearing.affirming(t), default=0) for t in case.required)
    return max(affirmed)


def _told(
    clause: Clause,
    subject: Subject,
    checks: Checks,
    case: Case,
    *,
    after: bool,
    wrong: bool,
    within: bool,
) -> Iterator[tuple[str, ...]]:
    """What a clause tells that was not asked: lines of evidence, and differences between them.
    `within` its sentence, the terms of a coupon are part of it; `after` the answer, a fact of another product is one too where that is called by name."""
    asked = case.scope.asked | {SHARED}
    if checks.worst[0] in _FALSE:
        return
    for entry in checks.entries:
        own = not case.scope.asked or entry.product in asked
        named = subject.named if case.required and not wrong else subject.products
        counts = own or (after and entry.product in named)
        if (
            counts
            and not _of_a_rival(entry, clause, case)
            and _told_firmly(entry, clause)
            and entry.start is not None
            and not (own and entry_was_asked(entry, clause, case))
            and not (wrong and any(answers_it(entry, clause, t) for t in case.required))
            and not (within and any(line_of_the_coupon(t, entry, clause) for t in case.required))
        ):
            yield (entry.document, *sorted(entry.label or entry.value))
    required = {q.unit.dimension for q in case.scope.required if q.unit}
    bare = {""} if required & CURRENCIES else set()
    if checks.derived - required - bare:
        yield ("", "derived")
    if checks.worst[0] == "supported" and _variants_told(clause, case):
        yield ("", "variant")


def _told_firmly(entry: Entry, clause: Clause) -> bool:
    """Whether a clause tells more of an entry than a plain small number: "twenty" is no 20 % off."""
    said = [q for q in clause.quantities if any(same(q, known) for known in entry.quantities)]
    plain = bool(said) and all(q.unit is None and 0 <= q.value < _TELLING for q in said)
    money = any(is_money(q.unit) and any(agrees(s, q) for s in said) for q in entry.quantities)
    if entry.about & STOCKED and stock_state(clause) is not None:
        return True
    return money or not plain or not entry.about.isdisjoint(clause.heard)


def _of_a_rival(entry: Entry, clause: Clause, case: Case) -> bool:
    """Whether an entry is of another colour than the one asked for, and the clause names none."""
    others = [entry.label & t.rivals for t in case.required if t.rivals]
    return any(others) and not any(other & clause.heard for other in others)


_TELLING: Final = 100
"""A plain number from here on tells what it is of."""


def _variants_told(clause: Clause, case: Case) -> bool:
    """Whether the clause tells of the stock of a colour or size that was not asked about."""
    stocked = [t for t in case.required if t.state is not None and t.rivals]
    if stocked:
        return any(t.rivals & clause.heard for t in stocked)
    names = (names for p in case.scope.asked for names, _ in case.evidence.variants.get(p, ()))
    told = clause.heard - case.question.heard
    return stock_state(clause) is not None and any(n & told for n in names)

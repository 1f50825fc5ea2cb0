"""What a reply gives beyond the answer: whether it speaks to the question, and what it adds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lt_bench.claims.cases import Case
from lt_bench.claims.checks import Checks
from lt_bench.claims.clauses import Clause
from lt_bench.claims.entries import Entry
from lt_bench.claims.evidence import SHARED
from lt_bench.claims.language import FUNCTION
from lt_bench.claims.ledger import Ledger
from lt_bench.claims.quantities import Quantity, agrees, same
from lt_bench.claims.stock import stock_state
from lt_bench.claims.subjects import Subject
from lt_bench.claims.targets import Stance, Target
from lt_bench.claims.units import CURRENCIES, alike, is_money
from lt_bench.claims.variants import availability_of
from lt_bench.records import Fact, FactsGold

MIN_COPY: Final = 80
"""Shorter replies, in characters, copy nothing worth the name."""
COPIED_LINES: Final = 4
"""This many lines of evidence word for word are a copy of the sheet, and no answer."""


def addresses(case: Case, ledger: Ledger, told: list[Stance]) -> bool:
    """Answers, even wrongly; or speaks of the property asked for; or says that it is missing."""
    if any(s != "absent" for s in told):
        return True
    gold = case.example.gold
    if isinstance(gold, FactsGold) and gold.answerability == "none" and ledger.abstention.any:
        return True
    if ledger.opener is not None and case.question.polar:
        return True
    if _picks_a_size(case, ledger) or _tries(ledger):
        return True
    dimensions = {q.unit.dimension for q in case.scope.required if q.unit}
    counted = any(_is_count(t) for t in case.required)
    for clause in ledger.reply.clauses:
        if not clause.asserts:
            continue
        if any(
            (q.unit and q.unit.dimension in dimensions) or (counted and _counts(q))
            for q in clause.quantities
        ):
            return True
        if (case.topic - clause.language.common | case.labels) & clause.heard:
            return True
    return False


def _picks_a_size(case: Case, ledger: Ledger) -> bool:
    asked = any(t.fact.path.startswith("size[") for t in case.required)
    return asked and any(
        c.asserts and c.language.picking & c.heard and c.heard & _SIZES
        for c in ledger.reply.clauses
    )


def _tries(ledger: Ledger) -> bool:
    """Whether the first clause that says anything is a wrong claim about the goods."""
    pairs = zip(ledger.reply.clauses, ledger.checks, strict=True)
    first = next((checks for clause, checks in pairs if _speaks(clause)), None)
    return first is not None and first.worst[0] == "contradicted"


_SIZES: Final = frozenset(["xs", "s", "m", "l", "xl", "xxl", "small", "medium", "large"])


def _speaks(clause: Clause) -> bool:
    """Whether a clause asserts something in words that are not mere talk."""
    return clause.asserts and not clause.heard <= clause.language.common


def _is_count(target: Target) -> bool:
    """Whether a number answers, a plain one too: a price, a rating, a size of shoes."""
    if target.quantity is not None:
        return True
    return any(_counts(q) for wording in target.phrases[:1] for q in wording.quantities)


def _counts(quantity: Quantity) -> bool:
    return quantity.unit is None or quantity.unit.name == "star"


def extras_of(case: Case, ledger: Ledger, stances: dict[Target, Stance]) -> int:
    """How many documented facts the reply volunteers: facts of gold, or lines of evidence,
    whichever are more."""
    clauses = ledger.reply.clauses
    answering = {clauses[i].sentence for t in case.required for i in ledger.hearing.affirming(t)}
    gold = {
        (t.fact.document, t.fact.path, str(t.fact.value))
        for t in case.helpful
        if stances[t] == "stated" and not _is_required(t, case) and _borne_out(t, ledger)
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


def _answered_at(case: Case, ledger: Ledger, stances: dict[Target, Stance]) -> int:
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
            and not (own and _was_asked(entry, clause, case))
            and not (wrong and any(_answers(entry, clause, t) for t in case.required))
            and not (within and any(_one_offer(t, entry, clause) for t in case.required))
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
    if entry.about & _STOCKED and stock_state(clause) is not None:
        return True
    return money or not plain or not entry.about.isdisjoint(clause.heard)


def _of_a_rival(entry: Entry, clause: Clause, case: Case) -> bool:
    """Whether an entry is of another colour than the one asked for, and the clause names none."""
    others = [entry.label & t.rivals for t in case.required if t.rivals]
    return any(others) and not any(other & clause.heard for other in others)


_TELLING: Final = 100
"""A plain number from here on tells what it is of."""


def _is_required(target: Target, case: Case) -> bool:
    """A fact that the answer itself states cannot be its extra."""
    same = any(
        t.product == target.product
        and (
            (
                t.fact.path == target.fact.path
                and (t.fact.path != "text" or t.fact.value == target.fact.value)
            )
            or (t.label and t.label == target.label)
        )
        for t in case.required
    )
    same = same or any(_range_of(target.fact) == _range_of(t.fact) for t in case.required)
    same = same or any(_terms_of_one_coupon(target.fact, t.fact) for t in case.required)
    same = same or any(
        target.state is not None and (t.state, t.product) == (target.state, target.product)
        for t in case.required
    )
    content = frozenset().union(*(p.content for p in target.phrases[:1]))
    numbers = [
        *(p for wording in target.phrases for p in wording.quantities),
        *filter(None, [target.quantity]),
    ]
    echoed = bool(content) and content <= case.question.heard and not numbers
    return same or echoed


def _range_of(fact: Fact) -> tuple[str, str]:
    """The lower and the upper end of a range are one fact."""
    parent = fact.path.removesuffix(".minValue").removesuffix(".maxValue")
    return fact.document, parent if parent != fact.path else f"{fact.path}={fact.value}"


def _variants_told(clause: Clause, case: Case) -> bool:
    """Whether the clause tells of the stock of a colour or size that was not asked about."""
    stocked = [t for t in case.required if t.state is not None and t.rivals]
    if stocked:
        return any(t.rivals & clause.heard for t in stocked)
    names = (names for p in case.scope.asked for names, _ in case.evidence.variants.get(p, ()))
    told = clause.heard - case.question.heard
    return stock_state(clause) is not None and any(n & told for n in names)


def _was_asked(entry: Entry, clause: Clause, case: Case) -> bool:
    """An entry that only tells the asked property, or repeats the question, or names a product."""
    content = frozenset(entry.value) - FUNCTION
    if case.question.bounds & {q.unit.dimension for q in entry.quantities if q.unit}:
        return True  # "under 210 yuan" asked for the price, whatever else it asked for
    if entry.about & case.question.heard and all(t.fact.path == "name" for t in case.required):
        return bool(case.required)  # a wish, and not what was asked beside it
    if _names_product(entry, case) or (
        content <= case.question.heard and not entry.quantities and entry.flag is None
    ):
        return True
    if any(_answers(entry, clause, t) for t in case.required if _kin(t.product, entry.product)):
        return True
    return bool(entry.flag is not None and entry.label <= case.question.heard | FUNCTION)


_STOCKED: Final = frozenset(["stock", "availability"])


def _kin(one: int, other: int) -> bool:
    return SHARED in (one, other) or one == other


def _answers(entry: Entry, clause: Clause, target: Target) -> bool:
    """Whether the clause takes from the entry what was asked; a line may hold more than that."""
    if target.rivals & entry.label:
        return False
    known = entry.label.union(entry.value) - FUNCTION
    taken = [q for q in clause.quantities if any(same(q, number) for number in entry.quantities)]
    dated = any(day.agrees(other) for day in clause.dates for other in entry.dates)
    if target.state and (known & _STOCKED or availability_of(" ".join(entry.value))):
        return not taken
    if dated:
        return target.date is not None
    verdict = _taken_answers(taken, entry, clause, target)
    if verdict is not None:
        return verdict
    return _worded_alike(entry, clause, target, taken=bool(taken))


def _taken_answers(
    taken: list[Quantity], entry: Entry, clause: Clause, target: Target
) -> bool | None:
    """Whether the numbers taken from an entry are what was asked; None where they do not tell."""
    if not taken:
        return None
    number = target.quantity
    if number is None:
        told = [q for wording in target.phrases for q in wording.quantities]
        if all(any(agrees(q, known) for known in told) for q in taken):
            return True
        unheard = all(p.content.isdisjoint(clause.heard) for p in target.phrases)
        return False if unheard else None
    if not any(_alike(q, number) for q in taken):
        return False
    unnamed = entry.about.isdisjoint(clause.heard)
    repeats = unnamed and all(agrees(q, number) for q in taken)
    return True if repeats or _another_share(taken, number, entry, clause) else None


def _worded_alike(entry: Entry, clause: Clause, target: Target, *, taken: bool) -> bool:
    """Whether an entry is of the property asked for, by its name, its value or its words."""
    known = entry.label.union(entry.value) - FUNCTION
    within = bool(target.label) and target.label <= frozenset(entry.value)
    if target.label & entry.label or (within and (taken or not entry.about)):
        return True
    if target.date and any(day.agrees(target.date) for day in entry.dates):
        return not taken
    number = target.quantity
    if number and any(q.base == number.base for q in entry.quantities):
        return True
    return any(
        p.content and p.content <= known and not p.content.isdisjoint(clause.heard)
        for p in target.phrases
    )


def _another_share(taken: list[Quantity], asked: Quantity, entry: Entry, clause: Clause) -> bool:
    """Whether a percentage only tries to answer: "a fifth" of sugar is no 20 % off."""
    share = asked.unit is not None and asked.unit.name == "%"
    named = "off" in clause.heard or not entry.about.isdisjoint(clause.heard)
    return share and not named and all(q.unit == asked.unit for q in taken)


_OFFER: Final = re.compile(r"(.*priceSpecification\[\w+\])\.(?:name|discount|price)$")


def _terms_of_one_coupon(one: Fact, other: Fact) -> bool:
    """The code and the rate belong to the price after the discount, where that was asked for."""
    first, second = _OFFER.match(one.path), _OFFER.match(other.path)
    asked = other.path.endswith(".price") and not one.path.endswith(".price")
    same = bool(first and second and first[1] == second[1] and one.document == other.document)
    return asked and same


def _one_offer(target: Target, entry: Entry, clause: Clause) -> bool:
    """Whether an entry is the coupon asked for: its name, its rate and what is left to pay are one
    answer; how long it holds is more."""
    dated = any(day.agrees(other) for day in clause.dates for other in entry.dates)
    if dated or not _OFFER.match(target.fact.path) or len(entry.quantities) < 2:
        return False
    if target.quantity is not None:
        return any(agrees(q, target.quantity) for q in entry.quantities)
    name = frozenset().union(*(p.content for p in target.phrases[:1]))
    return name <= entry.label.union(entry.value)


def _alike(one: Quantity, other: Quantity) -> bool:
    return one.unit is None or other.unit is None or alike(one.unit, other.unit)


def _names_product(entry: Entry, case: Case) -> bool:
    """A line such as "No. 4: Halden Glow"."""
    words = {s for s in entry.content | entry.about if not s.isdigit()} - {"no"}
    return bool(words) and words <= case.names


def copied(case: Case, ledger: Ledger) -> bool:
    """Whether lines of the evidence stand in the reply word for word."""
    folded = " ".join(ledger.reply.folded.split())
    if len(folded) < MIN_COPY:
        return False
    return sum(line in folded for line in case.evidence.lines) >= COPIED_LINES

"""Whether a reply speaks to the question, rightly or wrongly."""

from __future__ import annotations

from typing import Final

from lt_bench.claims.cases import Case
from lt_bench.claims.clauses import Clause
from lt_bench.claims.ledger import Ledger
from lt_bench.claims.quantities import Quantity
from lt_bench.claims.targets import Stance, Target
from lt_bench.records import FactsGold


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

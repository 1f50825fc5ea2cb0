"""The ledger beside gold: what is forbidden, and what is said of things that nobody knows."""

from __future__ import annotations

from typing import Final

from lt_bench.claims.cases import Case
from lt_bench.claims.gold_stances import affirmed
from lt_bench.claims.ledger import Ledger
from lt_bench.claims.properties import takes_up
from lt_bench.records import Claim, FactsGold


def with_inventions(case: Case, ledger: Ledger, gold: FactsGold) -> tuple[Claim, ...]:
    """The claims; where the evidence holds no answer, whatever is said of the asked thing is
    an invention."""
    wrong = {i for t in case.forbidden for i in affirmed(t, case, ledger)}
    claims = tuple(
        Claim(text=claim.text, verdict="contradicted") if i in wrong else claim
        for i, claim in enumerate(ledger.claims(case.evidence))
    )
    if gold.answerability != "none":
        return claims
    clauses = ledger.reply.clauses
    silent = {c.sentence for c in clauses if c.kind == "abstention"}
    asked = case.scope.asked
    others = [
        bool(asked and s.products) and s.products.isdisjoint(asked) and c.verdict == "supported"
        for s, c in zip(ledger.told, claims, strict=True)
    ]
    return tuple(
        Claim(text=claim.text, verdict="not_in_documents")
        if claim.verdict in ("supported", "not_a_claim")
        and not other
        and clause.asserts
        and (clause.sentence not in silent or clause.language.turn.match(clause.text))
        and not clause.language.topical.match(clause.text)
        and not takes_up(clause, case.evidence)
        and case.unknown & set(clause.stems)
        and (answer is None or len(clause.stems) > _BARE)
        else claim
        for clause, claim, answer, other in zip(
            clauses, claims, ledger.answers, others, strict=True
        )
    )


_BARE: Final = 3
"""A clause of so few words that says yes or no says hardly more."""

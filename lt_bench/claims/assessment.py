"""The judgement on one reply: correct, helpful, refused without need, and what is unsupported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lt_bench.claims.abstention import changes_subject
from lt_bench.claims.addressing import addresses
from lt_bench.claims.cases import Case
from lt_bench.claims.copying import copied
from lt_bench.claims.extras import extras_of
from lt_bench.claims.faults import UNSUPPORTED, faults, opened_by_abstention
from lt_bench.claims.gold_stances import stances_of
from lt_bench.claims.inventions import with_inventions
from lt_bench.claims.labels import label_of
from lt_bench.claims.ledger import Ledger, examine
from lt_bench.judge.derivation import LedgerLabel
from lt_bench.records import Claim, FactsGold

MAX_EXTRAS: Final = 6
"""More volunteered facts than these are a recital, which helps nobody who listens."""


@dataclass(frozen=True)
class Assessment:
    """`why` names, in order of weight, what keeps the reply from being correct; empty if it is.
    `label` is `abstained` for a reply that makes no claim about goods, whatever gold makes of that.
    `extras` counts the documented facts it volunteers; `answerable`: a refusal would be needless."""

    answerable: bool
    correct: bool
    label: LedgerLabel
    helpful: bool
    refused: bool
    unsupported: int
    extras: int
    why: tuple[str, ...]
    claims: tuple[Claim, ...]


def assess(case: Case, text: str) -> Assessment:
    """The judgement on a reply to an example with gold facts."""
    gold = case.example.gold
    assert isinstance(gold, FactsGold)
    ledger = examine(case, text)
    stances = stances_of(case, ledger)
    claims = with_inventions(case, ledger, gold)
    unsupported = sum(c.verdict in ("contradicted", "not_in_documents") for c in claims)
    copy = copied(case, ledger)
    why = faults(case, ledger, gold, stances, unsupported, copy=copy)
    told = [stances[target] for target in case.required]
    spoken = set(told) - {"absent"}
    answerable = gold.answerability != "none" and bool(told)
    needless = answerable and ledger.abstention.any and not spoken
    extras = extras_of(case, ledger, stances)
    heard = [*told, *(stances[target] for target in case.forbidden)]
    return Assessment(
        answerable=answerable,
        correct=not why,
        label=label_of(
            claims,
            tuple(fault for fault in why if fault != UNSUPPORTED),
            silent=not spoken and keeps_silent(case, ledger),
        ),
        helpful=not needless
        and 1 <= extras <= MAX_EXTRAS
        and not copy
        and addresses(case, ledger, heard),
        refused=needless,
        unsupported=unsupported,
        extras=extras,
        why=why,
        claims=claims,
    )


def keeps_silent(case: Case, ledger: Ledger) -> bool:
    """Whether a reply says neither yes nor no, and abstains or speaks of something else."""
    clauses = ledger.reply.clauses
    answered = ledger.torn or (ledger.opener is not None and not opened_by_abstention(ledger))
    if answered or not clauses:
        return False
    return ledger.abstention.any or changes_subject(clauses, case.topic | case.names)

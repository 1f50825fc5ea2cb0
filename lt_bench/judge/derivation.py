"""From the claims of a reply to one label, by rule, so that nobody decides it at random.

One bad claim spoils a reply, however much around it is right: a viewer cannot tell the parts
apart. A reply in which nothing is supported and nothing wrong ("sorry, I see no such model")
makes no statement to check. It is neither right nor wrong by its claims, has a class of its own,
and is no division by zero; whether silence was due is the question of another judge. What is
supported throughout but speaks of something else is incorrect, because it does not answer.

The rule looks at claims alone, so it holds for ledgers that a model kept and for those that rules
made from gold facts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from lt_bench.records import Claim

LedgerLabel = Literal["correct", "incorrect", "abstained"]


def label_of(claims: Iterable[Claim], answers: bool) -> LedgerLabel:
    """What a ledger comes to; `answers`: the reply speaks to the question."""
    verdicts = {claim.verdict for claim in claims}
    if verdicts & {"contradicted", "not_in_documents"}:
        return "incorrect"
    if "supported" not in verdicts:
        return "abstained"
    return "correct" if answers else "incorrect"

"""The label of a reply: what its ledger comes to, beside what gold asked of it."""

from __future__ import annotations

from lt_bench.judge import derivation
from lt_bench.judge.derivation import LedgerLabel
from lt_bench.records import Claim


def label_of(claims: tuple[Claim, ...], breaches: tuple[str, ...], *, silent: bool) -> LedgerLabel:
    """The class of a reply to an example with gold facts.

    One claim that the evidence contradicts or does not hold spoils a reply. Where all that it
    claims is supported it is correct, unless it breaches what gold asked of it: a required fact
    left out, a forbidden one affirmed, missing evidence not said to be missing.

    A ledger without claims is an abstention if the reply is `silent` about the goods. Otherwise it
    answered in words that no line of a document bears out by itself ("yes"), and gold decides.
    """
    found = derivation.label_of(claims, answers=not breaches)
    if found != "abstained" or silent:
        return found
    return "incorrect" if breaches else "correct"

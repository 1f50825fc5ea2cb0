"""Replies that recite the sheet."""

from __future__ import annotations

from typing import Final

from lt_bench.claims.cases import Case
from lt_bench.claims.ledger import Ledger

MIN_COPY: Final = 80
"""Shorter replies, in characters, copy nothing worth the name."""
COPIED_LINES: Final = 4
"""This many lines of evidence word for word are a copy of the sheet, and no answer."""


def copied(case: Case, ledger: Ledger) -> bool:
    """Whether lines of the evidence stand in the reply word for word."""
    folded = " ".join(ledger.reply.folded.split())
    if len(folded) < MIN_COPY:
        return False
    return sum(line in folded for line in case.evidence.lines) >= COPIED_LINES

"""The check of slots and model names: those that stand nowhere are invented."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.checks import Checks
from lt_bench.claims.clauses import Clause
from lt_bench.claims.scope import Scope
from lt_bench.claims.subjects import slots_named

_MODEL: Final = re.compile(
    r"(?<![a-z0-9$€£.])(?:[a-z]{1,8}-?\d{1,5}[a-z]{0,3}|\d{1,4}[a-z]{1,2}\d{0,4})(?![a-z0-9%])"
)


def check_names(clause: Clause, scope: Scope, checks: Checks) -> None:
    """Slots that nothing stands in, and tokens of letters and digits that no document, no line
    of history and no question holds."""
    slots = {names.slot for names in scope.evidence.names} - {None}
    for slot, _ in slots_named(clause) if slots else ():
        if slot not in slots and str(slot) not in scope.evidence.heard:
            checks.add("not_in_documents")
    spans = [(q.start, q.end) for q in clause.quantities]
    for match in _MODEL.finditer(clause.text):
        inside = any(a < match.end() and match.start() < b for a, b in spans)
        ordinal = re.fullmatch(r"\d+(?:st|nd|rd|th|x|pm|am|s|号)|no\d+", match.group())
        if inside or ordinal or match.group() in scope.evidence.everything:
            continue
        if match.group().replace("-", "") not in scope.evidence.everything.replace("-", ""):
            checks.add("not_in_documents")

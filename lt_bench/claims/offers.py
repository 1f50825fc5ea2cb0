"""The check of what a shop offers: promises, gifts, and who pays for a return."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.amounts import quotable
from lt_bench.claims.checks import Checks
from lt_bench.claims.clauses import Clause
from lt_bench.claims.language import stem_set
from lt_bench.claims.scope import Scope
from lt_bench.claims.views import View


def check_promises(clause: Clause, view: View, scope: Scope, checks: Checks) -> None:
    """Promises need evidence whatever their words."""
    for match in clause.language.promises.finditer(clause.text):
        if not clause.denied(match.start()):
            _promise(match, clause, view, scope, checks)


def check_gifts(clause: Clause, view: View, scope: Scope, checks: Checks) -> None:
    """What is given away must be something that the evidence gives away."""
    giving = clause.language.giving.search(clause.text)
    if giving and not clause.denied(giving.start()):
        _gift(giving, clause, view, scope, checks)


_PROMISE_KIN: Final = (
    frozenset(["discount", "coupon", "off", "sale", "promo", "promotion", "code"]),
    frozenset(["customiz", "customis", "custom"]),
    frozenset(["refund", "return", "money"]),
    frozenset(["gift", "free"]),
)


def _promise(
    match: re.Match[str], clause: Clause, view: View, scope: Scope, checks: Checks
) -> None:
    stems = {s for s, p in clause.words() if match.start() <= p < match.end()}
    if not stems:
        return
    for entry in view.entries:
        known = entry.label.union(entry.value)
        if all(s in known or any(s in kin and kin & known for kin in _PROMISE_KIN) for s in stems):
            checks.verdicts.append(("supported", entry))
            return
    if not stems <= scope.granted | scope.evidence.history:
        checks.add("not_in_documents")


def _gift(match: re.Match[str], clause: Clause, view: View, scope: Scope, checks: Checks) -> None:
    said = {s for s, p in clause.words() if not match.start() <= p < match.end()}
    given = {s for s in said if not s.isdigit()} - clause.language.common - scope.evidence.called
    if _CODE_BEHIND.match(clause.text, match.end()) or (
        given and all(s in _CODES or _is_code(s, scope) for s in given)
    ):
        return  # "pop in VIP10" enters a code and gives nothing
    free = [e for e in view.entries if FREE & (e.label | set(e.value))]
    known = [e for e in free if said & (e.content | e.about - FREE)]
    if known:
        checks.add("supported", quotable(known))
    elif given:
        checks.add("not_in_documents")


FREE: Final = frozenset(["free", "gift"])
_CODES: Final = stem_set("code coupon voucher promo checkout basket discount till")


_CODE_BEHIND: Final = re.compile(
    r"\s*(?:the |that |your |this )?(?:code|coupon|voucher|promo|[a-z]{2,8}\d{1,3}\b)"
)


def _is_code(stem: str, scope: Scope) -> bool:
    return any(c.isdigit() for c in stem) and stem in scope.evidence.everything


_RETURNS: Final = frozenset(["return", "free"])


def check_return_postage(clause: Clause, view: View, checks: Checks) -> None:
    """Returns called free where the evidence lets the buyer pay for them."""
    if not clause.heard >= _RETURNS or clause.heard & {"buyer", "gift"}:
        return
    if clause.denied(clause.last("free")):
        return
    told = [e for e in view.entries if "return" in (e.about | frozenset(e.value))]
    paid = [e for e in told if "buyer" in e.value]
    if paid and not any(FREE & frozenset(e.value) for e in told):
        checks.add("contradicted", quotable(paid))

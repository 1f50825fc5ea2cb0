"""The check of what a clause says of goods in words: properties that need evidence."""

from __future__ import annotations

from dataclasses import dataclass

from lt_bench.claims.checks import Checks
from lt_bench.claims.clauses import Clause
from lt_bench.claims.evidence import Evidence
from lt_bench.claims.scope import Scope
from lt_bench.claims.views import View


def check_properties(clause: Clause, view: View, scope: Scope, checks: Checks) -> None:
    """Words that need evidence: properties, and what follows "comes with"."""
    measured = any(verdict == "supported" for verdict, _ in checks.verdicts)
    documented = _Documented(view.vocabulary, scope.granted)
    elsewhere = scope.evidence.view(frozenset()).vocabulary
    for stem in dict.fromkeys(_asserted_words(clause, view, scope, documented, measured=measured)):
        if stem not in documented:
            checks.add("contradicted" if stem in elsewhere else "not_in_documents")


@dataclass(frozen=True)
class _Documented:
    """Stems that may be said: those of the evidence and those of gold."""

    told: frozenset[str]
    granted: frozenset[str]

    def __contains__(self, stem: str) -> bool:
        return stem in self.told or stem in self.granted


def check_time_of_day(clause: Clause, view: View, checks: Checks) -> None:
    """When something is to be used, where the evidence of the product says when."""
    known = view.times_of_day
    match = clause.language.daily.search(clause.text) if known else None
    if match is None or clause.denied(match.start()):
        return
    part = (match.lastgroup or "").rstrip("s")
    wanted = ("morn", "even") if part == "both" else (part[:4],)
    fitting = [e for e in known if all(any(s[:4] == w for s in e.content) for w in wanted)]
    checks.add("supported" if fitting else "contradicted", (fitting or known)[0])


def _asserted_words(
    clause: Clause,
    view: View,
    scope: Scope,
    documented: _Documented,
    *,
    measured: bool,
) -> list[str]:
    if takes_up(clause, scope.evidence):
        return []
    speaker = clause.language
    found: list[str] = []
    for stem, place in clause.words():
        needs = stem in speaker.checkable or (stem in view.foreign and stem not in speaker.common)
        if needs and not clause.denied(place):
            found.append(stem)
    for match in speaker.suffixed.finditer(clause.text):
        word = next(filter(None, match.groups()))
        if word not in speaker.common and not clause.denied(match.start()):
            found += [s for s, p in clause.words() if p == match.start()]
    for match in speaker.feature.finditer(clause.text):
        if not clause.denied(match.start()) and not clause.denied(match.end()):
            found += _unknown_after(match.end(), clause, documented, measured)
    return found


def takes_up(clause: Clause, evidence: Evidence) -> bool:
    """Whether a clause only names what was asked about, as "a glass floor" does."""
    named = clause.language.taken_up.search(clause.text)
    return named is not None and all(s in evidence.question for s in clause.stems[1:])


def _unknown_after(
    start: int, clause: Clause, documented: _Documented, measured: bool
) -> list[str]:
    """The content words that a feature pattern introduces; none where they only name a
    documented number ("it has 10 % of the active ingredient")."""
    stop = clause.language.window.search(clause.text, start + 1)
    end = stop.start() if stop else len(clause.text)
    if measured and any(start <= q.start < end for q in clause.quantities):
        return []
    inside = [(s, p) for s, p in clause.words() if start <= p < end]
    return [
        s
        for i, (s, p) in enumerate(inside[:7])
        if s.isalpha()
        and len(s) > 2 - (s >= "\u3400")
        and s not in clause.language.common
        and not _shared(p, inside[max(0, i - 1) : i + 2], documented)
    ]


def _shared(place: int, near: list[tuple[str, int]], documented: _Documented) -> bool:
    """Whether a pair of Chinese characters overlaps one that is documented: they are pieces of
    one word, which the sheet may write with another ending."""
    return any(
        s in documented and s >= "\u3400" and len(s) == 2 and abs(p - place) == 1 for s, p in near
    )

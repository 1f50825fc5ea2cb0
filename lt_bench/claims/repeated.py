"""Which lines of the evidence a clause repeats in its own words."""

from __future__ import annotations

from math import ceil

from lt_bench.claims.amounts import about
from lt_bench.claims.clauses import Clause
from lt_bench.claims.entries import Entry
from lt_bench.claims.offers import FREE
from lt_bench.claims.quantities import same
from lt_bench.claims.views import View


def repeated(clause: Clause, view: View) -> list[Entry]:
    """Entries in words, most of whose content the clause states."""
    heard = dict(zip(clause.stems, clause.places, strict=True))
    found: list[Entry] = []
    for entry in view.sharing(clause.heard):
        content = entry.content
        said = content & heard.keys()
        if clause.denied(min(heard[s] for s in said)):
            continue
        if _enough(entry, content, said, heard, clause):
            found.append(entry)
    return found


def _terms_told(
    entry: Entry, content: frozenset[str], said: frozenset[str], clause: Clause
) -> bool:
    """Whether the words of an entry are told without its numbers: "return postage is on us"."""
    if content & FREE:
        return bool(FREE & said and entry.about & clause.heard)
    terms = {s for s in content - clause.language.common if not s.isdigit()} - entry.label
    return bool(entry.label) and terms <= said and len(terms) > 1


def _enough(
    entry: Entry,
    content: frozenset[str],
    said: frozenset[str],
    heard: dict[str, int],
    clause: Clause,
) -> bool:
    if entry.quantities:
        told = all(any(same(q, known) for q in clause.quantities) for known in entry.quantities)
        return (told and about(entry, set(heard))) or _terms_told(entry, content, said, clause)
    if content & FREE and entry.label:
        rest = content - FREE - clause.language.common
        return bool(rest) and rest <= said
    if len(content) <= 2:
        telling = bool(entry.label & heard.keys()) or not said <= clause.language.common
        return said == content and bool(entry.label) and telling
    return len(said) >= max(2, ceil(0.6 * len(content)))

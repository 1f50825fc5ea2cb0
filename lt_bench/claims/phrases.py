"""Wordings of a fact, and whether a clause says, denies or does not touch one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Final

from lt_bench.claims.clauses import Clause
from lt_bench.claims.dates import Date, scan_dates
from lt_bench.claims.language import FUNCTION
from lt_bench.claims.languages import language_of
from lt_bench.claims.numbers import Quantity, agrees, scan
from lt_bench.claims.wording import fold, stems


@dataclass(frozen=True)
class Phrase:
    """One wording. `negated`: it says that something is not so ("not waterproof"); `content` is
    what remains without negators and function words; `exact` matches the words as they are;
    `literal`: nothing else will do ("A++", "size S")."""

    text: str
    content: frozenset[str]
    negated: bool
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]
    exact: re.Pattern[str]
    literal: bool


_LITERAL: Final = re.compile(r"[+#/]|(?<![a-z0-9'])[b-hj-z](?![a-z0-9'])|[一二三四五]级")


@lru_cache(maxsize=8192)
def phrase(text: str) -> Phrase:
    """The phrase of a wording."""
    folded = " ".join(fold(text).split()).strip(" .!?")
    speaker = language_of(folded)
    negators = [m.span() for m in speaker.negator.finditer(folded) if not m["idiom"]]
    bare = folded
    for a, b in negators:
        bare = bare[:a] + " " * (b - a) + bare[b:]
    quantities, dates = tuple(scan(bare)), tuple(scan_dates(bare))
    spans = [*((q.start, q.end) for q in quantities), *((d.start, d.end) for d in dates)]
    for a, b in spans:
        bare = bare[:a] + " " * (b - a) + bare[b:]
    content = frozenset(stems(bare)) - FUNCTION
    edge = r"(?<![a-z0-9'.])" if folded[:1].isascii() and folded[:1].isalnum() else ""
    tail = r"(?![a-z0-9+'])(?!\.\d)" if folded[-1:].isascii() and folded[-1:] else ""
    literal = _LITERAL.search(folded) is not None and not quantities
    return Phrase(
        folded,
        content,
        bool(negators),
        quantities,
        dates,
        re.compile(edge + re.escape(folded) + tail),
        literal,
    )


def says(clause: Clause, wanted: Phrase, *, following: Clause | None = None) -> bool | None:
    """True: the clause says it. False: it says the contrary. None: neither.

    A wording counts when it stands there as it is, or when most of its content words do (all of
    up to three) and every number in it has one that agrees. `following` is the next clause of
    the sentence, which may finish the wording.
    """
    if not wanted.text:
        return None
    if wanted.text in clause.text and (match := wanted.exact.search(clause.text)):
        return wanted.negated or not clause.denied(match.start())
    if wanted.literal or (wanted.content and wanted.content.isdisjoint(clause.heard)):
        return None
    places = _places(clause, wanted, frozenset())
    if places:
        return any(map(clause.denied, places)) == wanted.negated
    if following is None or following.reaches:
        return None
    places = _places(clause, wanted, frozenset(following.stems))
    agreed = places and any(map(clause.denied, places)) == wanted.negated
    return True if agreed else None


def _places(clause: Clause, wanted: Phrase, further: frozenset[str]) -> list[int]:
    """Where the pieces of the wording stand in the clause, none where it is not there; `further`
    stems may complete it."""
    places: list[int] = []
    for quantity in wanted.quantities:
        agreeing = [
            q.start
            for q in clause.quantities
            if agrees(q, quantity) and (q.unit or not quantity.unit)
        ]
        if not agreeing:
            return []
        places.append(agreeing[0])
    if wanted.dates:
        told = clause.dates
        if not all(any(date.agrees(day) for day in told) for date in wanted.dates):
            return []
        places.append(told[0].start)
    if wanted.content:
        here = [p for s, p in zip(clause.stems, clause.places, strict=True) if s in wanted.content]
        if not here or len(wanted.content & further.union(clause.stems)) < _enough(wanted):
            return []
        places += here
    return places


def _enough(wanted: Phrase) -> int:
    n = len(wanted.content)
    if wanted.quantities or wanted.dates:
        return ceil(0.5 * n)
    return n if n <= 3 else ceil(0.7 * n)

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
    `literal`: nothing else will do ("A++", "size S"); `coded`: it is spelled out when spoken."""

    text: str
    content: frozenset[str]
    negated: bool
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]
    exact: str
    literal: bool
    coded: bool


_LITERAL: Final = re.compile(r"[+#/]|(?<![a-z0-9'])[b-hj-z](?![a-z0-9'])|[一二三四五]级")


_CODE: Final = re.compile(r"^[a-z]\+{1,3}$|^\d[a-z]$|^ipx?\d{1,2}$|^usb-c$")
"""Codes of letters, digits and plus signs: "A+", "4D", "IPX7"."""
_DIGIT_WORDS: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
]


def _as_spoken(escaped: str) -> str:
    """A pattern of a code that is also met when it is spoken: "a plus", "four-D", "ip x seven"."""
    digits = re.sub(
        r"\d", lambda m: rf"[ -]?(?:{m.group()}|{_DIGIT_WORDS[int(m.group())]})[ -]?", escaped
    )
    return re.sub(r"(?:\\\+)+", lambda m: _spoken_plus(len(m.group()) // 2), digits)


def _spoken_plus(count: int) -> str:
    names = {2: "double", 3: "triple"}
    several = rf"| {names[count]}[ -]plus" if count in names else ""
    return rf"(?:(?: ?\+| plus){{{count}}}{several})(?! ?plus)"


@lru_cache(maxsize=8192)
def _pattern(exact: str) -> re.Pattern[str]:
    """Compiled when it is first needed, which for most wordings is never."""
    return re.compile(exact)


_AS_WELL: Final = re.compile(r"\bas well\b(?! as)")
"""Adds nothing to a wording: who says that it mops says that it mops as well."""


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
    content = frozenset(stems(_AS_WELL.sub(" ", bare))) - FUNCTION
    edge = r"(?<![a-z0-9'.])" if folded[:1].isascii() and folded[:1].isalnum() else ""
    tail = r"(?![a-z0-9+'])(?!\.\d)" if folded[-1:].isascii() and folded[-1:] else ""
    exact = _as_spoken(re.escape(folded)) if _CODE.search(folded) else re.escape(folded)
    literal = _LITERAL.search(folded) is not None and not quantities
    return Phrase(
        folded,
        content,
        bool(negators),
        quantities,
        dates,
        edge + exact + tail,
        literal,
        _CODE.search(folded) is not None,
    )


def says(clause: Clause, wanted: Phrase, *, beside: tuple[Clause, ...] = ()) -> bool | None:
    """True: the clause says it. False: it says the contrary. None: neither.

    A wording counts when it stands there as it is, or when most of its content words do (all of
    up to three) and every number in it has one that agrees. `beside` are the clauses next to
    it in the sentence, one of which may complete the wording.
    """
    if not wanted.text:
        return None
    match = (
        _pattern(wanted.exact).search(clause.text)
        if wanted.coded or wanted.text in clause.text
        else None
    )
    if match:
        return wanted.negated or not clause.denied(match.start())
    if wanted.literal or (wanted.content and wanted.content.isdisjoint(clause.heard)):
        return None
    places = _places(clause, wanted, frozenset())
    if places:
        return any(map(clause.denied, places)) == wanted.negated
    for other in beside:
        places = [] if other.reaches else _places(clause, wanted, other.heard)
        if places and any(map(clause.denied, places)) == wanted.negated:
            return True
    return None


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

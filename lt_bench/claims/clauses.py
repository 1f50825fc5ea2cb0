"""Clauses of a reply: the pieces that assert one thing, and what kind of speech each is."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise, zip_longest
from typing import Final, Literal

from lt_bench.claims.dates import Date, scan_dates
from lt_bench.claims.language import Language
from lt_bench.claims.languages import language_of
from lt_bench.claims.numbers import Quantity, scan
from lt_bench.claims.sentences import joints, sentences, speaker_of
from lt_bench.claims.wording import fold, words

Kind = Literal["statement", "wish", "question", "abstention", "refusal"]
MAX_CHARS: Final = 12_000
"""A reply is read up to here; nobody speaks for longer than that in a live room."""
MAX_CLAUSE: Final = 300
"""A clause is cut at this length, which keeps the time linear in the length of the reply."""


@dataclass(frozen=True, slots=True)
class Clause:
    """`text` is folded and stands at `start` of the reply. `stems[i]` is the word from `places[i]`
    to `ends[i]` of the text, and `heard` holds them all; the first `spoken` of them are there as
    words, the others are what sayings mean; quantities have places in the text too. `reaches` are
    the spans that a negating word denies."""

    text: str
    start: int
    sentence: int
    kind: Kind
    stems: tuple[str, ...]
    places: tuple[int, ...]
    ends: tuple[int, ...]
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]
    reaches: tuple[tuple[int, int], ...]
    language: Language
    heard: frozenset[str]
    spoken: int

    @property
    def end(self) -> int:
        """Where it ends in the reply."""
        return self.start + len(self.text)

    @property
    def asserts(self) -> bool:
        """Whether it says something about the world."""
        return self.kind == "statement"

    def denied(self, place: int) -> bool:
        """Whether a negator reaches what stands at `place`."""
        return any(start <= place < end for start, end in self.reaches)


@dataclass(frozen=True)
class Reply:
    """A reply as it was written, the spans of it that were `kept` when white space was closed up,
    its folded text, and its clauses in order."""

    raw: str
    kept: tuple[tuple[int, int], ...]
    folded: str
    clauses: tuple[Clause, ...]
    cut: bool

    def written(self, clause: Clause) -> str:
        """The words of the clause as they were written: an exact piece of the reply."""
        start, end = self._place(clause.start), self._place(clause.end - 1) + 1
        return self.raw[start:end].strip(" \t\r\n,.;:!?")

    def _place(self, folded: int) -> int:
        """Where a character of the folded text stands in the reply."""
        run = bisect_right(self._starts, folded) - 1
        return self.kept[run][0] + folded - self._starts[run]

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        """Where each run that was kept begins in the folded text."""
        return tuple(accumulate((b - a for a, b in self.kept[:-1]), initial=0))


_RUN: Final = re.compile(r"[^ ]+ ?")


def read(text: str) -> Reply:
    """The clauses of a reply. Case and repeated white space change nothing; nothing is raised."""
    folded = fold(text[:MAX_CHARS])
    kept = tuple(run.span() for run in _RUN.finditer(folded))
    folded = "".join(folded[a:b] for a, b in kept)
    speaker = language_of(folded)
    clauses: list[Clause] = []
    for number, (start, end, asked) in enumerate(sentences(folded, speaker)):
        spoken = speaker_of(folded[start:end], speaker)
        clauses.extend(_topics(_clauses(folded, start, end, number, asked, spoken)))
    return Reply(text, kept, folded, tuple(clauses), len(text) > MAX_CHARS)


_TOPIC_WORDS: Final = 4


def _topics(clauses: list[Clause]) -> list[Clause]:
    """The clauses of a sentence, where a few words before a bare "no" are what it denies: "red, no"."""
    return [
        replace(clause, kind="question")
        if clause.asserts and len(clause.stems) <= _TOPIC_WORDS and _bare_no(after)
        else clause
        for clause, after in zip_longest(clauses, clauses[1:])
    ]


def _bare_no(clause: Clause | None) -> bool:
    return clause is not None and clause.language.denying.search(clause.text) is not None


def _clauses(
    folded: str, start: int, end: int, number: int, asked: bool, speaker: Language
) -> list[Clause]:
    sentence = folded[start:end]
    cuts = _cuts(sentence, speaker)
    asking = speaker.question.search(sentence) is not None
    if asking and not asked and speaker.missing.search(sentence[: cuts[1]]):
        asking = False  # "how long it lasts isn't given" asks nothing

    def _asking(a: int, b: int) -> bool:
        if a and speaker.instanced.match(sentence[a:b]):
            return False
        return asking or (asked and b == len(sentence))

    return [
        clause_of(sentence[a:b], start + a, number, asked=_asking(a, b), speaker=speaker)
        for a, b in pairwise(cuts)
        if sentence[a:b].strip(" ,.;:-()，、~")
    ]


def _cuts(sentence: str, speaker: Language) -> list[int]:
    """Where the clauses of a sentence begin and end; no clause is longer than `MAX_CLAUSE`."""
    cuts = joints(sentence, speaker)
    long = [(a, b) for a, b in pairwise(cuts) if b - a > MAX_CLAUSE]
    return sorted({*cuts, *(cut for a, b in long for cut in range(a, b, MAX_CLAUSE))})


def clause_of(text: str, start: int, sentence: int, *, asked: bool, speaker: Language) -> Clause:
    """The clause that a piece of folded text is, at `start` of the reply."""
    read = _read(text, asked, speaker)
    return Clause(
        text,
        start,
        sentence,
        read.kind,
        read.stems,
        read.places,
        read.ends,
        read.quantities,
        read.dates,
        read.reaches,
        speaker,
        read.heard,
        read.spoken,
    )


@lru_cache(maxsize=16384)
def _read(text: str, asked: bool, speaker: Language) -> Clause:
    """The clause as it is anywhere: replies to one question share many."""
    found = words(text)
    spoken = len(found)
    for match in speaker.saying.finditer(text):
        found += tuple((stem, *match.span()) for stem in speaker.meanings[match.lastgroup or ""])
    here = tuple(word for word, _, _ in found)
    return Clause(
        text=text,
        start=0,
        sentence=0,
        kind=_kind(text, asked, speaker),
        stems=here,
        places=tuple(place for _, place, _ in found),
        ends=tuple(end for _, _, end in found),
        quantities=tuple(scan(text)),
        dates=tuple(scan_dates(text)),
        reaches=tuple(_reaches(text, speaker)),
        language=speaker,
        heard=frozenset(here),
        spoken=spoken,
    )


def _reaches(text: str, speaker: Language) -> Iterator[tuple[int, int]]:
    """What each negating word denies: all behind its first letter up to the end of its scope (可 in
    不可拆 is denied); and all before it where it stands at the end of the clause."""
    idioms: list[tuple[int, int]] = []
    for match in speaker.negator.finditer(text):
        if match["idiom"]:
            idioms.append(match.span())
            continue
        stop = speaker.scope_end.search(text, match.end())
        yield match.start() + 1, stop.end() if stop else len(text) + 1
    final = speaker.denial.search(text)
    if final and not any(a <= final.start() < b for a, b in idioms):
        yield 0, final.start()


def _kind(text: str, asked: bool, speaker: Language) -> Kind:
    if asked:
        return "question"
    if speaker.missing.search(text):
        return "abstention"
    if speaker.asks.search(text):
        return "question"
    if speaker.wish.search(text):
        return "wish"
    return "refusal" if speaker.refusal.search(text) else "statement"

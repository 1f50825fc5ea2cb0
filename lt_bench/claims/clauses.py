"""Clauses of a reply: the pieces that assert one thing, and what kind of speech each is."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate, islice, pairwise, zip_longest
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

    def at(self, start: int, sentence: int) -> Clause:
        """The same words elsewhere in a reply."""
        return Clause(
            self.text,
            start,
            sentence,
            self.kind,
            self.stems,
            self.places,
            self.ends,
            self.quantities,
            self.dates,
            self.reaches,
            self.language,
            self.heard,
            self.spoken,
        )

    @property
    def asserts(self) -> bool:
        """Whether it says something about the world."""
        return self.kind == "statement"

    def words(self) -> Iterator[tuple[str, int]]:
        """The stems that stand in it as words, and where."""
        return islice(zip(self.stems, self.places, strict=True), self.spoken)

    def last(self, stem: str) -> int:
        """Where a stem that it holds stands last."""
        return self.places[len(self.stems) - 1 - self.stems[::-1].index(stem)]

    def denied(self, place: int) -> bool:
        """Whether a negator reaches what stands at `place`."""
        return bool(self.reaches) and any(start <= place < end for start, end in self.reaches)


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
    kept: tuple[tuple[int, int], ...] = ((0, len(folded)),)
    if "  " in folded or folded[:1] == " ":
        kept = tuple(run.span() for run in _RUN.finditer(folded))
        folded = "".join(folded[a:b] for a, b in kept)
    speaker = language_of(folded)
    clauses: list[Clause] = []
    for number, (start, end, asked) in enumerate(sentences(folded, speaker)):
        read_one = _short if end - start <= MAX_CLAUSE else _clauses
        found = read_one(folded[start:end], asked, speaker)
        clauses.extend(clause.at(start + clause.start, number) for clause in found)
    return Reply(text, kept, folded, tuple(clauses), len(text) > MAX_CHARS)


_TOPIC_WORDS: Final = 4


def _topics(clauses: list[Clause]) -> tuple[Clause, ...]:
    """The clauses of a sentence, where a few words before a bare "no" are what it denies: "red, no"."""
    return tuple(
        replace(clause, kind="question")
        if clause.asserts and len(clause.stems) <= _TOPIC_WORDS and _bare_no(after)
        else clause
        for clause, after in zip_longest(clauses, clauses[1:])
    )


def _bare_no(clause: Clause | None) -> bool:
    return clause is not None and clause.language.denying.search(clause.text) is not None


def _clauses(sentence: str, asked: bool, spoken: Language) -> tuple[Clause, ...]:
    """The clauses of a sentence of a reply in the language `spoken`; `asked`: it ends in a question
    mark."""
    speaker = speaker_of(sentence, spoken)
    cuts = _cuts(sentence, speaker)
    asking = speaker.question.search(sentence) is not None
    if asking and not asked and speaker.missing.search(sentence[: cuts[1]]):
        asking = False  # "how long it lasts isn't given" asks nothing

    def _asking(a: int, b: int) -> bool:
        if a and speaker.instanced.match(sentence[a:b]):
            return False
        return asking or (asked and b == len(sentence))

    found = [
        clause_of(sentence[a:b], asked=_asking(a, b), speaker=speaker).at(a, 0)
        for a, b in pairwise(cuts)
        if sentence[a:b].strip(" ,.;:-()，、~")
    ]
    return _topics(found)


_short: Final = lru_cache(maxsize=4096)(_clauses)
"""The same for sentences short enough to be kept: replies to one question share many."""


def _cuts(sentence: str, speaker: Language) -> list[int]:
    """Where the clauses of a sentence begin and end; no clause is longer than `MAX_CLAUSE`."""
    cuts = joints(sentence, speaker)
    long = [(a, b) for a, b in pairwise(cuts) if b - a > MAX_CLAUSE]
    return sorted({*cuts, *(cut for a, b in long for cut in range(a, b, MAX_CLAUSE))})


@lru_cache(maxsize=4096)
def clause_of(text: str, *, asked: bool, speaker: Language) -> Clause:
    """The clause that a piece of folded text is, wherever it stands."""
    found = words(text)
    spoken = len(found)
    for match in speaker.saying.finditer(text) if speaker.said.search(text) else ():
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

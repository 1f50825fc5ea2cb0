"""What a question asks: by yes or no, within which limits, and what it supposes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lt_bench.claims.clauses import Clause, read
from lt_bench.claims.comparisons import direction
from lt_bench.claims.languages import language_of
from lt_bench.claims.numbers import scan
from lt_bench.claims.wording import fold, stems
from lt_bench.records import Example, FactsGold


@dataclass(frozen=True)
class Question:
    """A question as replies are read against it, its resolved wording included.

    `heard` are its stems, `polar_heard` those of the part that asks for yes or no, `denied` those
    that it says are not so. `polar`: yes or no would answer it; `negated`: it asks whether something
    is not so; `limits`: it compares with a number of the viewer's. `ranked`: whether more or less of
    a property wins the comparison that it asks for; `bounds` are the dimensions of the numbers that
    it sets a limit with. `viewer` are the letters of who asks. `clauses` are its own, as it was asked.
    """

    folded: str
    clauses: tuple[Clause, ...]
    heard: frozenset[str]
    polar: bool
    polar_heard: frozenset[str]
    negated: bool
    denied: frozenset[str]
    limits: bool
    ranked: str
    bounds: frozenset[str]
    viewer: str


def question_of(example: Example) -> Question:
    """The question of an example."""
    resolved = example.gold.resolved_question if isinstance(example.gold, FactsGold) else ""
    folded = fold(f"{example.question} \n {resolved}")
    clauses, speaker = read(folded).clauses, language_of(folded)
    polar = speaker.polar.search(folded) is not None
    asserting = [clause for clause in clauses if not _ends_by_asking(clause)]
    return Question(
        folded=folded,
        clauses=read(example.question).clauses,
        heard=frozenset(stems(folded)),
        polar=polar,
        polar_heard=_polar_stems(clauses) if polar else frozenset(),
        negated=any(map(_negates, asserting)),
        denied=frozenset(stem for clause in asserting for stem in _denied_stems(clause)),
        limits=speaker.limits.search(folded) is not None,
        ranked=direction(folded, speaker),
        bounds=frozenset(q.unit.dimension for q in scan(folded) if q.unit and q.bound),
        viewer=re.sub(r"[^a-z]", "", fold(example.viewer or "")),
    )


def _negates(clause: Clause) -> bool:
    """Whether a clause of a question has a negator that does more than ask."""
    return any(not match["idiom"] for match in clause.language.negator.finditer(clause.text))


def _denied_stems(clause: Clause) -> list[str]:
    """The stems behind a negating word of a question; one at its end only asks."""
    pairs = zip(clause.stems, clause.places, strict=True)
    return [stem for stem, place in pairs if clause.denied(place)]


def _ends_by_asking(clause: Clause) -> bool:
    """Whether the only negator is the one that asks: 有充电口没."""
    asked = clause.language.polar.search(clause.text)
    spoken = [m for m in clause.language.negator.finditer(clause.text) if not m["idiom"]]
    return asked is not None and len(spoken) == 1 and spoken[0].start() == asked.start()


def _polar_stems(clauses: tuple[Clause, ...]) -> frozenset[str]:
    """The stems of the clauses that ask for yes or no: "I have a cat, does it mop?" asks whether
    it mops."""
    asking = (c.heard for c in clauses if c.language.polar.search(c.text))
    return frozenset().union(*asking)

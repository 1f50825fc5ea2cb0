"""Which words of a row count: what gold says is needed, and what the reply's claims rest on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from lt_bench.plain import printable
from lt_bench.records import (
    AnswersGold,
    Claim,
    Document,
    Example,
    Fact,
    FactsGold,
    Gold,
    ReferenceGold,
    Score,
)
from lt_bench.replay.texts import shown
from lt_bench.text.stated import stated_in

Kind = Literal[
    "required",
    "helpful",
    "forbidden",
    "answer",
    "supported",
    "contradicted",
    "not_in_documents",
    "not_a_claim",
]
"""Why words are marked: gold's facts and answers, or the verdict on the claim they are of."""

_FACTS: Final[tuple[Literal["required", "helpful", "forbidden"], ...]] = (
    "required",
    "helpful",
    "forbidden",
)
_LEAST: Final = 2
"""Characters of an answer that are looked for in a text: a single one stands everywhere."""


@dataclass(frozen=True)
class Mark:
    """Characters [start, end) of a text. `claim` is the number of the claim, from 1; 0 for gold. `run` is
    that of the claim: 0, or 1 for the second of two."""

    start: int
    end: int
    kind: Kind
    claim: int = 0
    run: int = 0


@dataclass(frozen=True)
class Piece:
    """Text that the same marks are on."""

    text: str
    marks: tuple[Mark, ...] = ()


def pieces(text: str, marks: Iterable[Mark]) -> Iterator[Piece]:
    """The text in order, cut wherever a mark begins or ends."""
    kept = [mark for mark in marks if 0 <= mark.start < mark.end <= len(text)]
    cuts = sorted({0, len(text), *(m.start for m in kept), *(m.end for m in kept)})
    for start, end in pairwise(cuts):
        over = tuple(mark for mark in kept if mark.start <= start and end <= mark.end)
        yield Piece(text[start:end], over)


def claims_of(scores: Mapping[str, Score]) -> list[Claim]:
    """The claims of all verdicts on one reply, each once, with their words as texts are shown."""
    verdicts = (score.verdict for score in scores.values() if score.verdict)
    return list(dict.fromkeys(_shown(claim) for verdict in verdicts for claim in verdict.claims))


def _shown(claim: Claim) -> Claim:
    return claim.model_copy(
        update={
            "text": shown(claim.text),
            "evidence": claim.evidence and shown(claim.evidence),
            "document": claim.document and printable(claim.document),
        }
    )


def in_reply(reply: str, claims: Sequence[Claim], run: int = 0) -> list[Mark]:
    """Where each claim is made: claims come in the order of the reply, and one that does not is looked for
    from its beginning."""
    found: list[Mark] = []
    at = 0
    for number, claim in enumerate(claims, 1):
        start = reply.find(claim.text, at)
        start = reply.find(claim.text) if start < 0 else start
        if claim.text and start >= 0:
            at = start + len(claim.text)
            found.append(Mark(start, at, claim.verdict, number, run))
    return found


def in_evidence(name: str, text: str, claims: Sequence[Claim], run: int = 0) -> list[Mark]:
    """What claims rest on, or are contradicted by, in the document of this id; `text` is as it is shown."""
    name = printable(name)
    return [
        Mark(start, start + len(claim.evidence), claim.verdict, number, run)
        for number, claim in enumerate(claims, 1)
        if claim.document == name and claim.evidence
        if (start := text.find(claim.evidence)) >= 0
    ]


def of_gold(gold: Gold | None, document: Document) -> list[Mark]:
    """Lines that state facts of gold, or the words of its answers where they count."""
    match gold:
        case FactsGold():
            return [
                mark
                for kind in _FACTS
                for fact in getattr(gold, kind)
                if (mark := _line(document, fact, kind))
            ]
        case AnswersGold():
            return [mark for words in _answers(gold, document) for mark in _words(document, words)]
    return []


def _line(document: Document, fact: Fact, kind: Kind) -> Mark | None:
    line = stated_in(document, fact) if fact.document == document.id else ""
    start = document.text.find(line) if line else -1
    return Mark(start, start + len(line), kind) if start >= 0 else None


def _answers(gold: AnswersGold, document: Document) -> list[str]:
    """Those of its steps that end in this document; of other gold the answers, where it supports them."""
    hops = [hop.answer for hop in gold.hops if hop.document == document.id]
    return list(dict.fromkeys(hops or (gold.answers if supports(gold, document) else ())))


def _words(document: Document, words: str) -> list[Mark]:
    if len(words.strip()) < _LEAST:
        return []
    edge = r"(?<!\w){}(?!\w)" if words.isascii() else "{}"
    found = re.finditer(edge.format(re.escape(words)), document.text, re.IGNORECASE)
    return [Mark(match.start(), match.end(), "answer") for match in found]


def supports(gold: Gold | None, document: Document) -> bool:
    """Whether gold says that the answer needs this document."""
    match gold:
        case AnswersGold():
            return bool(document.supporting) or document.id in gold.supporting
        case FactsGold():
            return any(fact.document == document.id for fact in gold.required)
        case ReferenceGold():
            return gold.relevance.get(document.id) == 2
    return bool(document.supporting)


def badges(example: Example, document: Document, cited: Iterable[str] = ()) -> list[str]:
    """What there is to say of a whole document."""
    found = ["supporting"] if supports(example.gold, document) else []
    match example.gold:
        case FactsGold() as gold:
            found += [
                kind
                for kind in ("helpful", "forbidden")
                if any(fact.document == document.id for fact in getattr(gold, kind))
            ]
        case ReferenceGold() as gold if document.id in gold.relevance:
            found.append(f"relevance {gold.relevance[document.id]} of 2")
    return [*found, *(["cited"] if document.id in set(cited) else [])]

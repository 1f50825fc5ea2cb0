"""Questions about products with their candidates of evidence, as Examples: what the sets of
Amazon's contextual product question answering have in common."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from lt_bench.builders.importers import attributes
from lt_bench.records import Document, Example, Lang, ReferenceGold, Utterance

LICENSE: Final = "CDLA-Sharing-1.0"
REPOSITORY: Final = "amazon-science/contextual-product-qa"

Kind = Literal["faq", "review", "product", "evidence"]
Relevance = Literal[0, 1, 2]
"""2: answers the question in full; 1: helps; 0: of no use to it."""

_KINDS: Final[dict[str, Kind]] = {
    "cqa": "faq",
    "review": "review",
    "attribute": "product",
    "bullet": "product",
    "desc": "product",
    "description": "product",
}


@dataclass(frozen=True)
class Candidate:
    """One piece of evidence, where it is from, and how far it answers the question."""

    id: str
    source: str
    text: str
    relevance: Relevance


@dataclass(frozen=True)
class Asked:
    """One question with its candidates. `group` is the product it is about."""

    id: str
    question: str
    group: str
    candidates: tuple[Candidate, ...]
    answers: tuple[str, ...] = ()
    title: str = ""
    history: tuple[Utterance, ...] = ()
    tags: tuple[str, ...] = ()
    lang: Lang = "en"
    source: str = ""
    license: str = LICENSE


def short_sha(*parts: str) -> str:
    """An id for what has none: equal parts, equal id, in every file."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def to_example(asked: Asked) -> Example:
    """The question as a row of commerce_qa with `reference` gold."""
    return Example(
        id=asked.id,
        task="commerce_qa",
        question=asked.question,
        history=asked.history,
        documents=tuple(to_document(part, asked.title) for part in asked.candidates),
        gold=ReferenceGold(
            answers=asked.answers, relevance={part.id: part.relevance for part in asked.candidates}
        ),
        group=asked.group,
        tags=asked.tags,
        lang=asked.lang,
        source=asked.source,
        license=asked.license,
    )


def to_document(candidate: Candidate, title: str = "") -> Document:
    """The evidence in readable words; an attribute as fields of schema.org/Product too."""
    source = candidate.source.strip().lower()
    kind = _KINDS.get(source, "evidence")
    text = candidate.text.strip()
    attribute = attributes.parse(text) if source == "attribute" else None
    if attribute is None:
        return Document(id=candidate.id, kind=kind, title=title, text=text)
    fields = attributes.product(attribute)
    named = {"name": title, **fields} if title else fields
    words = attributes.sentence(attribute)
    return Document(id=candidate.id, kind=kind, title=title, text=words, product=named)


def graded_tag(candidates: Sequence[Candidate]) -> str:
    """How far the best candidate answers, where labels tell full from part."""
    best = max((part.relevance for part in candidates), default=0)
    return f"answerability:{('none', 'partial', 'full')[best]}"


def binary_tag(candidates: Sequence[Candidate]) -> str:
    """Whether some candidate is relevant, where labels tell no more."""
    return f"answerability:{'some' if any(part.relevance for part in candidates) else 'none'}"

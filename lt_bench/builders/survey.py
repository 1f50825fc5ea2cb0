"""What a data set looks like: lengths, tags, languages, answerability."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

from lt_bench.records import (
    AnswersGold,
    CallsGold,
    Example,
    FactsGold,
    Gold,
    Number,
    Record,
    ReferenceGold,
)


class Lengths(Record):
    """Smallest, median, mean and largest of some count over the rows."""

    low: int
    median: Number
    mean: Number
    high: int


class Stats(Record):
    """A data set in figures. Lengths are characters, which mean the same in every language;
    `documents` counts them, `evidence` is the text of all documents of a row."""

    rows: int
    groups: int
    tasks: dict[str, int]
    langs: dict[str, int]
    tags: dict[str, int]
    answerability: dict[str, int]
    licenses: dict[str, int]
    question: Lengths | None
    history: Lengths | None
    documents: Lengths | None
    evidence: Lengths | None


def stats(examples: Iterable[Example]) -> Stats:
    """Figures of all `examples`; lengths are None where there is no row."""
    rows = list(examples)
    return Stats(
        rows=len(rows),
        groups=len({row.group for row in rows}),
        tasks=_counts(row.task for row in rows),
        langs=_counts(row.lang for row in rows),
        tags=_counts(tag for row in rows for tag in row.tags),
        answerability=_counts(answerability(row.gold) for row in rows),
        licenses=_counts(row.license or "unknown" for row in rows),
        question=_lengths([len(row.question) for row in rows]),
        history=_lengths([sum(len(said.content) for said in row.history) for row in rows]),
        documents=_lengths([len(row.documents) for row in rows]),
        evidence=_lengths([sum(len(doc.text) for doc in row.documents) for row in rows]),
    )


def answerability(gold: Gold | None) -> str:
    """full, partial or none by the gold; the type of a dialogue turn; unknown without gold."""
    match gold:
        case AnswersGold():
            return "full" if gold.answerable else "none"
        case FactsGold():
            return gold.answerability
        case ReferenceGold():
            best = max(gold.relevance.values(), default=None)
            return "unknown" if best is None else ("none", "partial", "full")[best]
        case CallsGold():
            return gold.type
    return "unknown"


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _lengths(values: Sequence[int]) -> Lengths | None:
    if not values:
        return None
    return Lengths(
        low=min(values),
        median=statistics.median(values),
        mean=statistics.fmean(values),
        high=max(values),
    )

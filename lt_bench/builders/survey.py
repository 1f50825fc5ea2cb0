"""What a data set looks like: lengths, tags, languages, answerability, counted row by row."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from pydantic import Field

from lt_bench.builders.base import Imported
from lt_bench.records import (
    AnswersGold,
    CallsGold,
    Document,
    Example,
    FactsGold,
    Gold,
    Labelled,
    Number,
    Record,
    ReferenceGold,
)

RecordName = Literal["Example", "Labelled", "Document"]
MEASURED: Final = ("question", "history", "documents", "evidence", "reply", "text")
"""What has lengths; see `Stats`."""


class Lengths(Record):
    """Smallest, median, mean, 95th percentile and largest of some count over the rows."""

    low: int
    median: Number
    mean: Number
    p95: int
    high: int


class Stats(Record):
    """A data set in figures. Lengths are characters, which mean the same in every language, but
    for `documents`, which counts those of a row; `evidence` is the text of all documents of a row,
    `text` that of a row that is itself a document, `reply` that of a labelled one. `labels` counts
    verdicts of all annotators ("correct", "not correct", …)."""

    records: RecordName
    rows: int
    groups: int = 0
    tasks: dict[str, int] = Field(default_factory=dict)
    langs: dict[str, int] = Field(default_factory=dict)
    tags: dict[str, int] = Field(default_factory=dict)
    answerability: dict[str, int] = Field(default_factory=dict)
    kinds: dict[str, int] = Field(default_factory=dict)
    labels: dict[str, int] = Field(default_factory=dict)
    licenses: dict[str, int] = Field(default_factory=dict)
    lengths: dict[str, Lengths] = Field(default_factory=dict)


@dataclass
class Survey:
    """Counts rows as they pass. What it holds grows with the groups and with the distinct
    lengths, not with the text."""

    records: RecordName | None = None
    rows: int = 0
    groups: set[str] = field(default_factory=set)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    lengths: dict[str, Counter[int]] = field(default_factory=dict)

    def add(self, record: Imported) -> None:
        """One more row, of the kind of those before."""
        self.rows += 1
        match record:
            case Example():
                self.records = "Example"
                self._example(record)
            case Labelled():
                self.records = "Labelled"
                self._labelled(record)
            case Document():
                self.records = "Document"
                self._count("kinds", [record.kind])
                self._measure("text", len(record.text))

    def stats(self) -> Stats:
        """The figures so far."""
        return Stats(
            records=self.records or "Example",
            rows=self.rows,
            groups=len(self.groups),
            **{name: dict(sorted(found.items())) for name, found in self.counts.items()},
            lengths={
                name: _lengths(self.lengths[name]) for name in MEASURED if name in self.lengths
            },
        )

    def _example(self, example: Example) -> None:
        self.groups.add(example.group)
        self._count("tasks", [example.task])
        self._count("langs", [example.lang])
        self._count("tags", example.tags)
        self._count("answerability", [answerability(example.gold)])
        self._count("kinds", [document.kind for document in example.documents])
        self._count("licenses", [example.license or "unknown"])
        self._measure("question", len(example.question))
        self._measure("history", sum(len(said.content) for said in example.history))
        self._measure("documents", len(example.documents))
        self._measure("evidence", sum(len(document.text) for document in example.documents))

    def _labelled(self, row: Labelled) -> None:
        self._example(row.example)
        self._measure("reply", len(row.reply))
        for label in row.labels:
            verdicts = {"correct": label.correct, "helpful": label.helpful}
            given = {name: value for name, value in verdicts.items() if value is not None}
            self._count("labels", (name if yes else f"not {name}" for name, yes in given.items()))

    def _count(self, name: str, values: Iterable[str]) -> None:
        self.counts.setdefault(name, Counter()).update(values)

    def _measure(self, name: str, length: int) -> None:
        self.lengths.setdefault(name, Counter())[length] += 1


def survey(records: Iterable[Imported]) -> Survey:
    """The survey of all `records`."""
    found = Survey()
    for record in records:
        found.add(record)
    return found


@dataclass(frozen=True)
class Bin:
    """How many rows have a length from `low` to `high`, both included."""

    low: int
    high: int
    rows: int


def histogram(lengths: Mapping[int, int], bins: int = 12) -> list[Bin]:
    """At most `bins` equally wide bins with a round width, from the smallest length to the 99th
    percentile; the last one holds all that is longer."""
    if not lengths:
        return []
    low, high, most = min(lengths), percentile(lengths, 0.99), max(lengths)
    width = _round_up((high - low + 1) / bins)
    start = low // width * width
    count = max(1, -(-(high + 1 - start) // width))
    counted = Counter[int]()
    for length, rows in lengths.items():
        counted[min((length - start) // width, count - 1)] += rows
    edges = [start + width * i for i in range(count)]
    return [
        Bin(edge, most if i == count - 1 and most >= edge + width else edge + width - 1, counted[i])
        for i, edge in enumerate(edges)
    ]


def percentile(lengths: Mapping[int, int], share: float) -> int:
    """The smallest length that at least `share` of the rows do not exceed."""
    return _at(lengths, math.ceil(share * sum(lengths.values())) - 1)


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


def _lengths(lengths: Mapping[int, int]) -> Lengths:
    rows = sum(lengths.values())
    return Lengths(
        low=min(lengths),
        median=(_at(lengths, (rows - 1) // 2) + _at(lengths, rows // 2)) / 2,
        mean=sum(length * count for length, count in lengths.items()) / rows,
        p95=percentile(lengths, 0.95),
        high=max(lengths),
    )


def _at(lengths: Mapping[int, int], place: int) -> int:
    """The length of the row at `place`, from 0, when they stand in order of length."""
    seen = 0
    for length in sorted(lengths):
        seen += lengths[length]
        if place < seen:
            return length
    return max(lengths)


def _round_up(width: float) -> int:
    """The next of 1, 2, 5, 10, 20, 50, …"""
    power = 10 ** max(0, math.floor(math.log10(max(width, 1))))
    return next(int(step * power) for step in (1, 2, 5, 10) if step * power >= width)

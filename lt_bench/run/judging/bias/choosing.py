"""Which labelled replies a probe takes, and what is known of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice, zip_longest

from lt_bench.claims.abstention import abstention
from lt_bench.claims.clauses import Clause, read
from lt_bench.claims.language import FUNCTION
from lt_bench.config import digest
from lt_bench.records import FactsGold, Labelled
from lt_bench.run.judging.people import agreed
from lt_bench.run.judging.rating import LABEL_OF


def spread(rows: Sequence[Labelled], seed: int = 0) -> list[Labelled]:
    """The rows in an order that hangs on their ids alone, one of every group before a second of
    any: the first of them are as independent as they can be."""
    groups: dict[str, list[Labelled]] = {}
    for row in sorted(rows, key=lambda row: digest([seed, row.id])):
        groups.setdefault(row.example.group, []).append(row)
    turns = zip_longest(*groups.values())
    return [row for turn in turns for row in turn if row is not None]


def first(rows: Iterable[Labelled], limit: int, fits: Callable[[Labelled], bool]) -> list[Labelled]:
    """The first `limit` rows that fit."""
    return list(islice(filter(fits, rows), limit))


def label(row: Labelled, metric: str) -> bool | None:
    """What people say for this metric; a metric of its own is measured by `correct`. None: nobody
    said anything, or they are tied."""
    return agreed(row, metric if metric in LABEL_OF else "correctness")


def abstains(reply: str) -> bool:
    """Whether some clause of a reply says that the answer is not there, or declines to give one."""
    return abstention(read(reply).clauses).any


def answerable(row: Labelled) -> bool:
    """Whether the documents surely hold the answer: gold facts say so or, without them, people call
    a reply right that gives one."""
    if isinstance(row.example.gold, FactsGold):
        return row.example.gold.answerability == "full" and bool(row.example.gold.required)
    stated = not abstains(row.reply)
    return bool(row.example.documents) and stated and label(row, "correctness") is True


def unanswerable(row: Labelled) -> bool:
    """Whether the documents surely lack the answer: gold facts say so or, without them, people call
    a reply right that only abstains."""
    if isinstance(row.example.gold, FactsGold):
        return row.example.gold.answerability == "none"
    idle = all(_tells_nothing(clause) for clause in read(row.reply).clauses)
    return abstains(row.reply) and idle and label(row, "correctness") is True


def _tells_nothing(clause: Clause) -> bool:
    """An abstention, or mere talk around it: "sorry", "thanks for asking"."""
    if clause.kind in ("abstention", "refusal"):
        return True
    return not clause.quantities and clause.heard - FUNCTION <= clause.language.common

"""What people say of a reply, for each metric that a judge gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from lt_bench.calibration.agreement import Pair
from lt_bench.calibration.consensus import consensus
from lt_bench.records import HumanLabel, Labelled
from lt_bench.run.judging.rating import LABEL_OF

BOTH = "correct_and_helpful"
"""A metric whose label follows from the two that people fill in."""


@dataclass(frozen=True)
class Opinion:
    """One person's yes or no on one metric of a reply."""

    annotator: str
    yes: bool


def opinions(row: Labelled, metric: str) -> tuple[Opinion, ...]:
    """What each annotator says; those who said nothing of this metric are not among them."""
    told = ((label.annotator, _said(label, metric)) for label in row.labels)
    return tuple(Opinion(name, yes) for name, yes in told if yes is not None)


def agreed(row: Labelled, metric: str) -> bool | None:
    """What a strict majority of the annotators says; None: nobody said anything, or they are tied."""
    labels = [HumanLabel(annotator=one.annotator, correct=one.yes) for one in opinions(row, metric)]
    return consensus(labels, "correct")


def between_people(rows: Sequence[Labelled], metric: str) -> Iterator[Pair]:
    """Every two annotators of every reply: the one whose name comes first stands for the judge."""
    for row in rows:
        told = sorted(opinions(row, metric), key=lambda one: one.annotator)
        for first, second in combinations(told, 2):
            if first.annotator != second.annotator:
                yield Pair(judge=first.yes, human=second.yes, group=row.example.group)


def labelled_metrics(metrics: Sequence[str], rows: Sequence[Labelled]) -> tuple[str, ...]:
    """Those of the metrics that at least one reply has a label for."""
    known = [name for name in metrics if name in LABEL_OF or name == BOTH]
    return tuple(name for name in known if any(opinions(row, name) for row in rows))


def _said(label: HumanLabel, metric: str) -> bool | None:
    if metric == BOTH:
        both = (label.correct, label.helpful)
        return False if False in both else None if None in both else True
    said: bool | None = getattr(label, LABEL_OF[metric])
    return said

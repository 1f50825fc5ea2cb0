"""Replies on which people disagree, and what a further person is asked to settle them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from lt_bench.calibration.agreement import Pair
from lt_bench.calibration.consensus import FIELDS, LabelField, is_disputed, is_unanimous
from lt_bench.records import Labelled


@dataclass(frozen=True)
class Dispute:
    """A reply on which somebody says yes and somebody no, and to which questions."""

    reply: Labelled
    fields: tuple[LabelField, ...]


def disputes(
    replies: Iterable[Labelled], fields: Sequence[LabelField] = FIELDS
) -> Iterator[Dispute]:
    """Every reply on which not all agree, whether a majority settles it or not."""
    for reply in replies:
        if differing := tuple(f for f in fields if not is_unanimous(reply.labels, f)):
            yield Dispute(reply, differing)


def unsettled(
    replies: Iterable[Labelled], annotator: str, fields: Sequence[LabelField] = FIELDS
) -> Iterator[Dispute]:
    """What the others leave undecided, for this person to settle. What the person said does not
    count, so that a half settled list stays the same list."""
    for reply in replies:
        others = [label for label in reply.labels if label.annotator != annotator]
        if tied := tuple(field for field in fields if is_disputed(others, field)):
            yield Dispute(reply, tied)


def pairs_of_people(
    replies: Sequence[Labelled], field: LabelField
) -> Iterator[tuple[str, str, list[Pair]]]:
    """Every two annotators and the replies that both judged; the first stands for the judge."""
    names = sorted({label.annotator for reply in replies for label in reply.labels})
    for first, second in combinations(names, 2):
        common = [
            Pair(judge=votes[first], human=votes[second], group=reply.example.group)
            for reply in replies
            if {first, second} <= (votes := _votes(reply, field)).keys()
        ]
        if common:
            yield first, second, common


def _votes(reply: Labelled, field: LabelField) -> dict[str, bool]:
    told = ((label.annotator, getattr(label, field)) for label in reply.labels)
    return {name: vote for name, vote in told if vote is not None}

"""What one person is asked to label, in an order of their own."""

from __future__ import annotations

from collections.abc import Sequence

from lt_bench.calibration.consensus import LabelField
from lt_bench.records import Labelled
from lt_bench.run.labelling.disputes import unsettled
from lt_bench.run.labelling.draw import own_order
from lt_bench.run.labelling.file import LabelFile, another_reply, same_reply
from lt_bench.run.labelling.session import Assignment
from lt_bench.run.labelling.source import Source


def assigned(
    replies: Sequence[Labelled],
    file: LabelFile,
    annotator: str,
    fields: tuple[LabelField, ...],
    seed: int,
) -> list[Assignment]:
    """All these replies, with all these questions.

    Raises:
        UsageError: the file holds another reply under the id of one.
    """
    known = {row.id: row for row in file.rows()}
    for reply in replies:
        if reply.id in known and not same_reply(known[reply.id], reply):
            raise another_reply(file.path, reply.id)
    return [Assignment(reply, fields) for reply in own_order(replies, annotator, seed)]


def to_settle(
    file: LabelFile, annotator: str, fields: Sequence[LabelField], seed: int
) -> list[Assignment]:
    """The replies of the file that the others leave undecided, with the questions on which they do."""
    found = {one.reply.id: one for one in unsettled(file.replies(), annotator, fields)}
    ordered = own_order([one.reply for one in found.values()], annotator, seed)
    return [Assignment(reply, found[reply.id].fields) for reply in ordered]


def strangers(
    assignments: Sequence[Assignment], source: Source, file: LabelFile, annotator: str
) -> str:
    """A word where others have labelled other replies of this source than these, so that fewer will
    have the labels of both; nothing where all is well."""
    mine = {one.reply.id for one in assignments}
    others = {
        row.id for row in file.rows() if any(label.annotator != annotator for label in row.labels)
    }
    theirs = others & {one.reply.id for one in source.candidates}
    if theirs <= mine:
        return ""
    return (
        f"{len(theirs - mine)} of the {len(theirs)} replies that others labelled are not among "
        "these; the same --rows, --seed and --draw give the same replies"
    )

"""Labelled replies of one or several files, as one list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lt_bench.builders.importers.labelled import LabelledRows
from lt_bench.errors import UsageError
from lt_bench.records import HumanLabel, Labelled

BALANCED = "sampling:balanced"
"""Tag of replies that were drawn so that a judge's yes and no are equally many."""
BUILT = "labels.jsonl"
"""The rows in a folder that `data build` or `data import` made."""


@dataclass(frozen=True)
class _Found:
    """A reply and the file it was first read from."""

    row: Labelled
    file: Path


def read_labels(paths: Sequence[Path]) -> list[Labelled]:
    """All replies in order of first appearance. One id in two files is one reply, judged by several
    people; a folder stands for the labels that were built into it.

    Raises:
        UsageError: a file cannot be read, is named twice, or two files contradict each other.
    """
    found: dict[str, _Found] = {}
    for file in _files(paths):
        for row in LabelledRows({}).read(file):
            old = found.get(row.id)
            found[row.id] = _Found(_joined(old, row, file), old.file) if old else _Found(row, file)
    return [one.row for one in found.values()]


def check_draw(rows: Sequence[Labelled]) -> None:
    """Refuses replies that were chosen by what a judge said of them: how often that judge finds what
    is right, and what is wrong, cannot be told from those alone (verification bias, C. B. Begg and
    R. A. Greenes, Biometrics 39, 1983).

    Raises:
        UsageError: some were.
    """
    if any(BALANCED in row.example.tags for row in rows):
        raise UsageError(
            "these replies were drawn by a judge's verdict, so they do not stand for the others",
            "label replies of `judge label --draw proportional`",
        )


def _files(paths: Sequence[Path]) -> list[Path]:
    files = [_in_folder(path) if path.is_dir() else path for path in paths]
    seen: set[Path] = set()
    for file in files:
        if file.resolve() in seen:
            raise UsageError(f"{file} is named twice", "name every file of labels once")
        seen.add(file.resolve())
    return files


def _in_folder(folder: Path) -> Path:
    file = folder / BUILT
    if not file.is_file():
        raise UsageError(f"{folder} is a folder without {BUILT}", "name the file with the labels")
    return file


def _joined(old: _Found, new: Labelled, file: Path) -> Labelled:
    """One reply with the labels of both files."""
    if (old.row.reply, old.row.example) != (new.reply, new.example):
        raise UsageError(
            f"{file}: {new.id!r} is another reply in {old.file}", "give every reply its own id"
        )
    labels = {label.annotator: label for label in old.row.labels}
    for label in new.labels:
        before = labels.get(label.annotator)
        labels[label.annotator] = _completed(before, label, new.id, file) if before else label
    return old.row.model_copy(update={"labels": tuple(labels.values())})


def _completed(before: HumanLabel, after: HumanLabel, id_: str, file: Path) -> HumanLabel:
    """One person's labels of one reply, of which each file holds a part."""
    told = after.model_dump(exclude_none=True, exclude={"annotator"})
    if any(getattr(before, name) is not None for name in told):
        raise UsageError(
            f"{file}: {id_!r} was judged by {after.annotator!r} in another file already",
            "say who judged in a column `annotator`, or leave one of the two out",
        )
    return before.model_copy(update=told)

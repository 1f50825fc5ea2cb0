"""Which records a file holds, told by its rows, and how the rows of each kind are read."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal, Protocol, runtime_checkable

from pydantic import ValidationError

from lt_bench.builders import BUILDERS, saved
from lt_bench.builders.base import Builder, Imported, Importer
from lt_bench.builders.examples import broken, example_faults, inspect_examples
from lt_bench.builders.foreign import refuse_foreign
from lt_bench.builders.problem import (
    InspectedAny,
    Kept,
    Problem,
    Row,
    from_validation,
    refuse,
    unique,
)
from lt_bench.errors import UsageError
from lt_bench.jsonl import Broken, Line
from lt_bench.records import Document, Example, Labelled

Content = Literal["examples", "labelled", "documents", "musique"]
"""`musique`: rows in the original schema of that data set."""

LOOKED_AT: Final = 20
"""Rows by which a file is told; one broken row does not decide."""


@runtime_checkable
class Inspecting(Protocol):
    """A builder or importer that can name every problem of a file, not only the first."""

    def inspect(self, path: Path) -> Iterator[InspectedAny]: ...


def inspected(reader: Builder | Importer, path: Path) -> Iterator[InspectedAny]:
    """The rows as this reader finds them, with their problems as far as it names any."""
    if isinstance(reader, Inspecting):
        return reader.inspect(path)
    return itertools.starmap(_row, enumerate(reader.read(path), start=1))


def _row(number: int, record: Imported) -> InspectedAny:
    match record:
        case Example():
            return Row(number, record)
        case Labelled():
            return Row(number, record)
        case Document():
            return Row(number, record)


def recognise(path: Path) -> Content | None:
    """What most of the first rows of a file are; None for a file without rows. One whose lines are
    all broken may be anything, and passes for examples.

    Raises:
        UsageError: the file cannot be read, or its rows are none of ours.
    """
    looked_at = list(itertools.islice(saved.scan(path), LOOKED_AT))
    rows = [line for line in looked_at if isinstance(line, Line)]
    if looked_at and isinstance(looked_at[0], Broken) and not saved.is_folder(path):
        refuse_foreign(path, some=bool(rows))
    found = Counter(content for row in rows if (content := _content(row.data)))
    if found:
        return found.most_common(1)[0][0]
    if not rows:
        return "examples" if looked_at else None
    keys = ", ".join(list(rows[0].data)[:8]) or "none"
    raise UsageError(
        f"{path} holds none of the known records (keys of line {rows[0].number}: {keys})",
        "say what it is: --task NAME for rows of a task, --format NAME for one that import reads",
    )


def _content(row: dict[str, Any]) -> Content | None:
    """By the keys that only one kind has; a key or two may be missing or misspelt."""
    keys = row.keys()
    if "reply" in keys and ("labels" in keys or "example" in keys):
        return "labelled"
    if "paragraphs" in keys and "question" in keys:
        return "musique"
    if len(keys & {"task", "question", "documents", "gold", "group", "history"}) >= 2:
        return "examples"
    return "documents" if {"id", "text"} <= keys or {"id", "product"} <= keys else None


def inspect(path: Path, content: Content) -> Iterator[InspectedAny]:
    """Every row of a file as the record it is, or what is wrong with it."""
    return _READERS[content](path)


def _labelled(path: Path) -> Iterator[InspectedAny]:
    return unique(_each(path, Labelled, _labelled_faults))


def _documents(path: Path) -> Iterator[InspectedAny]:
    return unique(_each(path, Document, lambda *_: iter(())))


def _labelled_faults(line: int, row: Labelled) -> Iterator[Problem]:
    for fault in example_faults(row.example):
        problem = fault.at(line)
        yield Problem("error", line, f"example.{problem.field}", problem.message, problem.fix)
    annotators = [label.annotator for label in row.labels]
    if len(set(annotators)) != len(annotators):
        yield Problem(
            "error", line, "labels", "one annotator has two labels", "keep one, or name them apart"
        )


def _each(
    path: Path, kind: type[Kept], faults: Callable[[int, Kept], Iterator[Problem]]
) -> Iterator[Row[Kept] | Problem]:
    for line in saved.scan(path):
        if isinstance(line, Broken):
            yield broken(line)
            continue
        try:
            record = kind.model_validate(line.data)
        except ValidationError as error:
            yield from_validation(error, line.number)
            continue
        problems = list(faults(line.number, record))
        yield from problems
        if not problems:
            yield Row(line.number, record)


def _musique(path: Path) -> Iterator[InspectedAny]:
    """All rows with all their paragraphs, the unanswerable ones too."""
    builder = BUILDERS.get("musique")({"full": True, "documents": 10_000})
    return inspected(builder, path)


_READERS: Final[dict[Content, Callable[[Path], Iterator[InspectedAny]]]] = {
    "examples": inspect_examples,
    "labelled": _labelled,
    "documents": _documents,
    "musique": _musique,
}


def items(path: Path, reader: Builder | Importer | None = None) -> Iterator[InspectedAny]:
    """Every row of a file, by `reader` or by what its rows are told to be; none where it is empty.

    Raises:
        UsageError: the file cannot be read, or its rows are none of ours.
    """
    if reader:
        return inspected(reader, path)
    content = recognise(path)
    return inspect(path, content) if content else iter(())


def records(path: Path, reader: Builder | Importer | None = None) -> Iterator[Imported]:
    """The records of a file in order.

    Raises:
        UsageError: at the first row that is none, with file, line, field and fix; there is no row.
    """
    empty = True
    for item in items(path, reader):
        if isinstance(item, Row):
            empty = False
            yield item.record
        else:
            refuse(path, item)
    if empty:
        raise UsageError(f"{path} holds no row", "check the path, or build it again")

"""What is wrong with one row of a file, said so that a person can mend it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, overload

from pydantic import ValidationError

from lt_bench.errors import UsageError
from lt_bench.records import Document, Example, Labelled

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Problem:
    """`error`: the row cannot be used. `warning`: it can, but look at it. `line` counts from 1 and
    is 0 where the file as a whole is meant; `field` is empty where the row as a whole is."""

    level: Literal["error", "warning"]
    line: int
    field: str
    message: str
    fix: str = ""

    def __str__(self) -> str:
        line = f"line {self.line}" if self.line else ""
        place = ", ".join(part for part in (line, self.field) if part)
        return f"{place}: {self.message}" if place else self.message


Kept = TypeVar("Kept", Example, Labelled, Document)
"""The record that a file holds one of on each line."""


@dataclass(frozen=True)
class Row(Generic[Kept]):
    """A record and the line it was read from."""

    line: int
    record: Kept


Inspected = Row[Example] | Problem
"""What came of one row of a file of Examples, or a word about it."""
InspectedAny = Row[Example] | Row[Labelled] | Row[Document] | Problem
"""The same for a file of any records."""


class RowFault(ValueError):
    """Raised while a row is read: which field does not fit, why, and what mends it."""

    def __init__(self, field: str, message: str, fix: str = "") -> None:
        super().__init__(f"{field}: {message}")
        self.field, self.message, self.fix = field, message, fix

    def at(self, line: int) -> Problem:
        return Problem("error", line, self.field, self.message, self.fix)


_FIXES = {"extra_forbidden": "remove the key", "missing": "add the key"}


def from_validation(error: ValidationError, line: int) -> Problem:
    """The first thing that a record refuses, with the path of the field."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or "row"
    shown = repr(first["input"])
    got = shown if len(shown) <= 60 else f"{shown[:57]}..."
    fix = _FIXES.get(first["type"], "correct the value")
    return Problem("error", line, field, f"{first['msg']} (got {got})", fix)


@overload
def strict(path: Path | str, items: Iterable[Row[Kept] | Problem]) -> Iterator[Kept]: ...
@overload
def strict(
    path: Path | str, items: Iterable[InspectedAny]
) -> Iterator[Example | Labelled | Document]: ...
def strict(path: Path | str, items: Iterable[Any]) -> Iterator[Any]:
    """The records alone. Warnings are logged.

    Raises:
        UsageError: at the first error.
    """
    for item in items:
        if isinstance(item, Row):
            yield item.record
        else:
            refuse(path, item)


def refuse(path: Path | str, problem: Problem) -> None:
    """Raises an error, logs a warning."""
    if problem.level == "error":
        raise UsageError(f"{path}, {problem}", problem.fix)
    log.warning("%s, %s", path, problem)


def unique(items: Iterable[Row[Kept] | Problem]) -> Iterator[Row[Kept] | Problem]:
    """The same items, with an error in place of every second row of one id."""
    lines: dict[str, int] = {}
    for item in items:
        if isinstance(item, Row) and item.record.id in lines:
            first = lines[item.record.id]
            yield Problem(
                "error",
                item.line,
                "id",
                f"{item.record.id!r} is on line {first} already",
                "give every row an id of its own",
            )
            continue
        if isinstance(item, Row):
            lines[item.record.id] = item.line
        yield item

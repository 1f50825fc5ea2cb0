"""What is wrong with one row of a file, said so that a person can mend it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from lt_bench.errors import UsageError
from lt_bench.records import Example

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Problem:
    """`error`: the row cannot be used. `warning`: it can, but look at it. `line` counts from 1."""

    level: Literal["error", "warning"]
    line: int
    field: str
    message: str
    fix: str = ""

    def __str__(self) -> str:
        return f"line {self.line}, {self.field}: {self.message}"


@dataclass(frozen=True)
class Row:
    """An Example and the line it was read from."""

    line: int
    example: Example


Inspected = Row | Problem
"""What came of one row of a file, or a word about it."""


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


def strict(path: Path | str, items: Iterable[Inspected]) -> Iterator[Example]:
    """The Examples alone. Warnings are logged.

    Raises:
        UsageError: at the first error.
    """
    for item in items:
        if isinstance(item, Row):
            yield item.example
        elif item.level == "error":
            raise UsageError(f"{path}, {item}", item.fix)
        else:
            log.warning("%s, %s", path, item)


def unique(items: Iterable[Inspected]) -> Iterator[Inspected]:
    """The same items, with an error in place of every second row of one id."""
    lines: dict[str, int] = {}
    for item in items:
        if isinstance(item, Row) and item.example.id in lines:
            first = lines[item.example.id]
            yield Problem(
                "error",
                item.line,
                "id",
                f"{item.example.id!r} is on line {first} already",
                "give every row an id of its own",
            )
            continue
        if isinstance(item, Row):
            lines[item.example.id] = item.line
        yield item

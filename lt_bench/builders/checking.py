"""All that is wrong with a file, as far as it can be read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from lt_bench.builders.base import Builder, Imported, Importer
from lt_bench.builders.problem import Problem, Row
from lt_bench.builders.progress import Progress, Silent, part
from lt_bench.builders.recognise import items, recognise
from lt_bench.errors import UsageError
from lt_bench.records import AnswersGold, Example

_PLACE = re.compile(
    r"(?:, line (?P<line>\d+)(?:, (?P<field>[\w.\[\]=-]+))?)?: (?P<message>.+)", re.S
)


@dataclass
class Checked:
    """`rows` that can be used, and the problems in the order of the file."""

    rows: int = 0
    problems: list[Problem] = field(default_factory=list)

    @property
    def errors(self) -> int:
        return sum(problem.level == "error" for problem in self.problems)


def check(
    path: Path, reader: Builder | Importer | None = None, progress: Progress | None = None
) -> Checked:
    """Reads the whole file by `reader`, or by what its rows are told to be."""
    shown, found = progress or Silent(), Checked()
    unanswerable: list[int] = []
    try:
        with part(shown, path.name):
            for item in items(path, reader):
                shown.advance()
                if isinstance(item, Row):
                    found.rows += 1
                    if reader is None and _unanswerable(item.record):
                        unanswerable.append(item.line)
                else:
                    found.problems.append(item)
    except UsageError as error:
        found.problems.append(_of_file(path, error))
    if unanswerable and recognise(path) == "musique":
        found.problems.append(_left_out(unanswerable))
    if not found.rows and not found.problems:
        found.problems.append(
            Problem("error", 0, "", f"{path} holds no row", "check the path, or build it again")
        )
    return found


def _unanswerable(record: Imported) -> bool:
    return (
        isinstance(record, Example)
        and isinstance(record.gold, AnswersGold)
        and not record.gold.answerable
    )


def _left_out(lines: list[int]) -> Problem:
    """Rows that are sound, but which the task does not ask unless told to."""
    count = f"{len(lines):,} unanswerable row{'s' if len(lines) > 1 else ''}"
    return Problem(
        "warning",
        lines[0],
        "answerable",
        f"{count} from here on, left out by the task musique",
        "keep them with --task musique --set builder.full=true",
    )


def _of_file(path: Path, error: UsageError) -> Problem:
    """An error that ended the reading, with the line and field that its cause begins with."""
    place = _PLACE.fullmatch(error.cause.removeprefix(str(path)))
    if place is None or not error.cause.startswith(str(path)):
        return Problem("error", 0, "", error.cause, error.fix)
    line, name, message = int(place["line"] or 0), place["field"] or "", place["message"]
    return Problem("error", line, name, message if line else error.cause, error.fix)

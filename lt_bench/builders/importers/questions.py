"""Tables with one candidate of evidence a row, read as questions.

The candidates of a question are brought together in two readings of the file: the first counts the
rows of each question, the second gives a question out when its last row is read. So memory holds
the questions that are open (one where a file is sorted, as published ones all but are; the whole
file where it is shuffled), and a count and an id for each question, some 200 bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from lt_bench.builders.importers.candidates import Asked, Candidate, Relevance, to_example
from lt_bench.builders.importers.table import TableRow, header
from lt_bench.builders.problem import Inspected, Problem, Row, strict, unique
from lt_bench.errors import UsageError
from lt_bench.records import Example


class QuestionFiles(ABC):
    """Reads files of one set of product questions. A subclass says what is in a file."""

    sought = "rows"
    """What an empty file is said to have none of."""

    @abstractmethod
    def questions(self, path: Path) -> Iterator[Inspected]:
        """The questions of a file, or what is wrong with each."""

    def inspect(self, path: Path) -> Iterator[Inspected]:
        """The same, with an error in place of every second question of one id.

        Raises:
            UsageError: the file holds none, or cannot be read further.
        """
        return unique(self._some(path))

    def read(self, path: Path) -> Iterator[Example]:
        """The questions of a file as Examples of commerce_qa. Warnings are logged.

        Raises:
            UsageError: at the first row that does not fit, with line, field and fix.
        """
        return strict(path, self.inspect(path))

    def _some(self, path: Path) -> Iterator[Inspected]:
        items = self.questions(path)
        first = next(items, None)
        if first is None:
            raise UsageError(f"{path} has no {self.sought}", "name a file that holds questions")
        yield from chain((first,), items)


class Refused(ValueError):
    """Raised while a question is put together: what is wrong, and on which line."""

    def __init__(self, line: int, field: str, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.problem = Problem("error", line, field, message, fix)


Rows = Sequence[TableRow]


def read_questions(
    scan: Callable[[], Iterator[TableRow | Problem]],
    key: Callable[[dict[str, str]], object],
    make: Callable[[Rows], Asked],
    filled: Sequence[str] = ("candidate",),
) -> Iterator[Inspected]:
    """Every question of a table as an Example, or what is wrong with it, in the order in which
    their last candidates stand in the file.

    Args:
        scan: starts one reading of the table.
        key: what the rows of one question have in common.
        make: the question that rows tell of; it may raise Refused.
        filled: columns whose empty cells earn a warning (published files have a few).
    """
    counts = Counter(key(row.values) for row in scan() if isinstance(row, TableRow))
    opened: dict[object, list[TableRow]] = {}
    for item in scan():
        if isinstance(item, Problem):
            yield item
            continue
        name = key(item.values)
        rows = opened.setdefault(name, [])
        rows.append(item)
        if len(rows) == counts[name]:
            yield from _made(opened.pop(name), make, filled)
    for rows in opened.values():  # only where the file grew between the readings
        yield from _made(rows, make, filled)


def _made(rows: Rows, make: Callable[[Rows], Asked], filled: Sequence[str]) -> Iterator[Inspected]:
    try:
        example = to_example(make(rows))
    except Refused as refused:
        yield refused.problem
        return
    for row in rows:
        for name in filled:
            if not row.values[name].strip():
                yield Problem("warning", row.line, name, "is empty", "fill it or remove the row")
    yield Row(rows[0].line, example)


def refuse_sets(path: Path, others: Mapping[str, str]) -> None:
    """Nothing, unless the header has a column by which a file of another set is known, which
    would be read wrongly rather than refused.

    Args:
        others: column (lower case) -> the importer whose files have it; the first one counts.

    Raises:
        UsageError: it has one.
    """
    names = {name.lower(): name for name in header(path)}
    for column, importer in others.items():
        if column in names:
            raise UsageError(
                f"{path}, line 1: the column {names[column]!r} makes this a file of {importer}",
                f"import it as {importer}",
            )


def shared(rows: Rows, *names: str) -> dict[str, str]:
    """The cells that all rows of a question must have in common.

    Raises:
        Refused: one is empty, or differs from row to row.
    """
    first = rows[0]
    for name in names:
        if not first.values[name].strip():
            raise Refused(first.line, name, "is empty", "every row needs it")
        for row in rows:
            if row.values[name] != first.values[name]:
                raise Refused(
                    row.line,
                    name,
                    f"is another one than on line {first.line}, of the same question",
                    "give the other question an id of its own",
                )
    return {name: first.values[name].strip() for name in names}


def candidates_of(
    rows: Rows, labels: Mapping[str, Relevance], source: str = ""
) -> tuple[Candidate, ...]:
    """One candidate a row, with the relevance that its label stands for. `source` holds for tables
    that have no column of it.

    Raises:
        Refused: a label is none of `labels`, or two candidates share an id.
    """
    lines: dict[str, int] = {}
    for row in rows:
        name = row.values["qa_pair_id"].strip()
        if not name:
            raise Refused(row.line, "qa_pair_id", "is empty", "every row needs it")
        if name in lines:
            raise Refused(
                row.line,
                "qa_pair_id",
                f"{name!r} is the candidate on line {lines[name]} already",
                "give every candidate of a question an id of its own",
            )
        lines[name] = row.line
    return tuple(
        Candidate(
            id=name,
            source=source or row.values.get("source", ""),
            text=row.values["candidate"],
            relevance=_relevance(row, labels),
        )
        for name, row in zip(lines, rows, strict=True)
    )


def _relevance(row: TableRow, labels: Mapping[str, Relevance]) -> Relevance:
    """The label of a row; tables saved by pandas have 2.0 for 2."""
    label = row.values["label"].strip()
    found = labels.get(label.removesuffix(".0"))
    if found is None:
        raise Refused(row.line, "label", f"{label!r} is no label", f"labels: {', '.join(labels)}")
    return found


def best_answers(rows: Rows, candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """The answers written from the best evidence: those in part ("I'm not sure but …") only where
    nothing answers in full."""
    for wanted in (2, 1):
        found = dict.fromkeys(
            answer
            for row, candidate in zip(rows, candidates, strict=True)
            if candidate.relevance == wanted and (answer := row.values.get("answer", "").strip())
        )
        if found:
            return tuple(found)
    return ()


def distinct(rows: Rows, name: str) -> tuple[str, ...]:
    """The cells of a column that hold something, equal ones once."""
    return tuple(dict.fromkeys(cell for row in rows if (cell := row.values[name].strip())))

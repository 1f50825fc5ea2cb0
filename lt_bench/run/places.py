"""Where the rows of a run lie in its journals, so that a million of them are read one at a time.

A journal is in the order in which answers came, a card in the order of the examples, and neither is
held in memory: only where each line begins.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import BinaryIO, Final, Generic, Self, TypeVar

from lt_bench.errors import RunError
from lt_bench.records import Example, Record, Sample, Scored, Status
from lt_bench.run.examples import ids_of
from lt_bench.run.heads import STATUSES, answer_heads, score_heads
from lt_bench.run.journal import Journal
from lt_bench.run.naming import named
from lt_bench.run.score import SILENT

Line = TypeVar("Line", bound=Record)

NO_LINE: Final = -1

OWED: Final[tuple[Status | None, ...]] = (None, "error")
"""What has no outcome yet, or only an infrastructure error."""


class Rows:
    """The samples that a run is about, numbered in the order of its examples."""

    def __init__(self, examples: Sequence[Example], samples: int) -> None:
        self.examples, self.samples = examples, samples
        self._ids = list(ids_of(examples))
        self._row = {name: row for row, name in enumerate(self._ids)}

    def __len__(self) -> int:
        return len(self.examples) * self.samples

    def number(self, example_id: str, sample_index: int) -> int | None:
        """The number of a sample; None for one that is not of this run."""
        row = self._row.get(example_id)
        known = row is not None and 0 <= sample_index < self.samples
        return row * self.samples + sample_index if row is not None and known else None

    def example(self, number: int) -> Example:
        return self.examples[number // self.samples]

    def id(self, number: int) -> str:
        """The id of the example of a sample."""
        return self._ids[number // self.samples]

    def named(self, number: int) -> str:
        return named(self.id(number), number % self.samples)


class Places(Generic[Line]):
    """The latest line of each sample in one journal; twelve bytes a sample are held.

    Lines are read inside a `with` block.
    """

    def __init__(self, journal: Journal[Line], rows: Rows) -> None:
        self.journal, self.rows = journal, rows
        self._offsets = array("q", [NO_LINE]) * len(rows)
        self._lengths = array("i", [0]) * len(rows)
        self._file: BinaryIO | None = None

    def put(self, number: int, offset: int, length: int) -> None:
        self._offsets[number], self._lengths[number] = offset, length

    def has(self, number: int) -> bool:
        return self._offsets[number] != NO_LINE

    def text(self, number: int) -> bytes:
        """The line of a sample that has one, as it stands in the file."""
        assert self._file is not None, "lines are read inside a with block"
        self._file.seek(self._offsets[number])
        return self._file.read(self._lengths[number])

    def read(self, number: int) -> Line:
        """The record of a sample that has one.

        Raises:
            RunError: the line is broken.
        """
        text = self.text(number)
        try:
            return self.journal.record(text, 0)
        except RunError:  # again, with the number of its line
            return self.journal.record(text, self._line(self._offsets[number]))

    def _line(self, offset: int) -> int:
        """The number of the line that begins there, counted from 1."""
        assert self._file is not None
        self._file.seek(0)
        line = 1
        while self._file.tell() < offset:
            line += 1
            self._file.readline()
        return line

    def __enter__(self) -> Self:
        # Without a file no sample has a line, and nothing is read.
        self._file = self.journal.path.open("rb") if self.journal.path.is_file() else None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


class Answers(Places[Sample]):
    """Where the outcome of each sample stands, and what it is.

    Raises:
        RunError: a sample was answered twice, which no run of lt-bench does, or is of another run.
    """

    def __init__(self, journal: Journal[Sample], rows: Rows) -> None:
        super().__init__(journal, rows)
        self._fates = bytearray(len(rows))
        for head in answer_heads(journal):
            number = rows.number(head.example_id, head.sample_index)
            if number is None:
                raise RunError(
                    f"{journal.path} answers {named(head.example_id, head.sample_index)}, "
                    "which is not asked in this run",
                    "delete that line, or name the data of this run",
                )
            if self.status(number) not in (None, "error"):
                raise RunError(
                    f"{journal.path} answers {rows.named(number)} twice",
                    "delete one of the two lines",
                )
            self._fates[number] = STATUSES.index(head.status) + 1
            self.put(number, head.offset, head.length)

    def status(self, number: int) -> Status | None:
        """None: no outcome yet."""
        fate = self._fates[number]
        return STATUSES[fate - 1] if fate else None

    def numbers(self) -> Iterator[int]:
        """The samples that have an outcome, in the order of the examples."""
        return (number for number in range(len(self.rows)) if self._fates[number])

    @property
    def done(self) -> int:
        """How many samples have an outcome."""
        return len(self._fates) - self._fates.count(0)

    @property
    def counts(self) -> dict[Status, int]:
        """How many have which, as a card of these answers counts them."""
        found = {status: self._fates.count(code) for code, status in enumerate(STATUSES, 1)}
        return {status: found[status] for status in sorted(found) if found[status]}


class Verdicts(Places[Scored]):
    """Where the scores of each sample stand that these scorers gave."""

    def __init__(self, journal: Journal[Scored], rows: Rows, scorers_sha: str) -> None:
        super().__init__(journal, rows)
        self._silent = bytearray(len(rows))
        for head in score_heads(journal):
            number = rows.number(head.example_id, head.sample_index)
            if head.scorers_sha == scorers_sha and number is not None:
                self._silent[number] = not head.reasons.isdisjoint(SILENT)
                self.put(number, head.offset, head.length)

    def owes(self, number: int) -> bool:
        """Whether a sample has no scores yet, or a judge was silent on it."""
        return not self.has(number) or bool(self._silent[number])


def owing(answers: Answers, scores: Verdicts) -> list[int]:
    """The answers that have no scores yet, or on which a judge was silent. A failed request has none
    to come: its answer is owed first."""
    return [
        number
        for number in answers.numbers()
        if scores.owes(number) and answers.status(number) != "error"
    ]

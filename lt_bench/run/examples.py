"""The rows of a run: few of them in memory, many on disk, so that a large run needs hardly more.

A row of several documents takes some ten kilobytes as a record. The first `HELD` stay records; the
others are written to a temporary file once they have been read and checked, and read back one by one.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Final, overload

from pydantic_core import PydanticSerializationError

from lt_bench.errors import RunError
from lt_bench.records import Example

HELD: Final = 2048
"""Rows that stay in memory."""


class Examples(Sequence[Example]):
    """Rows in order, by number. `ids` are their ids.

    Raises:
        RunError: the disk that holds temporary files is full.
    """

    def __init__(self, rows: Iterable[Example], held: int = HELD) -> None:
        self.ids: list[str] = []
        self._held: dict[int, Example] = {}
        self._ends = array("q", [0])
        self._file: IO[bytes] | None = None
        for number, row in enumerate(rows):
            self.ids.append(row.id)
            if number < held or not self._put(row):
                self._held[number] = row
                self._ends.append(self._ends[-1])
        self._flush()

    def _flush(self) -> None:
        if self._file is not None:
            with _told():
                self._file.flush()

    def _put(self, row: Example) -> bool:
        """Writes a row; False for one that JSON cannot hold (half a surrogate pair)."""
        try:
            line = row.__pydantic_serializer__.to_json(row)
        except PydanticSerializationError:
            return False
        with _told():
            self._file = self._file or _temporary()
            self._file.write(line)
        self._ends.append(self._ends[-1] + len(line))
        return True

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, number: int) -> Example: ...
    @overload
    def __getitem__(self, number: slice) -> list[Example]: ...
    def __getitem__(self, number: int | slice) -> Example | list[Example]:
        if isinstance(number, slice):
            return [self._at(one) for one in range(*number.indices(len(self)))]
        place = number + len(self) if number < 0 else number
        if not 0 <= place < len(self):
            raise IndexError(number)
        return self._at(place)

    def __iter__(self) -> Iterator[Example]:
        return (self._at(number) for number in range(len(self)))

    def _at(self, number: int) -> Example:
        if number in self._held:
            return self._held[number]
        assert self._file is not None
        start, end = self._ends[number], self._ends[number + 1]
        return Example.model_validate_json(os.pread(self._file.fileno(), end - start, start))


@contextmanager
def _told() -> Iterator[None]:
    """Says what a folder of temporary files that takes no more means."""
    try:
        yield
    except OSError as error:
        raise RunError(
            f"the rows do not fit into the folder of temporary files: {error.strerror}",
            "free some space there, or name another folder: TMPDIR=…",
        ) from error


def _temporary() -> IO[bytes]:
    import tempfile

    return tempfile.TemporaryFile(prefix="lt-bench-")


class Part(Sequence[Example]):
    """Some of other rows, by their numbers there; nothing is copied."""

    def __init__(
        self, whole: Sequence[Example], ids: Sequence[str], numbers: Sequence[int]
    ) -> None:
        self.whole, self.numbers = whole, numbers
        self.ids = [ids[number] for number in numbers]

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, number: int) -> Example: ...
    @overload
    def __getitem__(self, number: slice) -> list[Example]: ...
    def __getitem__(self, number: int | slice) -> Example | list[Example]:
        if isinstance(number, slice):
            return [self.whole[one] for one in self.numbers[number]]
        return self.whole[self.numbers[number]]


def ids_of(examples: Sequence[Example]) -> Iterable[str]:
    """Their ids, without reading the rows where they are on disk."""
    if isinstance(examples, Examples | Part):
        return examples.ids
    return (one.id for one in examples)

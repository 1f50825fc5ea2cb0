"""An append-only file of records that survives kill -9: a finished row is never lost or doubled.

Each record is one line and one `write`. A torn last line (the process died inside the write) is
cut off when the journal is next opened: its work is owed again. `fsync` is grouped, so that a
power cut loses at most one group.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from lt_bench.errors import RunError
from lt_bench.records import Record
from lt_bench.run.disk import cannot_write, sync_folder
from lt_bench.run.syncing import Syncer

Line = TypeVar("Line", bound=Record)


class Journal(Generic[Line]):
    """Lines of one kind of record in one file. Iterating reads; `append` needs an open journal.

    Fields at their default are left out, unless `in_full`: an Example needs them, since the kind of
    its gold is such a field.
    """

    def __init__(self, path: Path, line: type[Line], *, in_full: bool = False) -> None:
        self.path, self.line, self.in_full = path, line, in_full
        self._file: int | None = None
        self._syncer: Syncer | None = None

    def __iter__(self) -> Iterator[Line]:
        """Every whole record in file order.

        Raises:
            RunError: a line before the last cannot be read; the file was edited or the disk failed.
        """
        for number, text in enumerate(self.lines(), 1):
            yield self.record(text, number)

    def lines(self) -> Iterator[bytes]:
        """Every whole line with its line end; one that is still being written is none yet."""
        if not self.path.is_file():
            return
        with self.path.open("rb") as file:
            for text in file:
                if not text.endswith(b"\n"):
                    return
                yield text

    def record(self, text: bytes, number: int) -> Line:
        """The record of one line.

        Raises:
            RunError: it holds none; `number`, counted from 1, says where it stands.
        """
        try:
            return self.line.model_validate_json(text)
        except ValidationError as error:
            raise RunError(
                f"{self.path}, line {number} is not a {self.line.__name__}: "
                f"{error.errors()[0]['msg']}",
                "delete that line; its work is done again on resume",
            ) from error

    def __enter__(self) -> Self:
        is_new = not self.path.exists()
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            _cut_torn_line(self._file)
        except OSError as error:
            self.__exit__()
            raise cannot_write(self.path, error) from error
        if is_new:
            sync_folder(self.path.parent)
        self._syncer = Syncer(self.path, self._file)
        return self

    def __exit__(self, *exc: object) -> None:
        file, syncer = self._file, self._syncer
        self._file = self._syncer = None
        try:
            if syncer is not None:
                syncer.close()
        finally:
            if file is not None:
                os.close(file)

    def append(self, record: Line) -> Line:
        """Writes one record at once. Returns it as it will be read: half a character (a lone
        surrogate), which JSON cannot hold, becomes U+FFFD, as it does where models decode.

        Raises:
            RunError: the disk is full, or the file is gone. The rows before are safe, and half a row
                is cut off.
        """
        syncer = self._syncer
        assert syncer is not None, "append needs an open journal"
        file = syncer.file
        try:
            line = self._text(record)
        except PydanticSerializationError:
            record = self.line.model_validate(_whole_characters(record.model_dump()))
            line = self._text(record)
        try:
            written = os.write(file, line)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        if written != len(line):
            os.ftruncate(file, os.fstat(file).st_size - written)
            raise cannot_write(self.path, None)
        syncer.wrote()
        return record

    def _text(self, record: Line) -> bytes:
        serializer = record.__pydantic_serializer__
        return serializer.to_json(record, exclude_defaults=not self.in_full) + b"\n"

    def sync(self) -> None:
        """Brings what was written to the disk itself.

        Raises:
            RunError: the disk refuses, or the file is gone.
        """
        if self._syncer is not None:
            self._syncer.sync()


def _whole_characters(value: Any) -> Any:
    """A dumped record with every half character replaced."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_whole_characters(key): _whole_characters(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_whole_characters(one) for one in value]
    return value


def _cut_torn_line(file: int) -> None:
    whole = _whole_lines(file)
    if whole != os.fstat(file).st_size:
        os.ftruncate(file, whole)


def _whole_lines(file: int) -> int:
    """Length of the file up to and with its last line end."""
    size = os.fstat(file).st_size
    block = 1 << 16
    end = size
    while end > 0:
        start = max(0, end - block)
        newline = os.pread(file, end - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0

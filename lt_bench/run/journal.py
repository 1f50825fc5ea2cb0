"""An append-only file of records that survives kill -9: a finished row is never lost or doubled.

Each record is one line and one `write`. A torn last line (the process died inside the write) is
cut off when the journal is next opened: its work is owed again. `fsync` is grouped, so that a
power cut loses at most one group.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, Self, TypeVar

from pydantic import ValidationError

from lt_bench.errors import RunError
from lt_bench.records import Record

Line = TypeVar("Line", bound=Record)

GROUP_ROWS = 64
GROUP_SECONDS = 0.2


class Journal(Generic[Line]):
    """Lines of one kind of record in one file. Iterating reads; `append` needs an open journal.

    Fields at their default are left out, unless `in_full`: an Example needs them, since the kind of
    its gold is such a field.
    """

    def __init__(self, path: Path, line: type[Line], *, in_full: bool = False) -> None:
        self.path, self.line, self.in_full = path, line, in_full
        self._file: int | None = None
        self._unsynced, self._synced_at = 0, time.monotonic()

    def __iter__(self) -> Iterator[Line]:
        """Every whole record in file order.

        Raises:
            RunError: a line before the last cannot be read; the file was edited or the disk failed.
        """
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            for number, text in enumerate(file, 1):
                if not text.endswith(b"\n"):
                    return
                try:
                    yield self.line.model_validate_json(text)
                except ValidationError as error:
                    raise RunError(
                        f"{self.path}, line {number} is not a {self.line.__name__}: "
                        f"{error.errors()[0]['msg']}",
                        "delete that line; its work is done again on resume",
                    ) from error

    def __enter__(self) -> Self:
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise _disk(self.path, error) from error
        os.ftruncate(self._file, _whole_lines(self._file))
        return self

    def __exit__(self, *exc: object) -> None:
        if self._file is not None:
            self.sync()
            os.close(self._file)
            self._file = None

    def append(self, record: Line) -> None:
        """Writes one record at once.

        Raises:
            RunError: the disk is full, or the file is gone. The rows before are safe, and half a row
                is cut off.
        """
        assert self._file is not None, "append needs an open journal"
        text = record.model_dump_json(exclude_defaults=not self.in_full)
        line = text.encode("utf-8", "replace") + b"\n"
        before = os.fstat(self._file)
        if not before.st_nlink:
            raise RunError(
                f"{self.path} was deleted while the run went on",
                "run the same command again; it begins anew",
            )
        try:
            written = os.write(self._file, line)
        except OSError as error:
            raise _disk(self.path, error) from error
        if written != len(line):
            os.ftruncate(self._file, before.st_size)
            raise _disk(self.path, None)
        self._unsynced += 1
        if self._unsynced >= GROUP_ROWS or time.monotonic() - self._synced_at >= GROUP_SECONDS:
            self.sync()

    def sync(self) -> None:
        """Brings what was written to the disk itself. Safe beside `append` in another thread."""
        rows = self._unsynced
        if self._file is not None and rows:
            os.fsync(self._file)
            self._unsynced -= rows
        self._synced_at = time.monotonic()


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


def _disk(path: Path, error: OSError | None) -> RunError:
    reason = error.strerror if error else "no space left on the device"
    return RunError(
        f"cannot write {path}: {reason}",
        "free some space, then run the same command again: finished rows are kept",
    )

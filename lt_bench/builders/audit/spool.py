"""Byte strings kept in order outside the memory, and read back by number."""

from __future__ import annotations

import tempfile
import weakref
from array import array

from lt_bench.errors import RunError

IN_MEMORY = 4 * 2**20
"""Bytes that are kept before a temporary file is opened."""


class Spool:
    """Grows by `add`; the file has no name and is gone with the object.

    Raises:
        RunError: the disk for temporary files does not take it.
    """

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        self._ends = array("Q", [0])
        self._at_end = True
        self.close = weakref.finalize(self, self._file.close)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, data: bytes) -> None:
        try:
            if not self._at_end:
                self._file.seek(0, 2)
                self._at_end = True
            self._file.write(data)
        except OSError as error:
            raise _full(error) from error
        self._ends.append(self._ends[-1] + len(data))

    def __getitem__(self, number: int) -> bytes:
        start, end = self._ends[number], self._ends[number + 1]
        try:
            self._at_end = False
            self._file.seek(start)
            return self._file.read(end - start)
        except OSError as error:
            raise _full(error) from error


def _full(error: OSError) -> RunError:
    return RunError(
        f"the audit cannot keep its temporary file: {error.strerror or error}",
        "free space, or set TMPDIR to another folder",
    )

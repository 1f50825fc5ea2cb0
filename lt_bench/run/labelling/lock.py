"""A lock between processes: one writes, the others wait their turn."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> None:
        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            except OSError:
                time.sleep(0.02)
            else:
                return
else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds `path` (made where it is not) until the block ends, or the process does.

    Raises:
        OSError: it cannot be opened.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _take(file)
        yield
    finally:
        os.close(file)

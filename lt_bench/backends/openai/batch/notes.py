"""Lines on the disk that a process which dies leaves behind, and the locks that go with it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import orjson

from lt_bench.errors import RunError


def open_file(path: Path) -> int:
    """A handle that appends; the file is made where there is none.

    Raises:
        RunError: it cannot be.
    """
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as error:
        raise unwritable(path, error) from error


def append(path: Path, handle: int, line: dict[str, Any], *, sync: bool = True) -> None:
    """Adds a line; unless `sync` is false, it is on the disk itself afterwards.

    Raises:
        RunError: the disk takes no more.
    """
    try:
        data = orjson.dumps(line) + b"\n"
        while data:
            data = data[os.write(handle, data) :]
        if sync:
            os.fsync(handle)
    except OSError as error:
        raise unwritable(path, error) from error


def sync_folder(folder: Path) -> None:
    """The name of a new file is on the disk as well."""
    with contextlib.suppress(OSError):  # not every system can
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def unwritable(path: Path, error: OSError) -> RunError:
    """The disk takes no more."""
    return RunError(
        f"cannot write {path}: {error.strerror}",
        "free some space there, or name another folder: export LT_BENCH_CACHE=FOLDER",
    )


def lock(handle: int, *, wait: bool) -> bool:
    """Whether this process got the lock; it goes with the process, however it dies."""
    try:
        import fcntl
    except ImportError:  # Windows has no flock; there two commands at once are the user's to avoid.
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:  # Some network disks have no locks either.
        return True
    return True

"""Who may write a run: one process at a time, and none while others read it at rest."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lt_bench.errors import UsageError
from lt_bench.run.disk import cannot_write


@contextmanager
def written(lock: Path, *, busy: str = "written") -> Iterator[None]:
    """Holds the folder of this lock file for this process; `busy` is what is being done to it.

    Raises:
        UsageError: another process holds it.
        RunError: the file cannot be made.
    """
    try:
        file = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise cannot_write(lock, error) from error
    with _held(lock, file, shared=False, busy=busy):
        yield


@contextmanager
def read(lock: Path) -> Iterator[None]:
    """Holds it together with other readers. Where it cannot be held (a read-only disk), nobody can
    write it either.

    Raises:
        UsageError: another process writes it.
    """
    try:
        file = os.open(lock, os.O_RDONLY)
    except OSError:
        yield
        return
    with _held(lock, file, shared=True, busy="written"):
        yield


@contextmanager
def waited_for(folder: Path) -> Iterator[None]:
    """Holds a folder for this process, and waits while another does. Where none can be held (Windows, some
    network disks) nobody waits."""
    try:
        import fcntl

        file = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


@contextmanager
def _held(lock: Path, file: int, *, shared: bool, busy: str) -> Iterator[None]:
    try:
        if not _lock(file, shared=shared):
            raise UsageError(f"{lock.parent} is being {busy} by another process", "wait for it")
        yield
    finally:
        os.close(file)


def _lock(file: int, *, shared: bool) -> bool:
    """Whether this process got the lock; it goes with the process, however it dies."""
    try:
        import fcntl
    except ImportError:  # Windows has no flock; there a doubled row is found when it is read.
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # Some network disks have no locks either.
        return True
    return True

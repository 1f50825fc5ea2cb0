"""Brings what was written to a file to the disk itself, in groups, beside the work and not in its way.

A thread of its own syncs after half a group or `GROUP_SECONDS`, whichever comes first. A whole group
that still waits holds up the writer: no more than that is ever lost to a power cut.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Final

from lt_bench.errors import RunError
from lt_bench.run.disk import cannot_write

GROUP_ROWS: Final = 64
GROUP_SECONDS: Final = 0.2


class Syncer:
    """Of one open file. The thread begins with the first row and ends with `close`."""

    def __init__(self, path: Path, file: int) -> None:
        self.path, self.file = path, file
        self._written = self._synced = 0
        self._syncing = threading.Lock()
        self._due, self._closed = threading.Event(), False
        self._thread: threading.Thread | None = None
        self._error: RunError | None = None

    def wrote(self) -> None:
        """One more row was written.

        Raises:
            RunError: rows before it did not reach the disk, or the file is gone.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="journal sync", daemon=True)
            self._thread.start()
        self._written += 1
        waiting = self._written - self._synced
        if waiting >= GROUP_ROWS:
            self.sync()
        elif waiting >= GROUP_ROWS // 2 and not self._due.is_set():
            self._due.set()
        if self._error:
            raise self._error

    def sync(self) -> None:
        """Waits until everything that was written so far is on the disk.

        Raises:
            RunError: the disk refuses, or the file is gone.
        """
        with self._syncing:
            rows = self._written
            if rows > self._synced:
                self._reach_disk()
                self._synced = rows
        if self._error:
            raise self._error

    def close(self) -> None:
        """Ends the thread and syncs the rest."""
        self._closed = True
        self._due.set()
        if self._thread is not None:
            self._thread.join()
        self.sync()

    def _reach_disk(self) -> None:
        try:
            os.fsync(self.file)
            if not os.fstat(self.file).st_nlink:
                self._error = RunError(
                    f"{self.path} was deleted while the run went on",
                    "run the same command again: what was in it is done anew",
                )
        except OSError as error:
            self._error = cannot_write(self.path, error)

    def _work(self) -> None:
        while not self._closed and self._error is None:
            self._due.wait(GROUP_SECONDS)
            self._due.clear()
            with self._syncing:
                rows = self._written
                if rows > self._synced:
                    self._reach_disk()
                    self._synced = rows

"""Batches that this machine has begun, on disk, so that a command that died finds its own again.

One file for each batch (entry), in a folder for each server and model. Whose process holds a file's lock
is at work on it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from lt_bench.backends.openai.batch.asked import Asked
from lt_bench.backends.openai.batch.entry import Entry, read_entry
from lt_bench.backends.openai.batch.notes import append, lock, open_file, sync_folder, unwritable
from lt_bench.backends.openai.dialect import Dialect

KEPT: Final = 30 * 86400.0
"""Seconds after which a batch is forgotten: its files are gone from the server as well."""


class Ledger:
    """The batches of one server and model. Those that hold requests of this process are its own until
    it is closed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.held: list[Entry] = []

    def begin(self, asked: Sequence[Asked], dialect: Dialect) -> Entry:
        """Notes that these requests are about to be sent as one batch.

        Raises:
            RunError: the disk takes no more.
        """
        tag = f"lt-bench-{secrets.token_hex(12)}"
        names = [one.id for one in asked]
        first = {
            "tag": tag,
            "made": time.time(),
            "dialect": asdict(dialect),
            "attempts": {str(i): one.attempts for i, one in enumerate(asked) if one.attempts > 1},
            "expired": [i for i, one in enumerate(asked) if one.expired],
            "ids": names,
        }
        path = self.folder / f"{tag}.jsonl"
        with self._locked():
            handle = open_file(path)
            lock(handle, wait=True)
            append(path, handle, first)
            sync_folder(self.folder)
        for older in self.held:
            older.hand_out(names)
        entry = Entry(path, handle, [first])
        self.held.append(entry)
        return entry

    def holding(self, names: Collection[str]) -> dict[Entry, list[str]]:
        """The newest batch for each of these requests that is in one, unless it failed there.

        Raises:
            RunError: a note is damaged.
        """
        wanted = set(names)
        with self._locked():
            self._take_in(wanted)
        found: dict[Entry, list[str]] = {}
        for entry in sorted(self.held, key=lambda one: one.made, reverse=True):
            here = [name for name in entry.ids if name in wanted and entry.may_answer(name)]
            if here:
                found[entry] = here
            wanted.difference_update(entry.ids)
        return found

    def _take_in(self, wanted: set[str]) -> None:
        """Holds those of the files that nobody is at work on and that hold one of these."""
        held = {entry.path for entry in self.held}
        for path in sorted(set(self.folder.glob("*.jsonl")) - held):
            entry = read_entry(path)
            if entry is None:
                continue
            if time.time() - entry.made > KEPT:
                entry.forget()
            elif wanted.isdisjoint(entry.ids):
                entry.release()
            else:
                self.held.append(entry)

    def drop(self, entry: Entry) -> None:
        """Nothing came of it."""
        entry.forget()
        self.held.remove(entry)

    def close(self, *, in_peace: bool) -> None:
        """Lets go. What this process has finished is forgotten, if it ends `in_peace`: before that,
        nobody knows whether the last answers were kept."""
        for entry in self.held:
            if in_peace and entry.finished:
                entry.forget()
            else:
                entry.release()
        self.held.clear()

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """One process at a time looks at the files, so that each finds its own unheld."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(self.folder, error) from error
        handle = open_file(self.folder / ".lock")
        try:
            lock(handle, wait=True)
            yield
        finally:
            os.close(handle)

"""Batches that this machine has begun, on disk, so that a command that died finds its own again.

One file for each batch, in a folder for each server and model. A file begins with the intention, before
anything is at the server, and grows by a line for each step; whose process holds its lock is at work
on it. Files hold names of requests (hashes) and ids of the server's: no prompt, no answer, no secret.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import orjson

from lt_bench.backends.openai.batch.asked import Asked
from lt_bench.backends.openai.dialect import Dialect
from lt_bench.errors import RunError

KEPT: Final = 30 * 86400.0
"""Seconds after which a batch is forgotten: its files are gone from the server as well."""


class Entry:
    """One batch. `file` and `batch` are the server's ids, "" until they are known; `handed` are the
    places of the requests that have their outcome; `given_up`: somebody cancelled it, and was told."""

    def __init__(self, path: Path, handle: int, lines: Sequence[dict[str, Any]]) -> None:
        self.path, self._handle = path, handle
        first = lines[0]
        self.tag: str = first["tag"]
        self.made: float = first["made"]
        self.ids: list[str] = first["ids"]
        self.dialect = Dialect(**first["dialect"])
        self._attempts: dict[str, int] = first["attempts"]
        self._expired = set(first["expired"])
        self._places = {name: place for place, name in enumerate(self.ids)}
        self.file = self.batch = ""
        self.given_up = False
        self.handed: set[int] = set()
        for line in lines[1:]:
            self._take(line)

    def _take(self, line: dict[str, Any]) -> None:
        self.file = line.get("file", self.file)
        self.batch = line.get("batch", self.batch)
        self.given_up = line.get("given_up", self.given_up)
        self.handed.update(line.get("handed", ()))

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def recall(self, asked: Asked) -> None:
        """What this batch knows of the earlier ones that a request was in."""
        place = self._places[asked.id]
        asked.attempts = self._attempts.get(str(place), 1)
        asked.expired = place in self._expired

    def uploaded(self, file: str) -> None:
        self._note({"file": file})

    def created(self, batch: str) -> None:
        self._note({"batch": batch})

    def give_up(self) -> None:
        self._note({"given_up": True})

    def hand_out(self, names: Collection[str]) -> None:
        """These requests have their outcome, or are asked again in a newer batch."""
        places = {self._places[name] for name in names if name in self._places} - self.handed
        if places:
            self._note({"handed": sorted(places)}, sync=False)

    @property
    def finished(self) -> bool:
        """Every request of it has its outcome."""
        return len(self.handed) == len(self.ids)

    def _note(self, line: dict[str, Any], *, sync: bool = True) -> None:
        _append(self.path, self._handle, line, sync=sync)
        self._take(line)

    def forget(self) -> None:
        """Nothing of it is needed any more."""
        with contextlib.suppress(OSError):
            self.path.unlink()
        self.release()

    def release(self) -> None:
        """Leaves it to whoever asks for its requests next."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


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
            handle = _open(path)
            _lock(handle, wait=True)
            _append(path, handle, first)
            _sync_folder(self.folder)
        for older in self.held:
            older.hand_out(names)
        entry = Entry(path, handle, [first])
        self.held.append(entry)
        return entry

    def holding(self, names: Collection[str]) -> dict[Entry, list[str]]:
        """The newest batch for each of these requests that is in one."""
        wanted = set(names)
        with self._locked():
            self._take_in(wanted)
        found: dict[Entry, list[str]] = {}
        for entry in sorted(self.held, key=lambda one: one.made, reverse=True):
            here = [name for name in entry.ids if name in wanted]
            if here:
                found[entry] = here
                wanted.difference_update(here)
        return found

    def _take_in(self, wanted: set[str]) -> None:
        """Holds those of the files that nobody is at work on and that hold one of these."""
        held = {entry.path for entry in self.held}
        for path in sorted(set(self.folder.glob("*.jsonl")) - held):
            entry = _read(path)
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
            raise _unwritable(self.folder, error) from error
        handle = _open(self.folder / ".lock")
        try:
            _lock(handle, wait=True)
            yield
        finally:
            os.close(handle)


def _read(path: Path) -> Entry | None:
    """The batch in a file; None where another process is at work on it, or it holds none."""
    handle = _open(path)
    if not _lock(handle, wait=False):
        os.close(handle)
        return None
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1  # the last line is torn where its writer died
    try:
        os.ftruncate(handle, whole)
        return Entry(path, handle, [orjson.loads(line) for line in data[:whole].splitlines()])
    except (orjson.JSONDecodeError, LookupError, TypeError, OSError):
        # Not even the intention was written: nothing is at the server.
        path.unlink(missing_ok=True)
        os.close(handle)
        return None


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as error:
        raise _unwritable(path, error) from error


def _append(path: Path, handle: int, line: dict[str, Any], *, sync: bool = True) -> None:
    try:
        data = orjson.dumps(line) + b"\n"
        while data:
            data = data[os.write(handle, data) :]
        if sync:
            os.fsync(handle)
    except OSError as error:
        raise _unwritable(path, error) from error


def _sync_folder(folder: Path) -> None:
    """The name of a new file is on the disk as well."""
    with contextlib.suppress(OSError):  # not every system can
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _unwritable(path: Path, error: OSError) -> RunError:
    return RunError(
        f"cannot write {path}: {error.strerror}",
        "free some space there, or name another folder: export LT_BENCH_CACHE=FOLDER",
    )


def _lock(handle: int, *, wait: bool) -> bool:
    """Whether this process got the lock; it goes with the process, however it dies."""
    try:
        import fcntl
    except ImportError:  # Windows has no flock; there two commands at once are the user's to avoid.
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True

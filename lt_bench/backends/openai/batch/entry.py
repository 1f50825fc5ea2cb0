"""One batch as this machine remembers it: a file that begins with the intention and grows by a line for each
step. It holds names of requests (hashes) and ids of the server's: no prompt, no answer, no secret."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import orjson

from lt_bench.backends.openai.batch.asked import Asked
from lt_bench.backends.openai.batch.notes import append, lock, open_file
from lt_bench.backends.openai.dialect import Dialect


class Entry:
    """One batch. `file` and `batch` are the server's ids, "" until they are known; `handed` are the
    places of the requests that have their outcome; `given_up`: somebody cancelled it, and was told."""

    def __init__(self, path: Path, handle: int, lines: Sequence[dict[str, Any]]) -> None:
        self.path, self._handle = path, handle
        first = lines[0]
        self.tag: str = first["tag"]
        self.made: float = first["made"]
        self.ids: list[str] = first["ids"]
        self.dialect = _dialect(first["dialect"])
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
        append(self.path, self._handle, line, sync=sync)
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


def read_entry(path: Path) -> Entry | None:
    """The batch in a file; None where another process is at work on it, or it holds none."""
    handle = open_file(path)
    if not lock(handle, wait=False):
        os.close(handle)
        return None
    try:
        lines, size = _lines(path.read_bytes())
        os.ftruncate(handle, size)
        return Entry(path, handle, lines)
    except (LookupError, TypeError, ValueError, OSError):
        # Not even the intention was written: nothing is at the server. Or whoever held it has just
        # taken it away.
        path.unlink(missing_ok=True)
        os.close(handle)
        return None


def _lines(data: bytes) -> tuple[list[dict[str, Any]], int]:
    """The lines up to the first that is torn, as the last one is where its writer died, and their
    size."""
    lines, size = list[dict[str, Any]](), 0
    for line in data.splitlines(keepends=True):
        try:
            found = orjson.loads(line) if line.endswith(b"\n") else None
        except orjson.JSONDecodeError:
            break
        if not isinstance(found, dict):
            break
        lines.append(found)
        size += len(line)
    return lines, size


def _dialect(told: dict[str, Any]) -> Dialect:
    """As another version of lt-bench may have written it: what this one does not know is left out."""
    known = {field.name for field in fields(Dialect)}
    return Dialect(**{name: value for name, value in told.items() if name in known})

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
from lt_bench.errors import RunError


class Entry:
    """One batch. `file` and `batch` are the server's ids, "" until they are known; `handed` are the
    places of the requests that have their outcome, `failed` those among them that the next command asks
    anew; `given_up`: somebody cancelled it, and was told."""

    def __init__(self, path: Path, handle: int, lines: Sequence[dict[str, Any]]) -> None:
        self.path, self._handle = path, handle
        first = lines[0]
        self.tag: str = first["tag"]
        self.made = float(first["made"])
        self.ids: list[str] = first["ids"]
        self.dialect = _dialect(first["dialect"])
        self._attempts: dict[str, int] = dict(first["attempts"])
        self._expired = set(first["expired"])
        self._places = {name: place for place, name in enumerate(self.ids)}
        self.file = self.batch = ""
        self.given_up = False
        self.handed: set[int] = set()
        self.failed: set[int] = set()
        for line in lines[1:]:
            self._take(line)

    def _take(self, line: dict[str, Any]) -> None:
        self.file = line.get("file", self.file)
        self.batch = line.get("batch", self.batch)
        self.given_up = line.get("given_up", self.given_up)
        self.handed.update(line.get("handed", ()))
        self.failed.update(line.get("failed", ()))

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

    def fail(self, names: Collection[str]) -> None:
        """This batch has no answer to these, however often it is read."""
        places = {self._places[name] for name in names if name in self._places} - self.failed
        if places:
            self._note({"failed": sorted(places)}, sync=False)

    def may_answer(self, name: str) -> bool:
        """It holds this request, and nobody has seen it fail."""
        return name in self._places and self._places[name] not in self.failed

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
    """The batch in a file; None where another process is at work on it, or nothing was begun.

    Raises:
        RunError: it cannot be read: a batch may be at the server, and paid.
    """
    handle = open_file(path)
    if not lock(handle, wait=False):
        os.close(handle)
        return None
    try:
        lines = _lines(handle, path.read_bytes())
        if not lines:
            # Not even the intention was written, so nothing is at the server; or whoever held the
            # file has just taken it away.
            path.unlink(missing_ok=True)
            os.close(handle)
            return None
        return Entry(path, handle, lines)
    except FileNotFoundError:
        os.close(handle)
        return None
    except (AttributeError, LookupError, TypeError, ValueError, OSError) as error:
        os.close(handle)
        raise RunError(
            f"{path}, which tells of a batch that may be paid, cannot be read: {error}",
            "delete it, and its rows are asked and paid for again",
        ) from error


def _lines(handle: int, data: bytes) -> list[dict[str, Any]]:
    """The lines of a note. A last one that is torn, where its writer died, is cut off; one that is torn
    further up says nothing, and the first must be whole.

    Raises:
        ValueError: it is not.
    """
    whole = data.rfind(b"\n") + 1
    os.ftruncate(handle, whole)
    first, *rest = data[:whole].splitlines() or [b""]
    if not whole:
        return []
    found = [orjson.loads(first)]
    for line in rest:
        with contextlib.suppress(orjson.JSONDecodeError):
            found.append(orjson.loads(line))
    return found


def _dialect(told: dict[str, Any]) -> Dialect:
    """As another version of lt-bench may have written it: what this one does not know is left out."""
    known = {field.name for field in fields(Dialect)}
    return Dialect(**{name: value for name, value in told.items() if name in known})

"""The latest line of each sample in a journal, whatever state the journal is in.

A run counts on whole journals and refuses damaged ones. Who looks at rows wants to see the others:
what cannot be read is counted and told, and nothing is raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Generic, TypeVar

import orjson

from lt_bench.errors import RunError
from lt_bench.records import Record
from lt_bench.run.journal import Journal

Line = TypeVar("Line", bound=Record)

Key = tuple[str, int]
"""Id of the example and number of the sample."""
_MOST_SAMPLES: Final = 1_000_000


class Latest(Generic[Line]):
    """Where the latest line of each sample stands. `problems` says what was left out; `shas` are the
    scorers that wrote the lines, where scorers did, the latest last.

    scorers: lines of other scorers are passed over.
    """

    def __init__(self, journal: Journal[Line], scorers: str | None = None) -> None:
        self.journal = journal
        self.problems: list[str] = []
        self.shas: dict[str, None] = {}
        self._places: dict[Key, tuple[int, int]] = {}
        offset = broken = 0
        for text in journal.lines():
            key, sha = _head(text)
            if key is None:
                broken += 1
            else:
                self.shas.pop(sha, None)
                self.shas[sha] = None
                if scorers is None or sha == scorers:
                    self._places[key] = (offset, len(text))
            offset += len(text)
        self._tell(broken, offset)

    def _tell(self, broken: int, end: int) -> None:
        name = self.journal.path.name
        if broken:
            lines = "1 line" if broken == 1 else f"{broken} lines"
            self.problems.append(f"{name}: {lines} cannot be read and are left out")
        if self.journal.path.is_file() and self.journal.path.stat().st_size > end:
            self.problems.append(f"{name}: its last line is half written and is left out")

    @property
    def keys(self) -> Iterable[Key]:
        """In the order in which they first came."""
        return self._places

    def read(self, keys: Iterable[Key]) -> Iterator[Line | None]:
        """The records of these samples, one by one; None for one that has no line that can be read."""
        if not self.journal.path.is_file():
            yield from (None for _ in keys)
            return
        with self.journal.path.open("rb") as file:
            for key in keys:
                place = self._places.get(key)
                if place is None:
                    yield None
                    continue
                file.seek(place[0])
                yield self._record(file.read(place[1]))

    def _record(self, text: bytes) -> Line | None:
        try:
            return self.journal.record(text, 0)
        except RunError as error:
            said = str(error.cause).partition(" is not a ")[2] or error.cause
            self.problems.append(f"{self.journal.path.name}: a line is not a {said}")
            return None


def _head(text: bytes) -> tuple[Key | None, str]:
    """Whose line it is, and which scorers wrote it ("" for an answer); None where it says neither."""
    try:
        line: Any = orjson.loads(text)
        key = line["key"]
        example_id, index, sha = key["example_id"], key["sample_index"], line.get("scorers_sha", "")
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        return None, ""
    known = isinstance(example_id, str) and isinstance(index, int) and isinstance(sha, str)
    return ((example_id, index), sha) if known and 0 <= index < _MOST_SAMPLES else (None, "")

"""The labels file: rows of `Labelled`, one for each reply that one person has labelled.

    {"id": "q7#1f0c", "example": {…}, "reply": "…", "labels": [{"annotator": "ann", "correct": true}]}

It is what `judge calibrate --labels` reads, at every moment. A new label is appended; a changed one
replaces the file in one step. Several people may write at once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from lt_bench import jsonl
from lt_bench.calibration.consensus import LabelField
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Example, HumanLabel, Labelled
from lt_bench.run.disk import write_whole
from lt_bench.run.journal import Journal
from lt_bench.run.labelling.lock import locked

_BEGIN: Final = b'{"id":'


class LabelFile:
    """Everybody's labels in one file. What others add shows at the next reading."""

    def __init__(self, path: Path) -> None:
        # A link stays a link when the file is replaced.
        self.path = path.resolve()
        self._lock = self.path.with_name(f".{self.path.name}.lock")
        self._rows: list[Labelled] = []
        self._state: tuple[int, int, int] | None = None

    def check(self) -> None:
        """Makes sure that labels can be kept here, before anybody gives one.

        Raises:
            UsageError: the place cannot be written, or holds something else.
        """
        self.rows()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with locked(self._lock):
                if self.path.exists():
                    self.path.open("ab").close()
        except OSError as error:
            raise UsageError(
                f"cannot write {self.path}: {error.strerror}", "name another file with --out"
            ) from error

    def rows(self) -> list[Labelled]:
        """Every row, in the order of the file; a torn last one is left out.

        Raises:
            UsageError: the file is no labels file.
        """
        if not self.path.exists():
            return []
        jsonl.check_file(self.path)
        state = _state(self.path)
        if self._state != state:
            self._rows, self._state = list(_read(self.path)), state
        return self._rows

    def replies(self) -> list[Labelled]:
        """Every reply once, with the labels of all."""
        found: dict[str, Labelled] = {}
        for row in self.rows():
            before = found.get(row.id)
            labels = (*before.labels, *row.labels) if before else row.labels
            found[row.id] = (before or row).model_copy(update={"labels": labels})
        return list(found.values())

    def annotators(self) -> dict[str, int]:
        """Everybody's name and number of labels."""
        found: dict[str, int] = {}
        for row in self.rows():
            for label in row.labels:
                found[label.annotator] = found.get(label.annotator, 0) + 1
        return found

    def labels_of(self, annotator: str) -> dict[str, HumanLabel]:
        """What this person said, by the id of the reply, in the order of the file."""
        rows = ((row.id, _own(row, annotator)) for row in self.rows())
        return {id_: label for id_, label in rows if label}

    def give(self, reply: Labelled, annotator: str, said: Mapping[LabelField, bool]) -> HumanLabel:
        """Keeps what one person says of a reply, beside what they said of it on other fields; the
        whole label. It is on disk when this returns.

        Raises:
            UsageError: the file holds another reply under this id.
            RunError: it cannot be written. All labels before are kept.
        """
        with self._writing():
            same = [row for row in self.rows() if row.id == reply.id]
            if same and not same_reply(same[0], reply):
                raise another_reply(self.path, reply.id)
            old = next(filter(None, (_own(row, annotator) for row in same)), None)
            new = (old or HumanLabel(annotator=annotator)).model_copy(update=dict(said.items()))
            if old is None:
                # Rows of one reply must have the same example; in a source its tags may differ.
                example = (same[0] if same else reply).example
                self._append(reply.model_copy(update={"example": example, "labels": (new,)}))
            elif new != old:
                self._replace(reply.id, new)
            return new

    def _append(self, row: Labelled) -> None:
        with Journal(self.path, Labelled, in_full=True) as journal:
            journal.append(row)
        self._rows = [*self._rows, row]
        self._state = _state(self.path)

    def _replace(self, id_: str, new: HumanLabel) -> None:
        def changed(row: Labelled) -> Labelled:
            if row.id != id_:
                return row
            labels = (new if old.annotator == new.annotator else old for old in row.labels)
            return row.model_copy(update={"labels": tuple(labels)})

        write_whole(self.path, "\n".join(changed(row).model_dump_json() for row in self.rows()))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with locked(self._lock):
            _complete(self.path)
            yield


def same_reply(one: Labelled, other: Labelled) -> bool:
    """Whether two rows of one id are the same reply to the same question. Tags tell how a row was
    drawn, not what it is."""
    return one.reply == other.reply and _untagged(one.example) == _untagged(other.example)


def another_reply(path: Path, id_: str) -> UsageError:
    """What is wrong when one id stands for two replies."""
    return UsageError(
        f"{path} holds another reply with the id {id_!r}",
        "write the labels of this source to a file of their own: --out",
    )


def checked_name(annotator: str, known: Sequence[str]) -> str:
    """The name under which a person labels.

    Raises:
        UsageError: it is empty or cannot be read, or somebody of the file is called nearly the same.
    """
    name = annotator.strip()
    if not name or not name.isprintable():
        raise UsageError(f"{annotator!r} is no name", "give one that people can read: --annotator")
    twin = next((other for other in known if other.casefold() == name.casefold()), name)
    if twin != name:
        raise UsageError(
            f"the file knows {twin!r}, and {name!r} would be another person",
            f"write --annotator {twin}, or use a name that cannot be mistaken",
        )
    return name


def newcomer(annotator: str, known: Sequence[str]) -> str:
    """A word about a name that the file does not know yet though it knows others."""
    if annotator in known or not known:
        return ""
    return f"{annotator!r} is new here; so far: {', '.join(known)}.{did_you_mean(annotator, known)}"


def _own(row: Labelled, annotator: str) -> HumanLabel | None:
    return next((label for label in row.labels if label.annotator == annotator), None)


def _untagged(example: Example) -> Example:
    return example.model_copy(update={"tags": ()})


def _state(path: Path) -> tuple[int, int, int]:
    """Differs as soon as somebody wrote to the file."""
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _read(path: Path) -> Iterator[Labelled]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                yield Labelled.model_validate_json(line)
            except ValidationError as error:
                if _is_torn(line):
                    return
                raise UsageError(
                    f"{path}, line {number} is no row of a labels file: {error.errors()[0]['msg']}",
                    "name another file with --out, or mend that line",
                ) from error


def _is_torn(line: bytes) -> bool:
    """Whether this is the beginning of a row of ours, cut off when the machine went down. Anything
    else without a line end is somebody else's text, which nobody may cut away."""
    begins_ours = line.startswith(_BEGIN) or _BEGIN.startswith(line)
    if line.endswith(b"\n") or not begins_ours:
        return False
    try:
        json.loads(line)
    except ValueError:
        return True
    return False


def _complete(path: Path) -> None:
    """Ends a last row that is whole but has no line end (an editor's work), which the journal would
    take for a torn one."""
    if not path.exists() or not path.stat().st_size:
        return
    with path.open("rb+") as file:
        file.seek(-1, os.SEEK_END)
        if file.read(1) == b"\n":
            return
        file.seek(0)
        if not _is_torn(file.readlines()[-1]):
            file.write(b"\n")

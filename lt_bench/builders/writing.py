"""One split on its way to disk: every row to each form of it, and into the books."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from typing import IO, Final, Literal

from pydantic_core import PydanticSerializationError

from lt_bench.builders import saved
from lt_bench.builders.base import Imported, Reference, ReferenceDialogue
from lt_bench.builders.manifest import SplitSummary
from lt_bench.builders.progress import Progress, part
from lt_bench.builders.staging import Staging
from lt_bench.builders.survey import Survey
from lt_bench.errors import UsageError
from lt_bench.records import Example

Form = Literal["jsonl", "datasets"]
FORMS: Final[tuple[Form, ...]] = ("jsonl", "datasets")


Made = Imported | Reference | ReferenceDialogue


@dataclass(frozen=True)
class Split:
    """Rows that are to be written under one name. `asked`: how many there should be, where
    somebody asked for a number; `replies`: the rows are References or ReferenceDialogues, of which
    the replies are kept too."""

    rows: Iterable[Made]
    kind: type[Imported] = Example
    asked: int | None = None
    replies: bool = False


@dataclass(frozen=True)
class Names:
    """The files of one split; those of a form that is not written are not there. `file` is what
    its JSON Lines are called, if not SPLIT.jsonl."""

    split: str
    file: str = ""

    @property
    def rows(self) -> str:
        return self.file or f"{self.split}.jsonl"

    @property
    def replies(self) -> str:
        return f"{self.split}.replies.jsonl"

    @property
    def table(self) -> str:
        return f"{self.split}/{saved.ARROW}"

    def all(self) -> Iterator[str]:
        yield from (self.rows, self.replies, self.table)
        yield from (f"{self.split}/{name}" for name in (saved.INFO, saved.STATE))


Audited = Callable[[str, Example], None]
"""Told of every Example: the split and the row."""


def write_split(
    staging: Staging,
    names: Names,
    split: Split,
    *,
    forms: Sequence[Form] = FORMS,
    audited: Audited | None = None,
    progress: Progress,
) -> SplitSummary:
    """Writes the rows as they come.

    Raises:
        UsageError: two rows share an id, or a row holds what cannot be written.
        RunError: the disk does not take it.
    """
    survey, ids, running = Survey(), set[str](), sha256()
    with ExitStack() as stack:
        stack.enter_context(part(progress, names.split, split.asked))
        forms_of = _Forms(stack, staging, names, split, forms)
        for item in split.rows:
            record = _record(item)
            if record.id in ids:
                raise UsageError(f"two rows have the id {record.id!r}", "give each its own")
            ids.add(record.id)
            line = json_line(record)
            running.update(line)
            survey.add(record)
            if audited and isinstance(record, Example):
                audited(names.split, record)
            forms_of.add(item, record, line)
            progress.advance()
    summary = SplitSummary(
        files={}, sha256=running.hexdigest(), asked=split.asked, stats=survey.stats()
    )
    if "datasets" in forms:
        _describe(staging, names, split, summary)
    written = {name: staging.hashes[name] for name in names.all() if name in staging.hashes}
    return summary.model_copy(update={"files": written})


class _Forms:
    """The open files of a split."""

    def __init__(
        self, stack: ExitStack, staging: Staging, names: Names, split: Split, forms: Sequence[Form]
    ) -> None:
        self.lines: IO[bytes] | None = None
        self.table: saved.ArrowRows | None = None
        self.replies: IO[bytes] | None = None
        if "jsonl" in forms:
            self.lines = stack.enter_context(staging.open(names.rows))
        if split.replies:
            self.replies = stack.enter_context(staging.open(names.replies))
        if "datasets" in forms:
            file = stack.enter_context(staging.open(names.table))
            self.table = stack.enter_context(saved.ArrowRows(file, split.kind))

    def add(self, item: Made, record: Imported, line: bytes) -> None:
        if self.lines:
            self.lines.write(line)
        if self.table:
            self.table.add(record)
        if self.replies and isinstance(item, Reference):
            self.replies.writelines(_reply_lines(item))
        if self.replies and isinstance(item, ReferenceDialogue):
            self.replies.write(_line(dialogue_line(item)))


def _record(item: Made) -> Imported:
    return item.example if isinstance(item, Reference | ReferenceDialogue) else item


def json_line(record: Imported) -> bytes:
    """A record as a line of a file.

    Raises:
        UsageError: it holds something that JSON cannot.
    """
    try:
        return record.model_dump_json().encode() + b"\n"
    except (PydanticSerializationError, UnicodeEncodeError) as error:
        raise UsageError(
            f"row {record.id!r} cannot be written as JSON: {error}",
            "look for lone surrogates, and for values nested very deep",
        ) from error


def _reply_lines(reference: Reference) -> Iterator[bytes]:
    """The reply as predictions to replay: one for each trace, or one without."""
    row: dict[str, object] = {"id": reference.example.id}
    for index, thought in enumerate(reference.thoughts):
        yield _line({**row, "sample_index": index, "reasoning": thought, "output": reference.reply})
    if not reference.thoughts:
        yield _line({**row, "output": reference.reply})


def dialogue_line(reference: ReferenceDialogue, *, thinks: bool = True) -> dict[str, object]:
    """A whole dialogue as a prediction to replay, with or without its thoughts: an answer for each
    turn."""
    turns: list[dict[str, object]] = []
    for turn in reference.turns:
        answer: dict[str, object] = {"reasoning": turn.thought} if thinks else {}
        answer["output"] = turn.reply
        if turn.calls:
            calls = [{"name": one.name, "arguments": one.arguments} for one in turn.calls]
            answer["tool_calls"] = calls
        turns.append(answer)
    return {"id": reference.example.id, "turns": turns}


def _line(row: Mapping[str, object]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _describe(staging: Staging, names: Names, split: Split, summary: SplitSummary) -> None:
    licence = ", ".join(summary.stats.licenses)
    texts = saved.descriptions(split.kind, names.split, summary.sha256, licence)
    for name, text in texts.items():
        staging.write(f"{names.split}/{name}", text)

"""The row and the reply that `lt-bench judge try` is about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lt_bench.backends import Request
from lt_bench.backends.replay.backend import ReplayBackend
from lt_bench.builders.base import Imported
from lt_bench.builders.importers.labelled import LabelledRows
from lt_bench.builders.recognise import records
from lt_bench.cli.data.show import pick
from lt_bench.config import Sampling
from lt_bench.errors import RowError, UsageError
from lt_bench.records import (
    Document,
    Example,
    Failure,
    Generation,
    HumanLabel,
    Labelled,
    Prompt,
    Sample,
    SampleKey,
    Turn,
)
from lt_bench.run import run_to_end
from lt_bench.task import Task

DEFAULT_TASK = "commerce_qa"


@dataclass(frozen=True)
class Source:
    """Where the row comes from, as the command says it."""

    task: str | None
    data: Path | None
    labels: Path | None
    catalogs: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Found:
    """The row, what was replied to it, and what people say of that reply, if they do."""

    example: Example
    sample: Sample
    people: tuple[HumanLabel, ...] = ()


def find(source: Source, row: str, reply: str | None, replies: Path | None) -> Found:
    """The row of this id or number, with `reply`, with its answer in the file `replies`, or with
    the reply that comes with it.

    Raises:
        UsageError: options that contradict each other, no such row, or no reply to it.
    """
    if reply is not None and replies:
        raise UsageError("--reply and --replies name two replies", "keep one")
    if source.labels and (source.data or source.task):
        raise UsageError("--labels brings rows of its own", "leave --data and --task out")
    found = _row(source, row)
    if isinstance(found, Document):
        raise UsageError("a document is nothing that one replies to", "name a file of examples")
    example = found.example if isinstance(found, Labelled) else found
    if reply is not None:
        return Found(example, _spoken(example, reply))
    if replies:
        return Found(example, _predicted(example, replies))
    if isinstance(found, Labelled):
        return Found(example, _spoken(example, found.reply), found.labels)
    return Found(example, _predicted(example, _own_replies(source)))


def _row(source: Source, row: str) -> Imported:
    if source.labels:
        return pick(source.labels, LabelledRows({}).read(source.labels), row)
    if source.data and not source.task:
        return pick(source.data, records(source.data), row)
    task = _task(source)
    file = source.data or task.sample
    return pick(file, task.builder.read(file), row)


def _task(source: Source) -> Task:
    return Task.load(source.task or DEFAULT_TASK, source.catalogs)


def _own_replies(source: Source) -> Path:
    """The reference replies of the task's sample.

    Raises:
        UsageError: the row is not from the sample, or that has none.
    """
    file = _task(source).sample.with_name("replies.jsonl")
    if source.data or not file.is_file():
        raise UsageError(
            "there is no reply to judge", "give one with --reply TEXT, or a file with --replies"
        )
    return file


def _predicted(example: Example, file: Path) -> Sample:
    """The first answer to this row in a predictions file, whatever became of it.

    Raises:
        UsageError: the file cannot be read, or has none.
    """
    return run_to_end(_replayed(example, file))


async def _replayed(example: Example, file: Path) -> Sample:
    key = SampleKey(example_id=example.id, sample_index=0, request_sha="")
    async with ReplayBackend(str(file), {}) as backend:
        try:
            answer = await backend.generate(Request(Prompt(messages=()), Sampling(), example.id, 0))
        except RowError as error:
            if error.kind == "missing":
                raise UsageError(error.cause, "name another --row, or give --reply") from error
            failure = Failure(kind=error.kind, message=error.cause)
            refused = error.kind == "content_filter"
            return Sample(key=key, status="refused" if refused else "error", failure=failure)
    return Sample(key=key, status=answer.status, generation=answer)


def _spoken(example: Example, reply: str) -> Sample:
    """A reply as if a model had just said it."""
    turn = Turn(reasoning=None, reply=reply, finish_reason="stop", usage=None)
    key = SampleKey(example_id=example.id, sample_index=0, request_sha="")
    return Sample(key=key, status="ok", generation=Generation(turns=(turn,)))

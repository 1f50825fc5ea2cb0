"""`lt-bench data show`: one row, laid out to be read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lt_bench.cli.data.options import AsJson, Catalogs, DataFile, FormatName, Settings, TaskName

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lt_bench.builders.base import Imported


def show(
    file: DataFile,
    row: Annotated[str, typer.Argument(help="Number (from 1) or id of a row.")] = "1",
    task: TaskName = None,
    format_: FormatName = None,
    set_: Settings = None,
    prompt: Annotated[
        bool, typer.Option("--prompt", help="The prompt that a model gets, instead.")
    ] = False,
    catalog: Catalogs = None,
    json: AsJson = False,
) -> None:
    """Show one row: dialogue, question, evidence, gold and tags; or its prompt."""
    from lt_bench.builders.recognise import records
    from lt_bench.cli.data.options import reader_of
    from lt_bench.cli.data.splits import tell_split
    from lt_bench.cli.notices import notices

    if not format_:
        tell_split(file)
    with notices("builders"):
        found = pick(file, records(file, reader_of(task, format_, set_, catalog)), row)
    if json:
        typer.echo(found.model_dump_json())
    elif prompt:
        _prompt(found, task, tuple(catalog or ()))
    else:
        from lt_bench.cli.data.page import show as show_page

        show_page(found)


def pick(file: Path, rows: Iterable[Imported], wanted: str) -> Imported:
    """The row of this id, or else of this number.

    Raises:
        UsageError: there is none.
    """
    from lt_bench.errors import UsageError, did_you_mean

    number = int(wanted) if wanted.isdecimal() and wanted.isascii() else None
    by_number: Imported | None = None
    ids: list[str] = []
    count = 0
    for count, record in enumerate(rows, start=1):
        if record.id == wanted:
            return record
        if count == number:
            by_number = record
            if count == 1:
                break
        ids.append(record.id)
    if by_number is None:
        near = did_you_mean(wanted, ids)
        raise UsageError(f"{file} has no row {wanted!r}.{near}", f"give an id, or 1 to {count}")
    return by_number


def _prompt(record: Imported, task: str | None, catalogs: Sequence[Path]) -> None:
    from lt_bench.errors import UsageError
    from lt_bench.plain import printable
    from lt_bench.records import Document, Labelled
    from lt_bench.task import Task

    if isinstance(record, Document):
        raise UsageError("a document has no prompt", "leave --prompt out")
    example = record.example if isinstance(record, Labelled) else record
    for message in Task.load(task or example.task, catalogs).prompt(example).messages:
        typer.echo(f"--- {message.role}\n{printable(message.content)}")

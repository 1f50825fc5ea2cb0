"""What `lt-bench run import` was asked, and what it tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from lt_bench.integrations.runs.importing import Imported, Wanted


def wanted(
    file: Path,
    task: str,
    run: str,
    *,
    data: Path | None,
    limit: int | None,
    format: str | None,  # noqa: A002
    model: str | None,
    tokenizer: str | None,
    settings: Sequence[str],
    catalogs: Sequence[Path],
) -> Wanted:
    """The import that a command asks for.

    Raises:
        UsageError: an unknown task or setting.
    """
    from lt_bench.config import assignments, grouped
    from lt_bench.errors import UsageError
    from lt_bench.integrations.runs.importing import Wanted
    from lt_bench.run.rundir import run_folder
    from lt_bench.task import Task

    if limit is not None and limit < 1:
        raise UsageError(f"--limit {limit} leaves no row", "give at least 1")
    groups = grouped(assignments(settings), ("backend", "task", "builder"))
    if tokenizer is not None:
        groups["backend"].setdefault("tokenizer", tokenizer)
    loaded = Task.load(task, tuple(catalogs), options=groups["task"], builder=groups["builder"])
    return Wanted(
        log=file,
        task=loaded,
        run=run_folder(run),
        data=data,
        limit=limit,
        format=format,
        name=model,
        options=groups["backend"],
    )


def tell(imported: Imported, *, as_json: bool) -> None:
    """The card, unless that was printed as JSON, and how the log met the data."""
    from lt_bench.cli.cards import show
    from lt_bench.plain import printable

    if not as_json:
        show(imported.card, imported.run)
    for line in _lines(imported):
        typer.echo(printable(line), err=as_json)


def _lines(imported: Imported) -> Iterator[str]:
    from lt_bench.integrations.runs.matching import some

    log, matched = imported.log, imported.matched
    total, harness = len(matched.answers), log.harness or log.format
    ways = [f"{matched.by_id} by id"]
    ways += [f"{matched.by_question} by question"] if matched.by_question else []
    yield f"{total} answers of {harness} imported ({', '.join(ways)})"
    yield from log.remarks
    if matched.told_twice:
        yield f"{matched.told_twice} entries of the log repeat an answer and were passed over"
    if matched.strangers:
        yield f"{len(matched.strangers)} answers are of no row of the data: {some(matched.strangers)}"
    if imported.unanswered:
        lacking = imported.unanswered
        yield f"{len(lacking)} rows of the data have no answer in the log: {some(lacking)}"
        yield "they count as unscored; --limit N, or a --data file of the rows asked, leaves them out"
    if matched.compared and not matched.asked_as_ours:
        other = matched.compared - matched.as_ours
        yield (
            f"{other} of {matched.compared} prompts are not in this task's own words: beside runs of "
            "lt-bench the difference may be the prompt's"
        )

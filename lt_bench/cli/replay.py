"""`lt-bench replay RUN [ROW]`: look at the rows of a run, one by one or two runs side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lt_bench.replay.rows import ReplayRow
    from lt_bench.replay.source import Source


def replay(
    run: Annotated[Path, typer.Argument(help="A run, by name or folder.")],
    row: Annotated[
        str | None,
        typer.Argument(
            help="Id of a row (ID@SAMPLE for a later sample), or its number from 1. Without it: a list."
        ),
    ] = None,
    with_: Annotated[
        Path | None,
        typer.Option(
            "--with", metavar="RUN", help="Another run beside it; rows that differ first."
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page that needs no network.")
    ] = None,
    diagnosis: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Only rows with this diagnosis; may repeat (one of them)."
        ),
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TAG", help="Only rows with this tag, or lang:en; may repeat (all of them)."
        ),
    ] = None,
    below: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC=N",
            help="Only rows whose score, tokens or seconds are below; may repeat.",
        ),
    ] = None,
    above: Annotated[
        list[str] | None,
        typer.Option(metavar="METRIC=N", help="The same, above."),
    ] = None,
    find: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="Only rows that say this, in question, thought or reply."
        ),
    ] = "",
    differing: Annotated[
        bool, typer.Option("--differing", help="Only rows whose quality or diagnosis differs.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most so many rows (of a page: 2000 by default).")
    ] = None,
    scores: Annotated[
        str,
        typer.Option(metavar="SHA", help="The scores of another judge: scores.SHA.jsonl."),
    ] = "",
    data: Annotated[Path | None, typer.Option(help="Its data file, if it has moved.")] = None,
    catalog: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="Folder with tasks/ of your own; may repeat."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Rows as JSON, one a line.")] = False,
) -> None:
    """Look at rows: question, evidence, reasoning, reply, claims, verdicts, tokens, and a diagnosis.

    Diagnoses: unanswered, failed, truncated, leak, needless_refusal, unsupported, evasive, wrong,
    unscored, long, right.
    """
    from lt_bench.cli.replay_show import one_row, problems, table, written
    from lt_bench.errors import UsageError
    from lt_bench.replay.filters import Bound, Filter, diagnoses
    from lt_bench.replay.source import Source

    if differing and not with_:
        raise UsageError("--differing compares two runs", "name the other one: --with RUN")
    bounds = [
        *(Bound.parse(text, "below") for text in below or ()),
        *(Bound.parse(text, "above") for text in above or ()),
    ]
    kept = Filter(diagnoses(diagnosis or ()), frozenset(tag or ()), tuple(bounds), find, differing)
    folders = tuple(catalog or ())
    sources = [Source(run, variant=scores, data=data, catalogs=folders)]
    if with_:
        sources.append(Source(with_, data=data, catalogs=folders))
    found = _found(sources, row, kept, limit if html is None else None)
    if html:
        written(found, sources, html, limit)
    elif json:
        from lt_bench.cli.replay_json import as_json

        for one in found:
            typer.echo(as_json(one, sources))
    elif row is not None:
        one_row(found[0], sources)
    else:
        table(found, sources)
    if not json:
        problems(sources)


def _found(
    sources: Sequence[Source], row: str | None, kept: object, limit: int | None
) -> list[ReplayRow]:
    """The rows that were asked for. Of two runs those that differ come first, and ROW counts in the order
    of the data."""
    from lt_bench.replay.filters import Filter, check_bounds, chosen, differing_first, pick
    from lt_bench.replay.rows import rows

    assert isinstance(kept, Filter)
    every = rows(*sources)
    if row is not None:
        return [pick(list(every), row)]
    if len(sources) > 1:
        every = iter(differing_first(every))
    found = list(chosen(every, kept, limit))
    if not found:
        check_bounds(rows(*sources), kept.bounds)
    return found

"""`lt-bench data validate`: everything that is wrong with a file."""

from __future__ import annotations

import typer

from lt_bench.cli.data.options import (
    AsJson,
    Catalogs,
    DataFile,
    FormatName,
    MapFile,
    Settings,
    TaskName,
)

SHOWN = 200


def validate(
    file: DataFile,
    task: TaskName = None,
    format_: FormatName = None,
    map_: MapFile = None,
    set_: Settings = None,
    catalog: Catalogs = None,
    json: AsJson = False,
) -> None:
    """Name everything that is wrong with a file: line, field, fix. Exit code 2 on an error."""
    import json as jsonlib
    from dataclasses import asdict

    from lt_bench.builders.checking import check
    from lt_bench.cli.data.options import reader_of
    from lt_bench.cli.data.progress import choose
    from lt_bench.cli.plain import on_one_line, printable

    found = check(file, reader_of(task, format_, set_, catalog, map_), choose())
    if json:
        problems = [asdict(problem) for problem in found.problems]
        result = {"rows": found.rows, "errors": found.errors, "problems": problems}
        typer.echo(jsonlib.dumps(result, ensure_ascii=False))
    else:
        for problem in found.problems[:SHOWN]:
            fix = f" ({problem.fix})" if problem.fix else ""
            typer.echo(on_one_line(f"{problem.level}: {problem}{fix}"))
        if len(found.problems) > SHOWN:
            typer.echo(f"… and {len(found.problems) - SHOWN:,} more (--json lists all)")
        warnings = len(found.problems) - found.errors
        counted = f"{found.rows:,} rows, {found.errors:,} errors, {warnings:,} warnings"
        typer.echo(
            printable(
                f"{file}: {counted if found.problems else f'{found.rows:,} rows, nothing wrong'}"
            )
        )
    if found.errors:
        raise typer.Exit(2)

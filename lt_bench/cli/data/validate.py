"""`lt-bench data validate`: everything that is wrong with a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lt_bench.builders.checking import Checked

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
    """Name everything that is wrong with a file: line, field, fix. Exit code 2 on an error.

    Of a folder all splits are looked at."""
    from lt_bench.builders.checking import check
    from lt_bench.cli.data.options import reader_of
    from lt_bench.cli.data.progress import choose
    from lt_bench.cli.data.splits import Split, splits_of

    reader = reader_of(task, format_, set_, catalog, map_)
    # An importer may read a folder as one.
    splits = [Split(file.name, file)] if format_ else splits_of(file)
    found = {split.path: check(split.path, reader, choose()) for split in splits}
    if json:
        _as_json(found)
    else:
        for path, checked in found.items():
            _show(path, checked, several=len(found) > 1)
    if any(checked.errors for checked in found.values()):
        raise typer.Exit(2)


def _as_json(found: Mapping[Path, Checked]) -> None:
    import json as jsonlib
    from dataclasses import asdict

    result = {
        "rows": sum(checked.rows for checked in found.values()),
        "errors": sum(checked.errors for checked in found.values()),
        "problems": [
            {"file": str(path), **asdict(problem)}
            for path, checked in found.items()
            for problem in checked.problems
        ],
    }
    typer.echo(jsonlib.dumps(result, ensure_ascii=False))


def _show(path: Path, found: Checked, *, several: bool) -> None:
    from lt_bench.cli.data.counting import counted
    from lt_bench.plain import on_one_line, printable

    where = f"{path}, " if several else ""
    for problem in found.problems[:SHOWN]:
        fix = f" ({problem.fix})" if problem.fix else ""
        typer.echo(on_one_line(f"{problem.level}: {where if problem.line else ''}{problem}{fix}"))
    if len(found.problems) > SHOWN:
        typer.echo(f"… and {len(found.problems) - SHOWN:,} more (--json lists all)")
    rows, warnings = counted(found.rows, "row"), len(found.problems) - found.errors
    told = f"{counted(found.errors, 'error')}, {counted(warnings, 'warning')}"
    summary = f"{rows}, {told if found.problems else 'nothing wrong'}"
    typer.echo(printable(f"{path}: {summary}"))

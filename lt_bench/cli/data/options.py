"""What several `data` commands have in common: their options, and how a file is to be read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from lt_bench.builders import Builder, Importer

DataFile = Annotated[
    Path, typer.Argument(help="A data file, or a folder that `datasets` saved (FOLDER/SPLIT).")
]
TaskName = Annotated[
    str | None, typer.Option("--task", help="Read it as rows of this task; else it is recognised.")
]
FormatName = Annotated[
    str | None, typer.Option("--format", help="Read it as a file that `data import` takes.")
]
MapFile = Annotated[
    Path | None,
    typer.Option("--map", help="YAML file that says which column is what (generic)."),
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="builder.KEY=VALUE or importer.KEY=VALUE.")
]
Catalogs = Annotated[
    list[Path] | None, typer.Option("--catalog", help="Folder with tasks/ of your own; may repeat.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Results as JSON.")]


def with_map(settings: Mapping[str, Any], map_: Path) -> dict[str, Any]:
    """An importer's settings with the field map.

    Raises:
        UsageError: they name one already.
    """
    from lt_bench.errors import UsageError

    if "map" in settings:
        raise UsageError("--map and --set importer.map say it twice", "keep one")
    return {**settings, "map": str(map_)}


def reader_of(
    task: str | None,
    format_: str | None,
    settings: Sequence[str] | None,
    catalogs: Sequence[Path] | None,
    map_: Path | None = None,
) -> Builder | Importer | None:
    """Who reads the file; None: it is to be recognised by its rows.

    Raises:
        UsageError: both are named, or one that is not known, or a setting nobody takes.
    """
    from lt_bench.builders import IMPORTERS
    from lt_bench.config import assignments, grouped
    from lt_bench.errors import UsageError
    from lt_bench.task import Task

    if task and format_:
        raise UsageError("--task and --format name two readers", "keep one")
    given = grouped(assignments(settings or ()), ("builder", "importer"))
    if map_:
        given["importer"] = with_map(given["importer"], map_)
        if not format_:
            raise UsageError("--map changes nothing without --format", "add --format generic")
    for group, other in (("builder", task), ("importer", format_)):
        if given[group] and not other:
            named = "--task" if group == "builder" else "--format"
            raise UsageError(f"--set {group}.… changes nothing without {named}", f"add {named}")
    if task:
        return Task.load(task, tuple(catalogs or ()), builder=given["builder"]).builder
    return IMPORTERS.get(format_)(given["importer"]) if format_ else None

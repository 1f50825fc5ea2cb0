"""`lt-bench data import`: turn a file of another format into records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lt_bench.cli.data.options import AsJson, MapFile

if TYPE_CHECKING:
    from lt_bench.builders import Importer


def import_(
    format_: Annotated[str, typer.Argument(metavar="FORMAT", help="Such as epqa or shopify.")],
    file: Annotated[Path, typer.Argument(help="The file (or folder) as you have it.")],
    out: Annotated[Path, typer.Option(help="JSON Lines file to write.")],
    map_: MapFile = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="importer.KEY=VALUE; may repeat.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Turn a file of another format into rows that `--data`, `--labels` or a builder takes.

    NAME.manifest.json beside NAME.jsonl says where they come from."""
    from lt_bench.builders import IMPORTERS
    from lt_bench.builders.manifest import Origin, portable
    from lt_bench.builders.store import write_import
    from lt_bench.cli.data.counting import counted
    from lt_bench.cli.data.options import with_map
    from lt_bench.cli.data.progress import choose
    from lt_bench.cli.notices import notices
    from lt_bench.config import assignments, grouped
    from lt_bench.plain import printable

    options = grouped(assignments(set_ or ()), ("importer",))["importer"]
    if map_:
        options = with_map(options, map_)
    importer = IMPORTERS.get(format_)(options)
    origin = Origin(
        maker="importer",
        name=format_,
        version=importer.version,
        options=portable(options),
        sources=_sources(importer, file, out),
    )
    with notices("builders"):
        manifest = write_import(out, importer.read(file), origin, choose())
    if json:
        typer.echo(manifest.model_dump_json())
        return
    (summary,) = manifest.splits.values()
    stats = summary.stats
    rows = f"{stats.records} row"
    groups = f" in {counted(stats.groups, 'group')}" if stats.groups else ""
    typer.echo(printable(f"{out}: {counted(stats.rows, rows)}{groups}"))


def _sources(importer: Importer, file: Path, out: Path) -> dict[str, str]:
    """Name -> sha256 of all that is read.

    Raises:
        UsageError: a file cannot be read, or is the one to write.
    """
    from collections import Counter

    from lt_bench.builders.base import Reading
    from lt_bench.config import file_sha
    from lt_bench.errors import UsageError
    from lt_bench.jsonl import check_file

    files = importer.files(file) if isinstance(importer, Reading) else (file,)
    names = Counter(path.name for path in files)
    for path in files:
        check_file(path)
        if out.exists() and out.samefile(path):
            raise UsageError(f"{out} is a file to read", "name another --out")
    return {
        path.name
        if names[path.name] == 1
        else f"{path.absolute().parent.name}/{path.name}": file_sha(path)
        for path in files
    }

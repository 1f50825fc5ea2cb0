"""`lt-bench data import`: turn a file of another format into records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lt_bench.cli.data.options import AsJson


def import_(
    format_: Annotated[str, typer.Argument(metavar="FORMAT", help="Such as epqa or shopify.")],
    file: Annotated[Path, typer.Argument(help="The file as you have it.")],
    out: Annotated[Path, typer.Option(help="JSON Lines file to write.")],
    map_: Annotated[
        Path | None,
        typer.Option("--map", help="YAML file that says which column is what (generic)."),
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="importer.KEY=VALUE; may repeat.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Turn a file of another format into rows that `--data`, `--labels` or a builder takes.

    NAME.manifest.json beside NAME.jsonl says where they come from."""
    from lt_bench.builders import IMPORTERS
    from lt_bench.builders.base import Sourced
    from lt_bench.builders.manifest import Origin, portable
    from lt_bench.builders.store import write_import
    from lt_bench.cli.data.progress import choose
    from lt_bench.cli.notices import notices
    from lt_bench.cli.plain import printable
    from lt_bench.config import assignments, file_sha, grouped
    from lt_bench.errors import UsageError
    from lt_bench.jsonl import check_file

    options = grouped(assignments(set_ or ()), ("importer",))["importer"]
    if map_:
        options["map"] = str(map_)
    importer = IMPORTERS.get(format_)(options)
    check_file(file)
    if out.exists() and out.samefile(file):
        raise UsageError(f"{out} is the file to read", "name another --out")
    also = importer.sources() if isinstance(importer, Sourced) else {}
    if map_:
        also = {map_.name: file_sha(map_), **also}
    origin = Origin(
        maker="importer",
        name=format_,
        version=importer.version,
        options=portable(options),
        sources={**also, file.name: file_sha(file)},
    )
    with notices("builders"):
        manifest = write_import(out, importer.read(file), origin, choose())
    if json:
        typer.echo(manifest.model_dump_json())
        return
    (summary,) = manifest.splits.values()
    stats = summary.stats
    groups = f" in {stats.groups:,} groups" if stats.groups else ""
    typer.echo(printable(f"{out}: {stats.rows:,} {stats.records} rows{groups}"))

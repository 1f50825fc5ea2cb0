"""`lt-bench judge report FILE…`: show stored calibrations again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="What judge calibrate or judge bias has written."),
    ],
    markdown: Annotated[bool, typer.Option("--markdown", help="As a Markdown table.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One record a line.")] = False,
) -> None:
    """Show calibrations again; several stand side by side."""
    from lt_bench.cli.cards import console
    from lt_bench.cli.judge import calibration_table
    from lt_bench.errors import UsageError
    from lt_bench.run.judging.calibration_file import load_calibration

    if markdown and json:
        raise UsageError("--markdown and --json name two forms", "keep one")
    found = {str(path): load_calibration(path) for path in files}
    if json:
        for calibration in found.values():
            typer.echo(calibration.model_dump_json())
    elif markdown:
        typer.echo(calibration_table.markdown(found))
    elif len(found) == 1:
        calibration_table.show(next(iter(found.values())), console())
    else:
        calibration_table.compare(found, console())

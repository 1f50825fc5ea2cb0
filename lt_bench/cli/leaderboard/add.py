"""`lt-bench leaderboard add RUN…`: put finished runs on a board."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN…", help="Finished runs, by name or folder.")
    ],
    board: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The board; default leaderboards/TASK. A new one is begun."
        ),
    ] = None,
    name: Annotated[
        str, typer.Option(help="What to call the model on the board; default: its own name.")
    ] = "",
    label: Annotated[
        str,
        typer.Option(help="What tells it from others of its name; default: settings that differ."),
    ] = "",
    variant: Annotated[
        str,
        typer.Option(metavar="SHA8", help="The card of another judge: that of card.SHA8.json."),
    ] = "",
    data: Annotated[Path | None, typer.Option(help="Their data file, if it has moved.")] = None,
    catalog: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="Folder with tasks/ of your own; may repeat."),
    ] = None,
) -> None:
    """Put finished runs on a board; the same run again takes its own place.

    The card and the scores of every row are copied; the run itself is not needed afterwards.
    """
    from lt_bench.board.reading import read_run
    from lt_bench.board.store import open_store
    from lt_bench.errors import UsageError
    from lt_bench.plain import on_one_line

    if len(runs) > 1 and (name or label):
        raise UsageError("--name and --label are for one run", "add the runs one by one")
    found = [read_run(run, data, tuple(catalog or ()), variant) for run in runs]
    for run in found:
        folder = board or Path("leaderboards") / run.card.task
        entry = open_store(folder, run.card).add(run, name, label)
        typer.echo(on_one_line(f"{run.run} is on {folder} as {entry}"))

"""`lt-bench leaderboard build DIR --out SITE`: tables, files and pages of a board."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def build(
    board: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="A board, by folder or by the name of a shipped one."),
    ],
    out: Annotated[Path, typer.Option(metavar="SITE", help="Folder to write into.")],
    replays: Annotated[
        bool,
        typer.Option(
            "--replays/--no-replays", help="Pages of the rows of runs that are still there."
        ),
    ] = True,
    catalog: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="Folder with tasks/ of your own; may repeat."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The board as JSON on stdout.")] = False,
) -> None:
    """Build a board: board.md, board.csv, board.json and a site that opens from a file.

    Every two candidates are tested on their rows (above a hundred, the best 30); the tests give
    confidence sets of ranks.
    """
    import shlex

    from lt_bench.board.building import build as built
    from lt_bench.board.store import Store
    from lt_bench.board.writing import write_board
    from lt_bench.cli.leaderboard.finding import find_board
    from lt_bench.cli.leaderboard.replays import with_replays
    from lt_bench.plain import printable

    command = shlex.join(["lt-bench", *sys.argv[1:]])
    found = built(Store(find_board(board, tuple(catalog or ()))), command)
    if replays:
        found = with_replays(found, out)
    page = write_board(found, out)
    if json:
        typer.echo(found.model_dump_json())
        return
    for warning in found.warnings:
        typer.echo(printable(f"warning: {warning}"), err=True)
    for path in (out / "board.md", out / "board.csv", out / "board.json", page):
        typer.echo(printable(str(path)))

"""`lt-bench leaderboard …`: candidates side by side, and what may be said of their differences."""

from __future__ import annotations

import typer

from lt_bench.cli.leaderboard import add, build, compare

app = typer.Typer(
    help="Candidates side by side, and what may be said of their differences.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("add")(add.add)
app.command("build")(build.build)
app.command("compare")(compare.compare)

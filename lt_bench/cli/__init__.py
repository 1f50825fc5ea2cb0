"""The `lt-bench` command. Each command imports what it needs when it runs."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from lt_bench.cli import data, evaluate, flops, judge, leaderboard, listing, runs, score
from lt_bench.cli.streams import open_streams

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich would triple what --help costs
    help="How good, how short and how fast is a reasoning model's answer in a live conversation?",
)
app.command("eval")(evaluate.evaluate)
app.command("score")(score.score)
app.command("list")(listing.show)
app.command("flops")(flops.flops)
app.add_typer(data.app, name="data")
app.add_typer(judge.app, name="judge")
app.add_typer(runs.app, name="run")
app.add_typer(leaderboard.app, name="leaderboard")


@app.callback(invoke_without_command=True)
def root(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    # `main` takes --debug out of the arguments wherever it stands; here it is only for --help.
    debug: Annotated[  # noqa: ARG001
        bool, typer.Option("--debug", help="Show tracebacks of errors.")
    ] = False,
) -> None:
    """Options of every command."""
    if version:
        from lt_bench import __version__

        typer.echo(f"lt-bench {__version__}")
        raise typer.Exit


def main() -> None:
    """Runs the command and turns every error into a message and an exit code."""
    debug = "--debug" in sys.argv or bool(os.environ.get("LT_BENCH_DEBUG"))
    sys.argv = [argument for argument in sys.argv if argument != "--debug"]
    open_streams()
    try:
        app(prog_name="lt-bench")
    except SystemExit as end:
        # typer ends with 1 when nobody reads stdout any more.
        if isinstance(end.__context__, BrokenPipeError):
            raise SystemExit(141) from None
        raise
    except Exception as error:
        from lt_bench.cli.failure import report

        if debug:
            raise
        raise SystemExit(report(error)) from None

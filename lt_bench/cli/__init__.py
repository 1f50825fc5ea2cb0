"""The `lt-bench` command. Each command imports what it needs when it runs."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer

from lt_bench.cli.loading import loading
from lt_bench.cli.streams import open_streams

COMMANDS = {
    "eval": "evaluate:evaluate",
    "score": "score:score",
    "train": "train:train",
    "reproduce": "reproduce:reproduce",
    "list": "listing:show",
    "flops": "flops:flops",
    "latency": "latency:latency",
    "replay": "replay:replay",
    "lm-eval-path": "lm_eval_path:lm_eval_path",
}
"""Name -> where in this package its function is."""

GROUPS = {
    "data": "data:app",
    "judge": "judge:app",
    "run": "runs:app",
    "leaderboard": "leaderboard:app",
}
"""The same for commands with commands of their own."""


def application(only: str = "") -> typer.Typer:
    """The command. Where the first word names one of its commands, that one alone is built: the others
    cost more than it does."""
    app = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # rich would triple what --help costs
        help="How good, how short and how fast is a reasoning model's answer in a live conversation?",
    )
    app.callback(invoke_without_command=True)(root)
    known = only in COMMANDS or only in GROUPS
    for name, place in COMMANDS.items():
        if not known or name == only:
            app.command(name)(_at(place))
    for name, place in GROUPS.items():
        if not known or name == only:
            app.add_typer(_at(place), name=name)
    return app


def _at(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(f"lt_bench.cli.{module}"), attribute)


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
        with loading():
            app = application(*sys.argv[1:2])
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

"""`lt-bench run …`: look after runs on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Look after runs on disk.", no_args_is_help=True)


@app.command()
def status(
    run: Annotated[Path, typer.Argument(help="Folder of a run.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """How far a run has come."""
    import json as jsonlib
    from collections import Counter

    from lt_bench.cli.plain import printable
    from lt_bench.run.rundir import find_run

    folder = find_run(run)
    config = folder.load().config
    statuses = Counter(sample.status for sample in folder.samples().values())
    facts = {
        "run": str(run),
        "model": config.model,
        "task": f"{config.task}@{config.version}",
        "samples": dict(sorted(statuses.items())),
        "card": (run / "card.json").exists(),
    }
    if json:
        typer.echo(jsonlib.dumps(facts, ensure_ascii=False))
        return
    counts = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items())) or "none"
    typer.echo(printable(f"{facts['model']} on {facts['task']}: {counts}"))
    typer.echo(
        "the card is written" if facts["card"] else "no card yet: run the same command again"
    )


@app.callback()
def group() -> None:
    """Keeps `status` a subcommand while it is the only one."""

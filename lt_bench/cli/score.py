"""`lt-bench score RUN`: score a finished run again, without asking the model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def score(
    run: Annotated[Path, typer.Argument(help="Folder of a run.")],
    data: Annotated[Path | None, typer.Option(help="Its data file, if it has moved.")] = None,
    catalog: Annotated[
        list[Path] | None, typer.Option(help="Folder with tasks/ of your own; may repeat.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The card as JSON.")] = False,
) -> None:
    """Score a run again, without asking the model."""
    from lt_bench.cli.cards import partial, show
    from lt_bench.run import rescore, run_to_end
    from lt_bench.run.rundir import find_run
    from lt_bench.task import Task

    folder = find_run(run)
    config = folder.load().config
    task = Task.load(
        config.task,
        tuple(catalog or ()),
        options=config.task_options,
        builder=config.builder_options,
    )
    card = run_to_end(rescore(folder, task, data))
    if json:
        typer.echo(card.model_dump_json())
    else:
        show(card, run)
    if partial(card):
        raise typer.Exit(3)

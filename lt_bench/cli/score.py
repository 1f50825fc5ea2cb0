"""`lt-bench score RUN`: score a finished run again, without asking the model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lt_bench.cli.judge import options as who


def score(
    run: Annotated[Path, typer.Argument(help="Folder of a run.")],
    data: Annotated[Path | None, typer.Option(help="Its data file, if it has moved.")] = None,
    judge: who.Name = None,
    judge_model: who.Model = None,
    judge_votes: who.Votes = 1,
    judge_min_votes: who.MinVotes = None,
    judge_base_url: who.BaseUrl = None,
    judge_api_key_env: who.ApiKeyEnv = None,
    judge_concurrency: who.Concurrency = None,
    no_judge_cache: who.NoCache = False,
    judge_price: who.Price = None,
    calibration: who.Calibrations = None,
    labels: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="What people say of replies of this run (`judge label`); may repeat.",
        ),
    ] = None,
    set_: who.Settings = None,
    catalog: who.Catalogs = None,
    json: Annotated[bool, typer.Option("--json", help="The card as JSON.")] = False,
) -> None:
    """Score a run again, without asking the model.

    Another judge than the run's own writes its scores and its card beside them.
    """
    from lt_bench.cli.cards import partial, show
    from lt_bench.cli.progress import choose
    from lt_bench.cli.running import finish
    from lt_bench.run import rescore
    from lt_bench.run.rundir import RunDir, find_run
    from lt_bench.task import Task

    sampling, backend = who.settings(set_)
    folder = find_run(run)
    config = folder.load().config
    choice = who.choice(
        judge,
        judge_model,
        votes=judge_votes,
        min_votes=judge_min_votes,
        base_url=judge_base_url,
        api_key_env=judge_api_key_env,
        concurrency=judge_concurrency,
        no_cache=no_judge_cache,
        price=judge_price,
        sampling=sampling,
        backend=backend,
        catalogs=catalog,
        calibrations=calibration,
        labels=labels,
    ).filled_in(config.judge)
    task = Task.load(
        config.task,
        tuple(catalog or ()),
        options=config.task_options,
        builder=config.builder_options,
        judge=choice.name,
    )
    card = finish(rescore(folder, task, data, choice, choose()))
    beside = RunDir(folder.path, card.stamp.scorers_sha[:8]).card_path
    if json:
        typer.echo(card.model_dump_json())
    else:
        show(card, beside if beside.exists() else run)
    if partial(card):
        raise typer.Exit(3)

"""`lt-bench judge try JUDGE`: put one reply to one judge, and see everything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lt_bench.cli.judge import options


def try_(
    judge: Annotated[str, typer.Argument(metavar="JUDGE", help="facts, or a declared judge.")],
    judge_model: options.Model = None,
    task: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Task whose rows these are. Default: commerce_qa."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File with the row. Default: the task's shipped sample."),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Labelled replies to take row and reply from, instead."),
    ] = None,
    row: Annotated[
        str, typer.Option(metavar="ID_OR_NUMBER", help="The row: its id, or its number from 1.")
    ] = "1",
    reply: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The reply to judge, to the letter.")
    ] = None,
    replies: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Predictions (id, output) to take the reply from. Default: the sample's own.",
        ),
    ] = None,
    judge_votes: options.Votes = 1,
    judge_min_votes: options.MinVotes = None,
    judge_base_url: options.BaseUrl = None,
    judge_api_key_env: options.ApiKeyEnv = None,
    judge_concurrency: options.Concurrency = None,
    set_: options.Settings = None,
    catalog: options.Catalogs = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Put one reply to one judge; show the prompt as it is sent, every answer, and the verdict.

    Without --judge-model a declared judge is shown, not asked. Answers are never taken from the
    cache. Exit code: 0 shown, 2 wrong usage, 3 no verdict, 4 the model cannot be asked.
    """
    from lt_bench.cli.judge import trial_page
    from lt_bench.cli.judge.trial_row import Source, find
    from lt_bench.cli.running import finish
    from lt_bench.run.judging.trial import declared, try_judge

    sampling, backend = options.settings(set_)
    choice = options.choice(
        judge,
        judge_model,
        votes=judge_votes,
        min_votes=judge_min_votes,
        base_url=judge_base_url,
        api_key_env=judge_api_key_env,
        concurrency=judge_concurrency,
        no_cache=True,
        sampling=sampling,
        backend=backend,
        catalogs=catalog,
    )
    declared(choice)
    found = find(Source(task, data, labels, tuple(catalog or ())), row, reply, replies)
    trial = finish(try_judge(choice, found.example, found.sample))
    if json:
        typer.echo(trial_page.as_json(trial))
    else:
        trial_page.show(trial, found.people)
    if trial.silent:
        raise typer.Exit(3)

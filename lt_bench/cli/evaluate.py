"""`lt-bench eval MODEL`: ask, score, and print the card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lt_bench.cli.judge import options as who

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lt_bench.records import ResultCard
    from lt_bench.run import Ask, Evaluation


def evaluate(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="builtin/smollm2-135m, hf/FOLDER_OR_ID, openai/NAME, vllm/FOLDER_OR_ID or replay/FILE; "
            "a folder needs no prefix.",
        ),
    ],
    task: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Task; may repeat. Default: commerce_qa and musique."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE_OR_FOLDER",
            help="Your own rows, or a folder that `datasets` saved. "
            "Default: the task's shipped sample.",
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="First N rows only.")] = None,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="This machine's part of the rows, by their ids; `run merge` joins the N runs.",
        ),
    ] = None,
    samples: Annotated[int, typer.Option(help="Answers per row (needs a temperature).")] = 1,
    run: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name or folder of the run; an unfinished one resumes."),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Key: sampling.|backend.|task.|builder.|judge.|judge_backend.NAME; may repeat.",
        ),
    ] = None,
    base_url: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL", help="Address of the server (openai/); several share the rows."
        ),
    ] = None,
    api_key_env: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Environment variable that holds the key (openai/); HOST=NAME with several hosts.",
        ),
    ] = None,
    concurrency: Annotated[
        str | None,
        typer.Option(
            metavar="N|auto", help="Requests in flight (openai/; default 64, with --batch 50000)."
        ),
    ] = None,
    fingerprint: Annotated[
        str | None, typer.Option(help="What tells this deployment from others (openai/).")
    ] = None,
    batch: Annotated[
        bool,
        typer.Option(
            "--batch", help="Through the Batch API (openai/): half price, answers within a day."
        ),
    ] = False,
    active_params: Annotated[
        float | None, typer.Option(metavar="N", help="Active parameters, if unknown: 3.0e9.")
    ] = None,
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
    catalog: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER", help="Folder with tasks/ or judges/ of your own; may repeat."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be asked; ask nothing.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Cards as JSON, one a line.")] = False,
) -> None:
    """Evaluate a model: quality, tokens and work, with intervals.

    Exit code: 0 all rows scored, 2 wrong usage, 3 some rows unscored, 4 the run failed,
    130 interrupted. Whatever happened, the same command goes on where it stopped.
    """
    from lt_bench.cli.loading import loading

    with loading():
        from lt_bench.config import assignments
        from lt_bench.run import Ask, prepare
        from lt_bench.run.prepare import parse_tasks

        ask = Ask(
            model=model,
            tasks=parse_tasks(task or ()),
            data=data,
            limit=limit,
            shard=shard,
            samples=samples,
            run=run,
            settings=assignments(set_ or ()),
            catalogs=tuple(catalog or ()),
            active_params=active_params,
            flags={
                "base_url": base_url or None,
                "api_key_env": api_key_env or None,
                "concurrency": concurrency,
                "fingerprint": fingerprint,
                "batch": batch or None,
            },
            judge=who.choice(
                judge,
                judge_model,
                votes=judge_votes,
                min_votes=judge_min_votes,
                base_url=judge_base_url,
                api_key_env=judge_api_key_env,
                concurrency=judge_concurrency,
                no_cache=no_judge_cache,
                price=judge_price,
                catalogs=catalog,
                calibrations=calibration,
            ),
        )
        evaluations = prepare(ask)
    for one in evaluations:
        if judge and one.judge.name is None:
            typer.echo(f"{one.task.spec.name} has no judge {judge}: measured as usual", err=True)
    if dry_run:
        from lt_bench.cli.preview import preview

        preview(evaluations, as_json=json)
        return
    from lt_bench.cli.running import finish

    _print(evaluations, finish(_evaluate_all(ask, evaluations)), as_json=json)


async def _evaluate_all(ask: Ask, evaluations: Sequence[Evaluation]) -> list[ResultCard]:
    from lt_bench.backends.choose import open_model
    from lt_bench.cli.loading import loading
    from lt_bench.cli.progress import choose
    from lt_bench.run import run_evaluation

    with loading():
        opened = open_model(ask.model, ask.backend_options)
    async with opened as backend:
        return [await run_evaluation(one, backend, choose()) for one in evaluations]


def _print(evaluations: Sequence[Evaluation], cards: Sequence[ResultCard], as_json: bool) -> None:
    from lt_bench.cli.cards import partial, show

    for evaluation, card in zip(evaluations, cards, strict=True):
        if as_json:
            typer.echo(card.model_dump_json())
        else:
            show(card, evaluation.run)
    if any(partial(card) for card in cards):
        raise typer.Exit(3)

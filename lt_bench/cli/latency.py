"""`lt-bench latency MODEL`: how a live service would feel this model, rate by rate."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lt_bench.cli.judge import options as who

if TYPE_CHECKING:
    from lt_bench.errors import LtBenchError
    from lt_bench.records import LatencyReport
    from lt_bench.run.latency import Measurement
    from lt_bench.run.latency.session import Session

Delay = (
    "Seconds, normal(m, sd), lognormal(median, sigma), uniform(a, b), exponential(m), trace:FILE."
)


def latency(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="openai/NAME, vllm/PATH, hf/FOLDER_OR_ID, builtin/smollm2-135m or scripted/FILE.",
        ),
    ],
    deadline: Annotated[
        float,
        typer.Option(metavar="SECONDS", help="When the reply must be finished (see --start-by)."),
    ],
    rate: Annotated[
        str | None,
        typer.Option(
            metavar="R[,R…]",
            help="Requests a second, one window each: 1,2,4. A trace has a rate of its own.",
        ),
    ] = None,
    start_by: Annotated[
        bool,
        typer.Option("--start-by", help="The deadline is met by the first sound of the reply."),
    ] = False,
    task: Annotated[
        str, typer.Option(metavar="NAME", help="Task whose rows are asked.")
    ] = "commerce_qa",
    data: Annotated[
        Path | None,
        typer.Option(metavar="FILE_OR_FOLDER", help="Your own rows. Default: the task's sample."),
    ] = None,
    requests: Annotated[
        int | None, typer.Option(metavar="N", help="Requests measured at each rate (default 100).")
    ] = None,
    duration: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Seconds of arrivals at each rate.")
    ] = None,
    warmup: Annotated[
        int, typer.Option(metavar="N", help="Requests before them that are left out.")
    ] = 10,
    arrivals: Annotated[
        str,
        typer.Option(metavar="PROCESS", help="poisson, constant or trace:FILE (a time a line)."),
    ] = "poisson",
    seed: Annotated[int, typer.Option(help="Of arrivals, rows and delays.")] = 0,
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="A request is given up then, and is a miss (default: ten deadlines, at least 60).",
        ),
    ] = None,
    max_outstanding: Annotated[
        int | None,
        typer.Option(metavar="N", help="Requests beyond these are dropped (default 4096)."),
    ] = None,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Go on after two saturated rates.")
    ] = False,
    path: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="YAML: retrieval, tts and scheduling, a delay each."),
    ] = None,
    retrieval: Annotated[
        str | None, typer.Option(metavar="DELAY", help=f"Before the model. {Delay}")
    ] = None,
    tts: Annotated[
        str | None,
        typer.Option(metavar="DELAY", help="First spoken token to first sound; as --retrieval."),
    ] = None,
    scheduling: Annotated[
        str | None, typer.Option(metavar="DELAY", help="Before everything; as --retrieval.")
    ] = None,
    quality: Annotated[
        str | None,
        typer.Option(metavar="SCORE", help="Score that must be 1 (default: the task's strictest)."),
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
        str | None, typer.Option(metavar="URL", help="Address of the server (openai/).")
    ] = None,
    api_key_env: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Environment variable that holds the key (openai/)."),
    ] = None,
    fingerprint: Annotated[
        str | None, typer.Option(help="What tells this deployment from others (openai/).")
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
    catalog: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER", help="Folder with tasks/ or judges/ of your own; may repeat."
        ),
    ] = None,
    virtual_clock: Annotated[
        bool, typer.Option("--virtual-clock", help="scripted/ only: simulate, without waiting.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write latency.json and requests.jsonl there."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the plots as one offline page.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The report as JSON.")] = False,
) -> None:
    """Measure latency and deadline goodput under open-loop load.

    Requests are sent when they are due, whatever is outstanding, and all times count from then.
    Exit code: 0 measured, 2 wrong usage, 3 some replies unscored, 4 the model could not be asked,
    130 interrupted; what was measured before is shown in each case.
    """
    from lt_bench.config import assignments
    from lt_bench.run import Ask, prepare
    from lt_bench.run.latency import (
        Measurement,
        Size,
        parse_arrivals,
        parse_rates,
        path_model,
    )

    size = Size(requests, duration, warmup)
    process = parse_arrivals(arrivals)
    delays = {"scheduling": scheduling, "retrieval": retrieval, "tts": tts}
    ask = Ask(
        model=model,
        tasks=(task,),
        data=data,
        settings=assignments(set_ or ()),
        catalogs=tuple(catalog or ()),
        flags={"base_url": base_url, "api_key_env": api_key_env, "fingerprint": fingerprint},
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
        ),
    )
    rates = parse_rates(rate, process)
    model_of_path = path_model(path, delays, seed)
    (evaluation,) = prepare(ask)
    measurement = Measurement(
        evaluation=evaluation,
        rates=rates,
        deadline=deadline,
        arrivals=process,
        size=size,
        path=model_of_path,
        options=ask.backend_options,
        start_by=start_by,
        quality=quality,
        seed=seed,
        most=max_outstanding,
        patience=timeout,
        keep_going=keep_going,
        virtual=virtual_clock,
    )
    _check_targets(out, html)
    _finish(_measured(measurement), out, html, as_json=json)


def _measured(measurement: Measurement) -> Session:
    """The measurement, run; slow steps and each rate are told on stderr."""
    from lt_bench.cli.latency_progress import RateLines
    from lt_bench.cli.notices import notices
    from lt_bench.run.latency.session import Session

    with notices():
        return Session.run(measurement, RateLines())


def _check_targets(out: Path | None, html: Path | None) -> None:
    """Before anything is asked: what is written must have a place, and overwrite no measurement."""
    from lt_bench.errors import UsageError
    from lt_bench.run.latency.files import place_for

    if out is not None:
        place_for(out)
    if html is not None and (html.is_dir() or not os.access(html.absolute().parent, os.W_OK)):
        raise UsageError(
            f"cannot write {html}: no such folder, or no right to write there",
            "name a file with --html",
        )


def _finish(session: Session, out: Path | None, html: Path | None, *, as_json: bool) -> None:
    """Writes and shows what was measured, then says how the measurement ended."""
    report = session.report
    failed = _write(session, out, html)
    if as_json:
        typer.echo(report.model_dump_json())
    else:
        _show(report, () if failed else (out, html))
    if failed is not None:
        raise failed
    if session.error is not None:
        raise session.error
    if _unscored(report):
        raise typer.Exit(3)


def _write(session: Session, out: Path | None, html: Path | None) -> LtBenchError | None:
    """Both places; a full disk must not take what was measured from the screen too."""
    from lt_bench.errors import RunError
    from lt_bench.run.latency.files import write

    try:
        if out is not None:
            write(out, session.report, session.requests)
        if html is not None:
            from lt_bench.cli.latency_html import page

            html.write_text(page(session.report), "utf-8", "replace")
    except OSError as error:
        where = error.filename or html or out
        return RunError(
            f"cannot write {where}: {error.strerror}",
            "what was measured is shown; repeat with --out on a disk with space",
        )
    return None


def _show(report: LatencyReport, written: Iterable[Path | None]) -> None:
    from lt_bench.cli.latency_page import show
    from lt_bench.plain import printable

    show(report)
    for place in written:
        if place is not None:
            typer.echo(f"written: {printable(str(place))}")


def _unscored(report: LatencyReport) -> bool:
    """Some replies have no score although they could: their judge was silent."""
    return any(
        count
        for rate in report.rates
        for reason, count in rate.quality.unscored.items()
        if reason.startswith("judge_")
    )

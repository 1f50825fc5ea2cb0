"""`lt-bench judge calibrate JUDGE`: measure a judge against people."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lt_bench.cli.judge import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lt_bench.records import Calibration, JudgeBill
    from lt_bench.run.judging.calibrate import Plan
    from lt_bench.run.judging.choice import JudgeChoice
    from lt_bench.run.judging.drawing import Draw

SHOWN = 3
"""Answers without a verdict that are shown."""


def calibrate(
    judge: Annotated[str, typer.Argument(metavar="JUDGE", help="facts, or a declared judge.")],
    labels: Annotated[
        list[Path],
        typer.Option(
            metavar="FILE", help="Labelled replies, or a folder that was built; may repeat."
        ),
    ],
    more: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE]...", help="Further files of labels.")
    ] = None,
    judge_model: options.Model = None,
    judge_votes: options.Votes = 1,
    judge_min_votes: options.MinVotes = None,
    judge_base_url: options.BaseUrl = None,
    judge_api_key_env: options.ApiKeyEnv = None,
    judge_concurrency: options.Concurrency = None,
    no_judge_cache: options.NoCache = False,
    judge_price: options.Price = None,
    set_: options.Settings = None,
    catalog: options.Catalogs = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most N replies, from all sources alike.")
    ] = None,
    balance: Annotated[
        bool, typer.Option("--balance", help="As many right as wrong replies, drawn by the seed.")
    ] = False,
    seed: Annotated[int, typer.Option(help="The same seed draws the same replies.")] = 0,
    slice_: Annotated[
        list[str] | None,
        typer.Option("--slice", metavar="PREFIX", help="Slice by tags that begin so; may repeat."),
    ] = None,
    min_kappa: Annotated[
        float | None,
        typer.Option(
            metavar="K", min=-1.0, max=1.0, help="Exit 5 where the value of kappa is below K."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to write; default calibrations/JUDGE-SHA8.json."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The calibration as JSON.")] = False,
) -> None:
    """Measure a judge against people.

    Exit code: 0 measured, 2 wrong usage, 3 some replies without a verdict, 4 failed, 5 a gate is not
    met, 130 interrupted. Answers are kept: the same command asks only for what is missing.
    """
    from lt_bench.cli.running import finish
    from lt_bench.run.judging.calibration_file import FOLDER, check_place
    from lt_bench.run.judging.drawing import Draw

    sampling, backend = options.settings(set_)
    choice = options.choice(
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
    )
    how = Draw(limit, balance, seed)
    planned = _planned(choice, [*labels, *(more or ())], how, slice_ or ())
    check_place(out or FOLDER / "new.json")
    measured = finish(_measured(choice, planned))
    _report(measured, out, as_json=json)
    _end(measured.calibration, min_kappa)


@dataclass(frozen=True)
class Measured:
    """A calibration, what asking the judge took (None where no model was asked), and what it said
    instead of a verdict, the most frequent first."""

    calibration: Calibration
    bill: JudgeBill | None
    instead: tuple[str, ...]


def _planned(
    choice: JudgeChoice, files: Sequence[Path], how: Draw, prefixes: Sequence[str]
) -> Plan:
    """What is to be asked; all that can be wrong with it is found here, before anything is paid."""
    from lt_bench.run.judging.calibrate import plan
    from lt_bench.run.judging.choice import scorer_of
    from lt_bench.run.judging.label_files import check_draw, read_labels

    scorer, rows = scorer_of(choice), read_labels(files)
    check_draw(rows)
    return plan(choice.name or "", scorer, rows, ", ".join(map(str, files)), how, prefixes)


async def _measured(choice: JudgeChoice, planned: Plan) -> Measured:
    from lt_bench.cli.judge.progress import rating
    from lt_bench.cli.judge.silence import instead
    from lt_bench.run.judgements import bill
    from lt_bench.run.judging.calibrate import calibration_of
    from lt_bench.run.judging.rating import rate

    rows = planned.drawn.rows
    async with choice.opened() as judging:
        at_once = judging.panel.concurrency if judging.panel else 1
        with rating(f"calibrating {planned.judge}", len(rows)) as finished:
            rated = await rate(planned.scorer, rows, at_once, finished)
        scores = [one.scores[metric] for one in rated for metric in planned.metrics]
        return Measured(
            calibration_of(planned, rated), bill(scores, choice.prices), instead(scores)
        )


def _report(measured: Measured, out: Path | None, *, as_json: bool) -> None:
    """Writes the file and shows it."""
    from lt_bench.cli.cards import console
    from lt_bench.cli.judge.calibration_table import show
    from lt_bench.cli.judged import billed
    from lt_bench.plain import printable
    from lt_bench.run.judging.calibration_file import default_path, save_calibration

    calibration = measured.calibration
    path = out or default_path(calibration)
    save_calibration(calibration, path)
    if as_json:
        typer.echo(calibration.model_dump_json())
    else:
        show(calibration, console())
        for text in measured.instead[:SHOWN]:
            typer.echo(f"instead of a verdict: {text}")
        if measured.bill:
            typer.echo(f"judge: {billed(measured.bill)}")
    typer.echo(printable(f"calibration: {path}"), err=as_json)


def _end(calibration: Calibration, min_kappa: float | None) -> None:
    """Raises GateError below the gate; exit code 3 where the judge was silent."""
    from lt_bench.errors import GateError
    from lt_bench.run.judging.belief import below, silent

    low = below(calibration, min_kappa) if min_kappa is not None else {}
    if low:
        figures = ", ".join(f"{metric} has {kappa}" for metric, kappa in low.items())
        raise GateError(
            f"kappa is below {min_kappa:g}: {figures}",
            "do not use this judge as it is, or ask for less; the calibration is written",
        )
    if any(silent(one.overall) for one in calibration.metrics.values()):
        raise typer.Exit(3)

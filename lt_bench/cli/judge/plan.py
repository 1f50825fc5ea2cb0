"""`lt-bench judge plan`: how many labels a wanted precision needs, before anybody labels."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lt_bench.cli.judge import figures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lt_bench.calibration.planning import Outlook


@dataclass(frozen=True)
class Planned:
    """What is to be expected. `labels` are those given, or those that `precision` needs; None where
    no number is enough. `best_split` and `best_labels` are for labels chosen by class."""

    outlook: Outlook
    precision: float | None
    labels: int | None
    half_width: float | None
    floor: float
    best_split: float
    best_labels: int | None
    fewest_rows: int | None
    detectable: float | None


def plan(
    precision: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="Wanted half-width of the 95 % interval: 0.05."),
    ] = None,
    rate: Annotated[
        str | None, typer.Option(metavar="SHARE", help="True score that is expected: 0.9.")
    ] = None,
    n: Annotated[int | None, typer.Option("--n", help="Rows that will be judged.")] = None,
    sensitivity: figures.Sensitivity = None,
    specificity: figures.Specificity = None,
    labels: Annotated[
        int | None, typer.Option(help="Labels there will be: prints the half-width they give.")
    ] = None,
    label_split: figures.LabelSplit = None,
    calibration: figures.File = None,
    metric: figures.Metric = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Say how many labels a wanted precision of a corrected score needs.

    Give --precision for the labels it needs, or --labels for the precision they give. The judge's
    figures are guesses, or come from a first calibration.
    """
    import json as jsonlib

    from lt_bench.errors import UsageError

    if precision is None and labels is None:
        raise UsageError(
            "what is asked for: labels or precision?", "give --precision 0.05 or --labels 300"
        )
    if n is None:
        raise UsageError("--n is missing: how many rows will be judged", "e.g. --n 400")
    wanted = None if precision is None else figures.inner_share("--precision", precision)
    expected = figures.needed("--rate", rate)
    judge = figures.judge_of(sensitivity, specificity, labels, label_split, calibration, metric)
    given = None if labels is None else judge.labels
    found = _planned(judge, expected, figures.count("--n", n), wanted, given)
    typer.echo(jsonlib.dumps(_as_json(found)) if json else "\n".join(_lines(found)))


def _planned(
    judge: figures.Judge, rate: float, rows: int, precision: float | None, labels: int | None
) -> Planned:
    from lt_bench.calibration import planning

    outlook = planning.Outlook(rate, judge.sensitivity, judge.specificity, float(rows), judge.split)
    best = planning.best_split(outlook)
    needed = best_needed = fewest = None
    if precision is not None:
        needed = planning.labels_needed(outlook, precision)
        if 0 < best < 1:
            best_needed = planning.labels_needed(replace(outlook, right=best), precision)
        fewest = planning.rows_needed(outlook, precision) if needed is None else None
    count = labels if labels is not None else needed
    return Planned(
        outlook=outlook,
        precision=precision,
        labels=count,
        half_width=None if count is None else planning.half_width(outlook, count),
        floor=planning.floor(outlook),
        best_split=best,
        best_labels=best_needed,
        fewest_rows=fewest,
        detectable=None if count is None else planning.detectable_difference(outlook, count),
    )


def _lines(found: Planned) -> Iterator[str]:
    outlook, shown = found.outlook, figures.shown
    yield (
        f"expected    true score {shown(outlook.rate)}, {outlook.rows:,.0f} rows, "
        f"sensitivity {shown(outlook.sensitivity)}, specificity {shown(outlook.specificity)}"
    )
    if found.precision is not None:
        yield f"wanted      ± {found.precision:g}"
    yield from _label_lines(found)
    yield f"floor       ± {shown(found.floor)} with these rows and endless labels"
    if found.labels is not None:
        yield f"detectable  {_detectable(found)}"


def _label_lines(found: Planned) -> Iterator[str]:
    if found.labels is None or found.half_width is None:
        rows = "more" if found.fewest_rows is None else f"at least {found.fewest_rows:,}"
        yield f"labels      no number is enough with {found.outlook.rows:,.0f} rows: it takes {rows} rows"
        return
    right = math.ceil(found.labels * found.outlook.right)
    yield (
        f"labels      {found.labels:,}: {right:,} on replies that people call right, "
        f"{found.labels - right:,} on wrong ones"
    )
    nothing = "  more than the whole scale: these labels tell nothing"
    told = "" if found.half_width < 1 else nothing
    yield f"precision   ± {figures.shown(found.half_width)}{told}"
    if found.best_labels is not None and found.best_labels < found.labels:
        yield (
            f"best split  {100 * found.best_split:.0f} % on right replies: then "
            f"{found.best_labels:,} labels give ± {found.precision:g}"
        )


def _detectable(found: Planned) -> str:
    if found.detectable is None:
        return "no difference between two models"
    return (
        f"{100 * found.detectable:.1f} points between two models with {found.outlook.rows:,.0f} rows "
        "each (95 % interval, found 4 times in 5)"
    )


def _as_json(found: Planned) -> dict[str, Any]:
    outlook = found.outlook
    return {
        "rate": outlook.rate,
        "sensitivity": outlook.sensitivity,
        "specificity": outlook.specificity,
        "n": int(outlook.rows),
        "label_split": outlook.right,
        "precision": found.precision,
        "labels": found.labels,
        "half_width": found.half_width,
        "floor": found.floor,
        "best_split": found.best_split,
        "best_labels": found.best_labels,
        "fewest_rows": found.fewest_rows,
        "detectable": found.detectable,
    }

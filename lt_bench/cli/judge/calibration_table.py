"""Calibrations as text on stdout: the plain sentence first, then the figures it rests on."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lt_bench.cli.cards import interval, value
from lt_bench.cli.judge.bars import AXIS, bar
from lt_bench.cli.judge.calibration_comparison import covered
from lt_bench.plain import on_one_line
from lt_bench.records import Agreement, Calibration, Estimate, MetricCalibration
from lt_bench.run.judging.belief import belief, figure, judge_name

FIGURES = {
    "agreement": "judge and people say the same",
    "base_rate": "people say right",
    "sensitivity": "of what people call right, the judge calls right",
    "specificity": "of what people call wrong, the judge calls wrong",
    "kappa": "agreement beyond chance, Cohen",
    "ac1": "agreement beyond chance, Gwet",
}
"""Figure of an Agreement -> what it says."""
SHOWN_SLICES = 40
"""More of them stand in the file."""


def show(calibration: Calibration, out: Console) -> None:
    """Everything of one calibration: a sentence for each metric, then the figures of each."""
    for metric in calibration.metrics:
        sentence = belief(calibration, metric).sentence
        out.print(Text(on_one_line(sentence), style="bold"), soft_wrap=True)
    for metric, found in calibration.metrics.items():
        out.print()
        _show_metric(calibration, metric, found, out)
    out.print(Text(on_one_line(_origin(calibration)), style="dim"), soft_wrap=True)


def _show_metric(
    calibration: Calibration, metric: str, found: MetricCalibration, out: Console
) -> None:
    out.print(_overall(metric, found.overall))
    for line in _account(calibration, found):
        out.print(Text(line, style="dim"), soft_wrap=True)
    out.print()
    out.print(_parts(found))
    hidden = len(found.slices) - SHOWN_SLICES
    if hidden > 0:
        out.print(Text(f"and {hidden} slices more, which are in the file", style="dim"))
    for warning in found.warnings:
        out.print(Text(f"warning: {on_one_line(warning)}", style="yellow"), soft_wrap=True)


def _overall(metric: str, overall: Agreement) -> Table:
    """A row a figure; `how` names the interval."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in (metric, "value", "95 % interval", "n", "how", ""):
        right = heading in ("value", "95 % interval", "n")
        table.add_column(heading, justify="right" if right else "left")
    for name, meaning in FIGURES.items():
        estimate: Estimate = getattr(overall, name)
        table.add_row(
            name.replace("_", " "),
            value(estimate),
            interval(estimate),
            str(estimate.n),
            estimate.method,
            Text(meaning, style="dim"),
        )
    return table


def _account(calibration: Calibration, found: MetricCalibration) -> Iterator[str]:
    """Where every reply that was read has gone."""
    counts = found.overall.counts
    silent = ", ".join(f"{n} {reason}" for reason, n in found.overall.unscored.items() if n)
    parts = [
        f"{counts.n} compared",
        *([f"no verdict: {silent}"] if silent else []),
        *([f"{found.disputed} disputed among people"] if found.disputed else []),
        *([f"{found.left_out} not drawn"] if found.left_out else []),
        *([f"{found.unlabelled} without a label"] if found.unlabelled else []),
    ]
    yield f"{calibration.rows} replies: {', '.join(parts)}; coverage {covered(found.overall)}"
    if counts.n:
        yield (
            f"of {counts.positives} right replies the judge calls {counts.true_positive} right, "
            f"of {counts.negatives} wrong ones {counts.false_positive}"
        )
    if found.disputed_yes is not None:
        yield f"of the disputed replies the judge calls {value(found.disputed_yes)} right"


def _parts(found: MetricCalibration) -> Table:
    """Slices, baselines and people side by side with the judge, kappa drawn."""
    headings = ("replies", "n", "no verdict", "base rate", "agreement", "sens.", "spec.", "kappa")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "replies" else "right")
    table.add_column(AXIS, no_wrap=True)
    for name, one in _rows(found):
        table.add_row(Text(on_one_line(name)), *_cells(one), Text(bar(one.kappa)))
    return table


def _rows(found: MetricCalibration) -> Iterator[tuple[str, Agreement]]:
    yield "all", found.overall
    yield from list(found.slices.items())[:SHOWN_SLICES]
    for name, one in found.baselines.items():
        yield f"baseline: {name}", one
    if found.annotators is not None:
        yield "one person against another", found.annotators


def _cells(one: Agreement) -> list[str]:
    return [
        str(one.counts.n),
        str(sum(one.unscored.values()) or ""),
        value(one.base_rate),
        value(one.agreement),
        value(one.sensitivity),
        value(one.specificity),
        figure(one.kappa),
    ]


def _origin(calibration: Calibration) -> str:
    balance = ", as many right as wrong ones" if calibration.balanced else ""
    who = judge_name(calibration)
    asked = f"{who} by {calibration.judge}" if calibration.models else who
    return f"{asked}, on {calibration.labels}{balance}; {calibration.created}"

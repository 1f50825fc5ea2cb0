"""Several calibrations side by side, a row for each metric of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lt_bench.cli.cards import value
from lt_bench.cli.judge.bars import AXIS, bar
from lt_bench.plain import on_one_line
from lt_bench.records import Agreement, Calibration
from lt_bench.run.judging.belief import belief, coverage, figure

COLUMNS = ("judge", "model", "metric", "labels", "n", "coverage", "kappa", "sens.", "spec.", "")
LEFT = ("judge", "model", "metric", "labels", "")


def compare(calibrations: Sequence[Calibration], out: Console) -> None:
    """A table with kappa drawn."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in COLUMNS:
        table.add_column(heading, justify="left" if heading in LEFT else "right")
    table.add_column(AXIS, no_wrap=True)
    for calibration, metric in by_metric(calibrations):
        cells = (Text(on_one_line(cell)) for cell in cells_of(calibration, metric))
        table.add_row(*cells, Text(bar(calibration.metrics[metric].overall.kappa)))
    out.print(table)


def by_metric(calibrations: Sequence[Calibration]) -> Iterator[tuple[Calibration, str]]:
    """Every metric of every calibration, those of one metric together."""
    names = dict.fromkeys(metric for one in calibrations for metric in one.metrics)
    return ((one, name) for name in names for one in calibrations if name in one.metrics)


def cells_of(calibration: Calibration, metric: str) -> list[str]:
    """A row of the table, in the order of `COLUMNS`."""
    overall = calibration.metrics[metric].overall
    return [
        calibration.judge,
        " + ".join(calibration.models) or "rules",
        metric,
        calibration.labels,
        str(overall.counts.n),
        covered(overall),
        figure(overall.kappa),
        value(overall.sensitivity),
        value(overall.specificity),
        belief(calibration, metric).standing,
    ]


def covered(found: Agreement) -> str:
    """Share of the replies with a verdict, as text."""
    share = coverage(found)
    return "–" if share is None else f"{100 * share:.1f} %"

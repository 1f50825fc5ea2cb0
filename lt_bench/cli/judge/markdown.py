"""Calibrations and bias reports as Markdown, for a document or an issue."""

from __future__ import annotations

from collections.abc import Sequence

from lt_bench.cli.judge.calibration_comparison import COLUMNS, by_metric, cells_of
from lt_bench.plain import on_one_line
from lt_bench.records import BiasReport, Calibration
from lt_bench.run.judging.belief import belief

SPECIAL = "\\`*_[]|~#"
"""What Markdown would read as more than a character."""


def of_calibrations(calibrations: Sequence[Calibration]) -> str:
    """A table with a row for each metric, and what each comes to in a sentence."""
    rows = [_row(cells_of(one, metric)) for one, metric in by_metric(calibrations)]
    sentences = [
        f"- {_plain(belief(one, metric).sentence)}" for one, metric in by_metric(calibrations)
    ]
    return "\n".join([*_head(COLUMNS), *rows, "", *sentences])


def of_biases(report: BiasReport) -> str:
    """A table with a row for each probe."""
    who = " + ".join(report.models) or "rules"
    rows = [_row((probe.name, probe.word, probe.sentence)) for probe in report.probes]
    title = f"{_plain(report.judge)}, {_plain(who)}, {report.judgements} judgements:"
    return "\n".join([title, "", *_head(("probe", "", "what came of it")), *rows])


def _head(columns: Sequence[str]) -> list[str]:
    return [_row(columns), "|" + " --- |" * len(columns)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_plain, cells))} |"


def _plain(text: str) -> str:
    """The text on one line, with nothing in it that Markdown or HTML would act on."""
    line = on_one_line(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{char}" if char in SPECIAL else char for char in line)

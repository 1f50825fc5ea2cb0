"""`lt-bench judge report FILE…`: show again what calibrate and bias have written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from lt_bench.records import BiasReport, Calibration

BIAS = b'"probes"'
"""A key that only a bias report has."""


def report(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="What judge calibrate or judge bias has written."),
    ],
    markdown: Annotated[bool, typer.Option("--markdown", help="As Markdown.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One record a line.")] = False,
) -> None:
    """Show calibrations and bias reports again; several calibrations stand side by side."""
    from lt_bench.errors import UsageError
    from lt_bench.records import BiasReport, Calibration

    if markdown and json:
        raise UsageError("--markdown and --json name two forms", "keep one")
    found = [_load(path) for path in files]
    if json:
        for one in found:
            typer.echo(one.model_dump_json())
        return
    calibrations = [one for one in found if isinstance(one, Calibration)]
    biases = [one for one in found if isinstance(one, BiasReport)]
    if markdown:
        _write(calibrations, biases)
    else:
        _show(calibrations, biases)


def _load(path: Path) -> Calibration | BiasReport:
    from lt_bench.run.judging.bias.report_file import load_report
    from lt_bench.run.judging.calibration_file import load_calibration

    try:
        is_bias = BIAS in path.read_bytes()
    except OSError:
        is_bias = False
    return load_report(path) if is_bias else load_calibration(path)


def _show(calibrations: list[Calibration], biases: list[BiasReport]) -> None:
    from lt_bench.cli.cards import console
    from lt_bench.cli.judge import bias_table, calibration_table
    from lt_bench.cli.judge.calibration_comparison import compare

    out = console()
    if len(calibrations) == 1:
        calibration_table.show(calibrations[0], out)
    elif calibrations:
        compare(calibrations, out)
    for one in biases:
        bias_table.show(one, out)


def _write(calibrations: list[Calibration], biases: list[BiasReport]) -> None:
    from lt_bench.cli.judge.markdown import of_biases, of_calibrations

    parts = [of_calibrations(calibrations)] if calibrations else []
    typer.echo("\n\n".join([*parts, *map(of_biases, biases)]))

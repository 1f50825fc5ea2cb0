"""What a study's page draws: training over steps, quality against tokens, and the budget sweep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lt_bench.plain import on_one_line
from lt_bench.study.plots import Axis, Line, Point, line_plot, point_plot
from lt_bench.study.report import Cell, StudyReport

if TYPE_CHECKING:
    from markupsafe import Markup

TOKENS: Final = "tpr"


@dataclass(frozen=True)
class Figure:
    """A plot with its heading."""

    title: str
    drawn: Markup


def figures(report: StudyReport) -> Iterator[Figure]:
    """Every plot for which there is something to draw."""
    yield from _steps(report)
    yield from _against_tokens(report)
    yield from _sweep(report)


def _steps(report: StudyReport) -> Iterator[Figure]:
    curves = [curve for curve in report.curves if curve.steps]
    if not curves:
        return
    rows = list(dict.fromkeys(curve.row for curve in curves))
    for title, y_title in (
        ("Output tokens over RL steps", "tokens"),
        ("Reward over RL steps", "reward"),
    ):
        lines = [
            Line(
                name=on_one_line(f"{curve.row}, seed {curve.seed}"),
                points=list(
                    zip(
                        curve.steps,
                        curve.tokens if y_title == "tokens" else curve.reward,
                        strict=True,
                    )
                ),
                hue=rows.index(curve.row),
                dash=report.seeds.index(curve.seed),
            )
            for curve in curves
        ]
        values = [up for line in lines for _, up in line.points if up is not None]
        if values:
            x = Axis.over([step for curve in curves for step in curve.steps], "step", zero=True)
            y = Axis.over(values, y_title, zero=True)
            yield Figure(title, line_plot(lines, x, y, title))


def _against_tokens(report: StudyReport) -> Iterator[Figure]:
    rows = report.by_row if TOKENS in report.metrics else {}
    hues = {name: place for place, name in enumerate(dict.fromkeys(map(_training, rows)))}
    for metric in _shares(report):
        points = [
            Point(
                label=on_one_line(name),
                x=tokens.value,
                y=quality.value * 100,
                across=_ends(tokens, 1),
                upright=_ends(quality, 100),
                hue=hues[_training(name)],
            )
            for name, row in rows.items()
            if (tokens := row.cells[TOKENS]).value is not None
            and (quality := row.cells[metric]).value is not None
        ]
        if points:
            title = f"{_said(metric).capitalize()} against output tokens"
            x = Axis.over(_reach([point.across for point in points]), "output tokens", zero=True)
            y = Axis.over(_reach([point.upright for point in points]), f"{_said(metric)}, points")
            yield Figure(title, point_plot(points, x, y, title))


def _sweep(report: StudyReport) -> Iterator[Figure]:
    """What was turned against tokens, and against quality: over the seeds of its table."""
    tables = [
        {row.row: row for row in table.rows if row.row and not row.teacher}
        for table in report.tables
    ]
    turned = sorted(report.sweep.items(), key=lambda item: item[1])
    rows = next((rows for rows in tables if all(name in rows for name, _ in turned)), None)
    if rows is None or not turned:
        return
    x = Axis.over([value for _, value in turned], on_one_line(report.turned))
    for title, metrics in (
        ("Tokens over the length budget", tuple(one for one in report.metrics if one == TOKENS)),
        ("Quality over the length budget", _shares(report)),
    ):
        lines = []
        for hue, metric in enumerate(metrics):
            scale = 1 if metric == TOKENS else 100
            points = [
                (at, None if (value := rows[name].cells[metric].value) is None else value * scale)
                for name, at in turned
            ]
            name = "output tokens" if metric == TOKENS else _said(metric)
            lines.append(Line(name, points, hue=hue, dots=True))
        values = [up for line in lines for _, up in line.points if up is not None]
        if values:
            y = Axis.over(
                values, "tokens" if TOKENS in metrics else "points", zero=TOKENS in metrics
            )
            yield Figure(title, line_plot(lines, x, y, title))


def _shares(report: StudyReport) -> tuple[str, ...]:
    """The metrics that are points of a hundred."""
    return tuple(one for one in report.metrics if one != TOKENS)


def _said(metric: str) -> str:
    return metric.replace("_", " ")


def _training(row: str) -> str:
    return row.partition(".")[0]


def _ends(cell: Cell, scale: int) -> tuple[float, float] | None:
    if cell.value is None or cell.low is None or cell.high is None:
        return None if cell.value is None else (cell.value * scale, cell.value * scale)
    return cell.low * scale, cell.high * scale


def _reach(ends: Sequence[tuple[float, float] | None]) -> list[float]:
    return [end for pair in ends if pair is not None for end in pair]

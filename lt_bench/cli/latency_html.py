"""A latency report as one HTML file that needs no network: plots, and the figures behind them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from lt_bench.cli.latency_page import FELT, HEARD, QUANTILES, quantile, share
from lt_bench.cli.latency_plot import label
from lt_bench.records import Goodput, LatencyFigures, LatencyReport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

STYLE = (
    "body{font-family:sans-serif;margin:2em auto;max-width:70em;color:#222}"
    "table{border-collapse:collapse;margin:1em 0}"
    "td,th{padding:.25em .8em;text-align:right;border-bottom:1px solid #ddd}"
    "p.note{color:#555}"
)


def page(report: LatencyReport) -> str:
    """The whole page; plotly's script is in it. Text of models and files is escaped."""
    title = html.escape(f"{report.model} · {report.task}@{report.version}")
    met = "began to speak" if report.start_by else "was finished"
    asked = html.escape(
        f"Goodput: {report.asked_for} is 1 and the reply {met} within {report.deadline:g} s; "
        f"{report.arrivals} arrivals, seed {report.seed}."
    )
    path = ", ".join(f"{name} {text}" for name, text in report.path.items())
    body = [
        f"<h1>{title}</h1><p>{asked}</p>",
        f"<p>The way there: {html.escape(path)}.</p>" if path else "",
        *_figures(report),
        *_tables(report),
        *(f'<p class="note">{html.escape(text)}</p>' for text in _remarks(report)),
    ]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _remarks(report: LatencyReport) -> list[str]:
    sentences = [one.saturation.sentence for one in report.rates]
    return [*sentences, *([report.stopped] if report.stopped else []), *report.warnings]


def _figures(report: LatencyReport) -> Iterator[str]:
    from plotly.io import to_html

    if not report.rates:
        return
    for place, figure in enumerate((_goodput(report), _times(report))):
        yield to_html(figure, full_html=False, include_plotlyjs=place == 0)


def _goodput(report: LatencyReport) -> Any:
    import plotly.graph_objects as go

    figure = go.Figure()
    rates = [one.rate for one in report.rates]
    lines: dict[str, Callable[[Any], Goodput]] = {
        "goodput": lambda one: one.goodput,
        "in time": lambda one: one.in_time,
    }
    for name, pick in lines.items():
        shares = [pick(one) for one in report.rates]
        _line(
            figure,
            name,
            rates,
            [(found.value, found.low, found.high) for found in shares],
        )
    figure.update_layout(
        title="Share of requests within the deadline",
        xaxis={"title": "requests a second", "rangemode": "tozero"},
        yaxis={"title": "share", "range": [0, 1.02], "tickformat": ".0%"},
    )
    return figure


def _times(report: LatencyReport) -> Any:
    """p50, p95 and p99 of what is felt, against rate."""
    import plotly.graph_objects as go

    figure = go.Figure()
    rates = [one.rate for one in report.rates]
    for what in ("first_token", "first_spoken", "total"):
        for name in QUANTILES:
            found = [one.measured[what].quantiles[name] for one in report.rates]
            if any(each.value is not None for each in found):
                points = [(each.value, each.low, each.high) for each in found]
                _line(figure, f"{FELT[what]}, {name}", rates, points)
    figure.update_layout(
        title="Time since the question was due, as measured",
        xaxis={"title": "requests a second", "rangemode": "tozero"},
        yaxis={"title": "seconds", "rangemode": "tozero"},
    )
    return figure


def _line(
    figure: Any,
    name: str,
    rates: Sequence[float],
    points: Sequence[tuple[float | None, float | None, float | None]],
) -> None:
    """A line with its intervals; a rate without a value is a gap."""
    up = [0.0 if v is None or high is None else high - v for v, _, high in points]
    down = [0.0 if v is None or low is None else v - low for v, low, _ in points]
    figure.add_scatter(
        x=list(rates),
        y=[value for value, _, _ in points],
        name=name,
        mode="lines+markers",
        error_y={"type": "data", "symmetric": False, "array": up, "arrayminus": down},
    )


def _tables(report: LatencyReport) -> Iterator[str]:
    yield _table(
        ("rate", "requests", "goodput", "in time", "state"),
        [
            (
                label(one),
                str(one.requests),
                share(one.goodput),
                share(one.in_time),
                one.saturation.sentence,
            )
            for one in report.rates
        ],
    )
    rows = []
    for one in report.rates:
        times: list[tuple[str, LatencyFigures]] = [
            (name, one.measured[what]) for what, name in FELT.items()
        ]
        times += [(f"{name}, whole way", one.end_to_end[what]) for what, name in HEARD.items()]
        rows += [
            (label(one), name, *(quantile(found.quantiles[each]) for each in QUANTILES))
            for name, found in times
        ]
    yield _table(("rate", "time", *QUANTILES), rows)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(text)}</th>" for text in headings)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

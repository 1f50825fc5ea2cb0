"""A latency report as one HTML file that needs no network: plots, and the figures behind them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Final

from lt_bench.cli.latency_page import FELT, HEARD, QUANTILES, cells, count, quality, share
from lt_bench.cli.latency_plot import label
from lt_bench.plain import printable
from lt_bench.records import Goodput, LatencyFigures, LatencyReport, RateReport
from lt_bench.webpage import STYLE as BASE
from lt_bench.webpage import policy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

POLICY: Final = policy(scripts=True)
STYLE: Final = (
    f"{BASE}"
    ".js-plotly-plot text{fill:var(--ink)!important}"
    ".js-plotly-plot .gridlayer path,.js-plotly-plot .zerolinelayer path"
    "{stroke:var(--line)!important}"
)
HUES: Final[dict[str, str]] = {
    "first_token": "#7a8ca3",
    "first_spoken": "#d9730d",
    "total": "#2f7fd1",
}
"""A colour for each time; they are told apart on a light and on a dark ground."""
SHARES: Final = "Share of requests within the deadline"
TIMES: Final = "Time since the question was due, as measured"
DASHES: Final[dict[str, str]] = {"p50": "solid", "p95": "dash", "p99": "dot"}


def page(report: LatencyReport) -> str:
    """The whole page; plotly's script is in it. Text of models and files is escaped."""
    title = _text(f"{report.model} · {report.task}@{report.version}")
    met = "began to speak" if report.start_by else "was finished"
    clock = ", virtual time" if report.virtual else ""
    asked = _text(
        f"Goodput: {report.asked_for} is 1 and the reply {met} within {report.deadline:g} s; "
        f"{report.arrivals} arrivals, seed {report.seed}{clock}."
    )
    path = ", ".join(f"{name} {text}" for name, text in report.path.items())
    body = [
        f"<h1>{title}</h1><p>{asked}</p>",
        f"<p>The way there: {_text(path)}.</p>" if path else "",
        *_figures(report),
        *_tables(report),
        *(f'<p class="note">{_text(text)}</p>' for text in _remarks(report)),
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _text(text: str) -> str:
    """Text of models and files: no markup, no control or direction characters."""
    return html.escape(printable(text))


def _remarks(report: LatencyReport) -> list[str]:
    reasons = (
        found.reason
        for one in report.rates
        for each in one.measured.values()
        for found in each.quantiles.values()
    )
    told = dict.fromkeys(reason for reason in reasons if "takes" in reason)
    return [*([report.stopped] if report.stopped else []), *told, *report.warnings]


def _figures(report: LatencyReport) -> Iterator[str]:
    from plotly.io import to_html

    if not report.rates:
        return
    drawn = {SHARES: _goodput(report), TIMES: _times(report)}
    for place, (title, figure) in enumerate(drawn.items()):
        yield f"<h2>{title}</h2>"
        yield to_html(
            figure,
            full_html=False,
            include_plotlyjs=place == 0,
            div_id=f"plot{place}",
            config={"displayModeBar": False, "responsive": True},
        )


def _goodput(report: LatencyReport) -> Any:
    lines: dict[str, Callable[[RateReport], Goodput]] = {
        "goodput": lambda one: one.goodput,
        "in time": lambda one: one.in_time,
    }
    figure = _figure({"title": "share", "range": [0, 1.02], "tickformat": ".0%"})
    for (name, pick), hue in zip(lines.items(), ("#2f7fd1", "#d9730d"), strict=True):
        shares = [pick(one) for one in report.rates]
        points = [(found.value, found.low, found.high) for found in shares]
        _line(figure, name, report, points, {"color": hue})
    return figure


def _times(report: LatencyReport) -> Any:
    """p50, p95 and p99 of what is felt, against rate."""
    figure = _figure({"title": "seconds", "rangemode": "tozero"})
    for what in ("first_token", "first_spoken", "total"):
        for name in QUANTILES:
            found = [one.measured[what].quantiles[name] for one in report.rates]
            if any(each.value is not None for each in found):
                points = [(each.value, each.low, each.high) for each in found]
                look = {"color": HUES[what], "dash": DASHES[name]}
                _line(figure, f"{FELT[what]}, {name}", report, points, look)
    return figure


def _figure(yaxis: dict[str, Any]) -> Any:
    """An empty plot against rate on the page's own ground, its names below it."""
    import plotly.graph_objects as go

    figure = go.Figure()
    figure.update_layout(
        xaxis={"title": "requests a second", "rangemode": "tozero"},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 60, "r": 15, "t": 20, "b": 50},
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0},
        showlegend=True,
        yaxis=yaxis,
    )
    return figure


def _line(
    figure: Any,
    name: str,
    report: LatencyReport,
    points: Sequence[tuple[float | None, float | None, float | None]],
    look: dict[str, str],
) -> None:
    """A line with its intervals; a rate without a value is a gap."""
    up = [0.0 if v is None or high is None else high - v for v, _, high in points]
    down = [0.0 if v is None or low is None else v - low for v, low, _ in points]
    figure.add_scatter(
        x=[one.rate for one in report.rates],
        y=[value for value, _, _ in points],
        name=name,
        mode="lines+markers",
        line=look,
        error_y={"type": "data", "symmetric": False, "array": up, "arrayminus": down},
    )


def _tables(report: LatencyReport) -> Iterator[str]:
    headings = ("rate", "requests", "goodput", "in time", report.asked_for, "failed", "state")
    yield _table(headings, [_rate(one) for one in report.rates], words=(6,))
    rows = [
        (label(one), name, *cells(found), count(found))
        for one in report.rates
        for name, found in _felt(one)
    ]
    yield _table(("rate", "time", *QUANTILES, "n"), rows, words=(1,))


def _rate(one: RateReport) -> tuple[str, ...]:
    failed = sum(one.outcomes.get(fate, 0) for fate in ("error", "refused", "dropped"))
    return (
        label(one),
        str(one.requests),
        share(one.goodput),
        share(one.in_time),
        quality(one),
        str(failed),
        one.saturation.sentence,
    )


def _felt(one: RateReport) -> Iterator[tuple[str, LatencyFigures]]:
    for what, name in FELT.items():
        yield name, one.measured[what]
    for heard, name in HEARD.items():
        yield f"{name}, whole way", one.end_to_end[heard]


def _table(
    headings: Iterable[str], rows: Iterable[Sequence[str]], words: tuple[int, ...] = ()
) -> str:
    """A table that scrolls by itself where the page is narrow; columns of `words` stand left."""

    left = ' class="words"'

    def line(cells: Iterable[str], tag: str) -> str:
        return "".join(
            f"<{tag}{left if place in words else ''}>{_text(cell)}</{tag}>"
            for place, cell in enumerate(cells)
        )

    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    head = line(headings, "th")
    return (
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )

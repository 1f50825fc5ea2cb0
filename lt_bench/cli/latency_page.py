"""A latency report as tables on stdout."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lt_bench.cli.cards import console, interval, value
from lt_bench.cli.judged import billed
from lt_bench.cli.latency_plot import label, plot
from lt_bench.plain import printable
from lt_bench.records import (
    Felt,
    Goodput,
    Heard,
    LatencyFigures,
    LatencyReport,
    Quantile,
    RateReport,
)

FELT: dict[Felt, str] = {
    "queueing": "queueing",
    "first_token": "first token",
    "first_spoken": "first spoken token",
    "total": "total",
    "per_token": "per token",
}
"""What the table of times shows, with its names."""
HEARD: dict[Heard, str] = {"first_audio": "first sound", "finished": "finished"}
QUANTILES = ("p50", "p95", "p99")


def show(report: LatencyReport) -> None:
    """What was asked for, goodput by rate, the bars, the times, and what to know of them."""
    out = console()
    for line, style in _head(report):
        out.print(Text(printable(line), style=style))
    if report.rates:
        out.print(_rates(report))
        out.print()
        for line in plot(report.rates):
            out.print(Text(line), soft_wrap=True)
        out.print()
        out.print(_times(report))
    _remarks(report, out)


def _head(report: LatencyReport) -> Iterator[tuple[str, str]]:
    data = report.data or "its shipped sample"
    clock = ", virtual time" if report.virtual else ""
    yield (
        f"{report.model} · {report.task}@{report.version} · {data} · {report.arrivals} arrivals, "
        f"seed {report.seed}{clock}",
        "bold",
    )
    met = "began to speak" if report.start_by else "was finished"
    yield f"goodput: {report.asked_for} is 1 and the reply {met} within {report.deadline:g} s", ""
    if report.path:
        path = ", ".join(f"{name} {text}" for name, text in report.path.items())
        yield f"the way there: {path} (in goodput and in the last rows of the times)", ""


def _rates(report: LatencyReport) -> Table:
    table = _table("rate", "offered", "achieved", "requests", "goodput", "in time")
    table.add_column(report.asked_for, justify="right")
    table.add_column("failed", justify="right")
    table.add_column("state")
    for one in report.rates:
        failed = sum(one.outcomes.get(fate, 0) for fate in ("error", "refused", "dropped"))
        cancelled = one.outcomes.get("cancelled", 0)
        table.add_row(
            label(one),
            _per_second(one.offered),
            _per_second(one.achieved),
            f"{one.requests - cancelled}" + (f" (+{cancelled} cancelled)" if cancelled else ""),
            share(one.goodput),
            share(one.in_time),
            quality(one),
            str(failed),
            _state(one),
        )
    return table


def quality(one: RateReport) -> str:
    """ "89.5 % [81.8 – 95.8]"."""
    return f"{value(one.quality)} [{interval(one.quality)}]".replace(" []", "")


def _state(one: RateReport) -> str:
    saturated = one.saturation.saturated
    return "unknown" if saturated is None else "saturated" if saturated else "kept up"


def share(found: Goodput) -> str:
    """ "83.3 % [58.9 – 95.6]"."""
    if found.value is None or found.low is None or found.high is None:
        return "n/a"
    text = f"{found.value * 100:.1f} % [{found.low * 100:.1f} – {found.high * 100:.1f}]"
    return text + (f" ({found.unmeasured} n/a)" if found.unmeasured else "")


def _times(report: LatencyReport) -> Table:
    table = _table("rate", "seconds since the question was due", *QUANTILES, "n")
    table.columns[1].justify = "left"
    for one in report.rates:
        rows = [(name, one.measured[what]) for what, name in FELT.items()]
        if report.path:
            rows += [(f"{name}, whole way", one.end_to_end[what]) for what, name in HEARD.items()]
        for place, (name, found) in enumerate(rows):
            table.add_row("" if place else label(one), name, *cells(found), count(found))
    return table


def cells(found: LatencyFigures) -> Iterator[str]:
    """Its percentiles in words."""
    for name in QUANTILES:
        felt, answered = found.quantiles[name], found.answered.get(name)
        if felt.value is not None or answered is None or "never" not in felt.reason:
            yield quantile(felt)
        elif answered.value is None:
            yield "never"
        else:
            yield f"never (answered: {quantile(answered)})"


def quantile(found: Quantile) -> str:
    """ "412 ms [398 – 431]"; a dash where there is none."""
    if found.value is None:
        return "–"
    if found.low is None or found.high is None:
        return seconds(found.value)
    scale, unit = (1000.0, "ms") if found.value < 1.0 else (1.0, "s")
    low, high = (_digits(bound * scale) for bound in (found.low, found.high))
    return f"{_digits(found.value * scale)} {unit} [{low} – {high}]"


def seconds(time: float) -> str:
    """ "412 ms" or "1.35 s"."""
    return f"{_digits(time * 1000)} ms" if time < 1.0 else f"{_digits(time)} s"


def _digits(number: float) -> str:
    """Three digits, and no more than the clock can tell."""
    return f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else f"{number:.0f}"


def count(found: LatencyFigures) -> str:
    """ "95 + 5 never"."""
    never = f" + {found.never} never" if found.never else ""
    return f"{found.n}{never}"


def _remarks(report: LatencyReport, out: Console) -> None:
    for one in report.rates:
        if one.saturation.saturated is not False:
            out.print(Text(printable(_sentence(one)), style="yellow"))
    if report.stopped:
        out.print(Text(f"{report.stopped} (--keep-going measures them)"))
    for reason in dict.fromkeys(_reasons(report)):
        out.print(Text(reason, style="dim"))
    if report.bill:
        out.print(Text(f"judge: {billed(report.bill)}", style="dim"))
    for warning in report.warnings:
        out.print(Text(f"warning: {printable(warning)}", style="yellow"))


def _sentence(one: RateReport) -> str:
    text = one.saturation.sentence
    return text if text.startswith("saturated") else f"{label(one)}: {text}"


def _reasons(report: LatencyReport) -> Iterator[str]:
    """Why there are dashes, and percentiles without an interval."""
    for one in report.rates:
        for found in (*one.measured.values(), *one.end_to_end.values()):
            for each in found.quantiles.values():
                if each.reason and "takes" in each.reason:
                    yield each.reason


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _per_second(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.3g}/s"

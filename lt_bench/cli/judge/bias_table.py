"""Bias reports as text on stdout: what each probe says, then the figures it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lt_bench.cli.cards import interval, value
from lt_bench.plain import on_one_line
from lt_bench.records import BiasFigure, BiasProbe, BiasReport, Estimate, Sway

HEADINGS: Final[dict[str, tuple[str, str, str]]] = {
    "length": ("called right", "as it was", "moved by"),
    "order": ("flip", "asked again", "beyond that"),
    "repeat": ("flip", "", ""),
    "injection": ("turned right", "harmless words", "beyond that"),
    "blind": ("called right", "with documents", "moved by"),
    "abstention": ("share", "", ""),
}
"""Probe -> what its share, its control and their difference are called."""
STYLE: Final[dict[Sway, str]] = {
    "steady": "bold green",
    "sways": "bold red",
    "unclear": "bold yellow",
    "not_applicable": "dim",
}
ONE_REPLY: Final = (
    "Position and swap bias, which of two replies stands first, do not exist here: every reply is "
    "judged alone."
)


def show(report: BiasReport, console: Console) -> None:
    """The whole report, probe by probe."""
    models = " + ".join(report.models) or "rules"
    title = f"{report.judge} · {models} · {report.labels} · {report.judgements} judgements"
    console.print(Text(on_one_line(title), style="bold"))
    console.print(_summary(report))
    for probe in report.probes:
        for metric in dict.fromkeys(figure.metric for figure in probe.figures):
            console.print()
            heading = f"{probe.name}, {metric}, {probe.rows} replies"
            console.print(Text(on_one_line(heading), style="bold"))
            console.print(_figures(probe, metric))
            for line in _account(probe, metric):
                console.print(Text(line, style="dim"))
        if probe.unscored:
            console.print(Text(_silence(probe), style="yellow"))
    console.print()
    console.print(Text(ONE_REPLY, style="dim"))
    console.print(Text(f"judge {report.judge_sha[:8]}, {report.created}", style="dim"))


def _summary(report: BiasReport) -> Table:
    """A row a probe: the word and the sentence."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(3):
        table.add_column(vertical="top")
    for probe in report.probes:
        word = Text(probe.word.replace("_", " "), style=STYLE[probe.word], no_wrap=True)
        table.add_row(Text(probe.name, no_wrap=True), word, Text(on_one_line(probe.sentence)))
    return table


def _figures(probe: BiasProbe, metric: str) -> Table:
    """A row a line of one metric; columns that would be empty are left out."""
    figures = [figure for figure in probe.figures if figure.metric == metric]
    extra = dict.fromkeys(name for figure in figures for name in figure.also)
    rows = [_cells(probe.name, figure, extra) for figure in figures]
    table = Table(box=None, pad_edge=False, header_style="bold")
    shown = [heading for heading in rows[0] if any(row[heading] for row in rows)]
    for heading in shown:
        left = heading in ("", "how", " ")
        table.add_column(heading, justify="left" if left else "right", no_wrap=True)
    for row, figure in zip(rows, figures, strict=True):
        table.add_row(*(row[heading] for heading in shown), style="bold" if figure.word else "")
    return table


def _cells(probe: str, figure: BiasFigure, extra: Iterable[str]) -> dict[str, str]:
    """Heading -> text of one line."""
    share, control, moved = HEADINGS.get(probe, ("share", "control", "difference"))
    telling = figure.difference or figure.share
    return {
        "": on_one_line(figure.name),
        share: value(figure.share),
        control or "control": _value(figure.control),
        moved or "difference": _moved(figure.difference),
        "95 % interval": interval(telling),
        "n": str(telling.n),
        "unscored": ", ".join(f"{n} {reason}" for reason, n in telling.unscored.items() if n),
        "gained": _count(figure.gained),
        "lost": _count(figure.lost),
        "McNemar p": "" if figure.p_value is None else f"{figure.p_value:.3g}",
        **{name: _value(figure.also.get(name)) for name in extra},
        " ": figure.word or "",
        "how": telling.method,
    }


def _account(probe: BiasProbe, metric: str) -> Iterator[str]:
    """The figures that a whole probe comes to, for one metric."""
    for name, found in probe.also.items():
        what, _, of = name.partition(":")
        if of == metric:
            bounds = _bounds(what, found)
            told = "–" if found.value is None else _plain(what, found)
            yield f"{what.replace('_', ' ')}: {told}{bounds} ({found.method})"


def _silence(probe: BiasProbe) -> str:
    missing = ", ".join(f"{n} {reason}" for reason, n in probe.unscored.items())
    return f"without a verdict: {missing}, of {probe.judgements} judgements; they are in no share"


def _plain(what: str, found: Estimate) -> str:
    if what == "price_of_length" and found.value is not None:
        return f"{found.value * 100:+.1f} points for twice the length"
    return value(found)


def _bounds(what: str, found: Estimate) -> str:
    if found.low is None or found.high is None:
        return ""
    if what == "price_of_length":
        return f" [{found.low * 100:+.1f}, {found.high * 100:+.1f}]"
    return f" [{interval(found)}]"


def _value(estimate: Estimate | None) -> str:
    return "" if estimate is None else value(estimate)


def _moved(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    return "–" if estimate.value is None else f"{estimate.value * 100:+.1f}"


def _count(number: int | None) -> str:
    return "" if number is None else str(number)

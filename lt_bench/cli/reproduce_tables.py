"""A study's report as Markdown, and as tables on stdout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lt_bench.cli import reproduce_figures as figures
from lt_bench.plain import on_one_line, printable
from lt_bench.study.report import ReportRow, ReportTable, StudyReport, Verdict

CLAIMS = ("claim", "verdict", "ours", "asked", "difference", "each seed", "p (Holm)", "paper")
STYLES = {"▲": "green", "△": "green", "▽": "yellow", "▼": "red"}
WIDTH = 180
"""Columns where stdout is no terminal."""


def markdown(report: StudyReport) -> str:
    """The report as Markdown, ending in a line end."""
    lines = [f"# {_cell(report.paper_title)} reproduced: {_cell(report.name)}", ""]
    lines += [_cell(report.summary), ""]
    if report.verdicts:
        lines += [f"**{'; '.join(figures.counted(report))}.**", "", "## Claims", ""]
        lines += [*_rows(CLAIMS, [_claim(one) for one in report.verdicts]), ""]
    for table in report.tables:
        lines += [f"## {_cell(table.title)}", ""]
        rows = [_figures(row, report.metrics) for row in table.rows]
        lines += [*_rows(_headings(report), rows), ""]
        lines += [_cell(table.note), ""] if table.note else []
        for row in table.rows:
            if row.missing:
                lines += [_cell(f"{row.label} lacks {figures.lacking(row.missing)}"), ""]
    if report.failures:
        lines += ["## Missing", ""]
        lines += [f"- {_cell(one.job)}: {_cell(one.why)}" for one in report.failures] + [""]
    lines += [
        "## How to read it",
        "",
        *(line for text in figures.how(report) for line in (text, "")),
    ]
    lines += ["## What it was made with", ""]
    lines += [f"- {name}: {_cell(text)}" for name, text in figures.facts(report)]
    return "\n".join(lines) + "\n"


def show(report: StudyReport) -> None:
    """Tables and verdicts on stdout."""
    out = Console(highlight=False)
    out = out if out.is_terminal else Console(highlight=False, width=WIDTH)
    for table in report.tables:
        out.print(_table(table, report))
        for row in table.rows:
            if row.missing:
                out.print(
                    Text(
                        printable(f"{row.label} lacks {figures.lacking(row.missing)}"), style="dim"
                    )
                )
        out.print()
    if report.verdicts:
        out.print(_claims(report.verdicts))
        out.print(Text("; ".join(figures.counted(report)), style="bold"))
    for one in report.failures:
        out.print(Text(printable(f"{one.job}: {one.why}"), style="red"))
    for name, text in figures.facts(report):
        out.print(Text(printable(f"{name}: {text}"), style="dim"))


def _table(table: ReportTable, report: StudyReport) -> Table:
    """Ours and the paper's side by side; columns without a figure are left out."""
    rows, headings = [_figures(row, report.metrics) for row in table.rows], _headings(report)
    told = [
        place
        for place in range(len(headings))
        if any(row[place] not in ("", figures.NONE) for row in rows)
    ]
    found = Table(box=None, pad_edge=False, header_style="bold", title=printable(table.title))
    found.title_justify = "left"
    for place in told:
        found.add_column(headings[place], justify="left" if place == 0 else "right")
    for row in rows:
        found.add_row(*(Text(printable(row[place])) for place in told))
    return found


def _claims(verdicts: Sequence[Verdict]) -> Table:
    found = Table(box=None, pad_edge=False, header_style="bold", title="Claims")
    found.title_justify = "left"
    for heading in CLAIMS:
        words = heading in ("claim", "verdict", "asked")
        found.add_column(heading, justify="left" if words else "right")
    for one in verdicts:
        style = STYLES.get(figures.SYMBOLS[one.word], "")
        cells = [Text(printable(cell)) for cell in _claim(one)]
        cells[1].stylize(style)
        found.add_row(*cells)
    return found


def _headings(report: StudyReport) -> tuple[str, ...]:
    names = figures.headings(report).values()
    parts = ((name, f"{name} of seeds", f"{name} of paper") for name in names)
    return ("", *(heading for some in parts for heading in some))


def _figures(row: ReportRow, metrics: Sequence[str]) -> list[str]:
    found = [row.label]
    for metric in metrics:
        cell = row.cells[metric]
        found += [figures.cell(cell), figures.spread(cell), figures.of_paper(cell)]
    return found


def _claim(one: Verdict) -> list[str]:
    return [
        one.text,
        figures.verdict(one),
        figures.means(one),
        figures.asked(one),
        figures.difference(one),
        figures.by_seed(one),
        figures.p_value(one),
        one.paper or figures.NONE,
    ]


def _rows(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield _line(headings)
    yield _line(["---"] * len(headings))
    yield from (_line([_cell(cell) for cell in row]) for row in rows)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    """Text of files on one line, inert among Markdown and HTML."""
    shown = on_one_line(text).replace("\\n", " ")
    for sign in "\\`*_[]|":
        shown = shown.replace(sign, f"\\{sign}")
    return shown.replace("&", "&amp;").replace("<", "&lt;")

"""The admission as tables on stderr: what was taken, why the rest was not, and what that changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lt_bench.train.admission import Admission
from lt_bench.train.corpus import GROUPS, Share

TAGS: Final = 12
"""Tags shown: those whose share changed most."""
WIDTH: Final = 100
"""Columns where there is no terminal to ask."""


def show(report: Admission, console: Console | None = None) -> None:
    """Prints the report."""
    out = console or _stderr()
    out.print(Text(_headline(report), style="bold"))
    out.print(_lengths(report))
    if report.reasons:
        out.print(_counts("not taken because", report.reasons, report.trajectories))
    if report.survey.faults:
        out.print(_shares("known fault", report.survey.faults, report))
    if changed := _changed(report):
        out.print(_shares("tag", changed, report))


def _stderr() -> Console:
    console = Console(stderr=True, highlight=False)
    return console if console.is_terminal else Console(stderr=True, highlight=False, width=WIDTH)


def _headline(report: Admission) -> str:
    return (
        f"{report.admitted:,} of {report.inputs:,} inputs admitted ({report.share:.1%}); "
        f"{report.passed:,} of {report.trajectories:,} trajectories passed"
    )


def _lengths(report: Admission) -> Table:
    table = _table(f"mean {report.survey.unit}", "n", "thought", "reply")
    for group in GROUPS:
        found = report.survey.lengths[group]
        table.add_row(group, f"{found.n:,}", _mean(found.thought), _mean(found.reply))
    return table


def _counts(title: str, counts: dict[str, int], whole: int) -> Table:
    table = _table(title, "n", "share")
    for name, count in counts.items():
        table.add_row(name, f"{count:,}", f"{count / whole:.1%}")
    return table


def _shares(title: str, found: dict[str, Share], report: Admission) -> Table:
    """Of what was offered and of what was admitted, how much has each."""
    table = _table(title, "offered", "admitted", "change")
    for name, share in found.items():
        before, after = _parts(share, report)
        table.add_row(name, f"{before:.1%}", f"{after:.1%}", f"{100 * (after - before):+.1f}")
    return table


def _changed(report: Admission) -> dict[str, Share]:
    """The tags whose share changed most, those first."""

    def change(one: tuple[str, Share]) -> float:
        before, after = _parts(one[1], report)
        return -abs(after - before)

    ordered: Iterator[tuple[str, Share]] = iter(sorted(report.survey.tags.items(), key=change))
    return dict(one for _, one in zip(range(TAGS), ordered, strict=False) if change(one))


def _parts(share: Share, report: Admission) -> tuple[float, float]:
    return share.offered / report.trajectories, share.admitted / max(report.admitted, 1)


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right")
    return table

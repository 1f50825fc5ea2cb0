"""What a card says of a tool agent: how reliable it is over samples, and when it decides to call."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lt_bench.records import CallDecisions, CallShare, Estimate, ResultCard


def show_agent(card: ResultCard, out: Console) -> None:
    """Everything below the metrics that is about samples and calls; nothing for other tasks."""
    for metric, passes in card.passes.items():
        out.print(Text(f"{metric}: {_passes(passes)}", style="dim"))
    if card.calls:
        out.print(Text(_decisions(card.calls), style="dim"))
        if card.calls.counts.n > sum(one.rows for one in card.calls.shares):
            out.print(_trade_off(card.calls.shares))


def _passes(passes: Sequence[Estimate]) -> str:
    return ", ".join(f"pass^{k} {_share(one)}" for k, one in enumerate(passes, 1))


def _decisions(calls: CallDecisions) -> str:
    """Precision, recall and F1 of calling, in a line."""
    figures = {"precision": calls.precision, "recall": calls.recall, "F1": calls.f1}
    told = ", ".join(f"{name} {_share(one)}" for name, one in figures.items())
    missing = f", {calls.unanswered} without an answer" if calls.unanswered else ""
    return f"a call was needed: {told}; {calls.counts.n} decisions{missing}"


def _trade_off(shares: Sequence[CallShare]) -> Table:
    """A row for each share of samples that call."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = (
        "share that calls",
        "rows",
        "need a call",
        "from there on: precision",
        "recall",
        "F1",
    )
    for heading in headings:
        table.add_column(heading, justify="right")
    for one in shares:
        told = (one.precision, one.recall, one.f1)
        table.add_row(
            f"{one.share * 100:.0f} %",
            str(one.rows),
            _share(one.needed),
            *("" if figure is None else _share(figure) for figure in told),
        )
    return table


def _share(estimate: Estimate) -> str:
    """ "67.3 % [57.1, 76.2]", or a dash where there is nothing to count."""
    if estimate.value is None:
        return "–"
    value = f"{estimate.value * 100:.1f} %"
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} [{estimate.low * 100:.1f}, {estimate.high * 100:.1f}]"

"""What a card says of its judges: their labels, how far to believe them, and what they took."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lt_bench.plain import printable
from lt_bench.records import Corrected, JudgeBill, JudgeStamp, ResultCard


def show_judges(card: ResultCard, out: Console) -> None:
    """Everything below the metrics that is about who judged; nothing where nobody did."""
    for line in _lines(card):
        out.print(Text(printable(line), style="dim"))
    if card.corrected:
        out.print(_corrected(card))
        for metric, found in card.corrected.items():
            for one in found:
                out.print(Text(printable(f"{metric}: {one.sentence}")))


def _lines(card: ResultCard) -> Iterator[str]:
    for metric, counts in card.labels.items():
        said = ", ".join(f"{count} {label}" for label, count in counts.items())
        yield f"{metric}: {said}"
    for metric, stamp in card.judges.items():
        if stamp.calibration:
            yield f"{metric}: {_measured(stamp)}"
    if card.bill:
        yield f"judge: {billed(card.bill)}"


def _measured(stamp: JudgeStamp) -> str:
    """How the judge stands to people."""
    assert stamp.calibration is not None
    overall = stamp.calibration.overall
    kappa = overall.kappa
    bounds = f" [{kappa.low:.2f}, {kappa.high:.2f}]" if kappa.low is not None else ""
    value = "undefined" if kappa.value is None else f"{kappa.value:.2f}{bounds}"
    return f"{stamp.name} against people: kappa {value} over {overall.counts.n} replies"


def billed(bill: JudgeBill) -> str:
    """What asking the judges took, in a line."""
    tokens = (
        "tokens not counted"
        if bill.prompt is None or bill.output is None
        else f"{bill.prompt:,} prompt and {bill.output:,} output tokens"
    )
    failed = f", {bill.failed:,} without an answer" if bill.failed else ""
    cached = f", {bill.cached:,} answers from the cache" if bill.cached else ""
    cost = f", cost {bill.cost:,.4g}" if bill.cost is not None else ""
    return f"{bill.requests:,} requests{failed}{cached}, {tokens}{cost}"


def _corrected(card: ResultCard) -> Table:
    """Raw and corrected values, a row a method."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("corrected")
    for heading in ("raw", "value", "95 % interval", "labels"):
        table.add_column(heading, justify="right")
    table.add_column("how")
    for metric, found in card.corrected.items():
        for one in found:
            table.add_row(metric, *_cells(one), printable(one.method))
    return table


def _cells(one: Corrected) -> tuple[str, str, str, str]:
    interval = f"{one.low * 100:.1f} – {one.high * 100:.1f}"
    return f"{one.raw * 100:.1f} %", _value(one), interval, str(one.labels)


def _value(one: Corrected) -> str:
    """The corrected share, or why there is none."""
    if one.unclipped is None:
        return "unknown"
    if one.value is None:
        return f"infeasible ({one.unclipped:.2f})"
    return f"{one.value * 100:.1f} %"

"""Result cards as tables on stdout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lt_bench import units
from lt_bench.cli.agents import show_agent
from lt_bench.cli.judged import show_judges
from lt_bench.plain import printable
from lt_bench.records import Estimate, ResultCard


def console() -> Console:
    """Stdout; wide enough for a table when it is a pipe."""
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=140)


def partial(card: ResultCard) -> bool:
    """Some rows could not be scored through nobody's fault: exit code 3."""
    return any(
        count and reason != "not_applicable"
        for estimate in card.metrics.values()
        for reason, count in estimate.unscored.items()
    )


def show(card: ResultCard, run: Path | None = None) -> None:
    """One card: headline metrics first, then the rest, the remarks and the warnings."""
    out = console()
    data = "its shipped sample" if card.stamp.data is None else card.stamp.data
    total = sum(card.samples.values())
    counted = f"{total} sample" + ("s" if total != 1 else "")
    title = f"{card.model} · {card.task}@{card.version} · {data} · {counted}"
    out.print(Text(printable(title), style="bold"))
    out.print(_metrics(card))
    for name, text in card.remarks.items():
        out.print(Text(f"{name}: {printable(text)}", style="dim"))
    show_judges(card, out)
    show_agent(card, out)
    for warning in card.warnings:
        out.print(Text(f"warning: {printable(warning)}", style="yellow"))
    if run:
        out.print(Text(printable(f"run: {run}")), soft_wrap=True)
    out.print()


def _metrics(card: ResultCard) -> Table:
    """A row a metric; columns that would be empty are left out."""
    rows = [_cells(name, card) for name in _order(card)]
    table = Table(box=None, pad_edge=False, header_style="bold")
    shown = [heading for heading in rows[0] if any(row[heading] for row in rows)]
    for heading in shown:
        left = heading in ("metric", "how")
        table.add_column(heading, justify="left" if left else "right")
    for row in rows:
        style = "bold" if row["metric"] in card.headline else ""
        table.add_row(*(row[heading] for heading in shown), style=style)
    return table


def _cells(name: str, card: ResultCard) -> dict[str, str]:
    """Heading -> text of one metric's row, in the order of the columns."""
    estimate, completed = card.metrics[name], card.slices.get("status:ok", {}).get(name)
    cut = bool(card.samples.get("truncated"))
    return {
        "metric": name,
        "value": value(estimate),
        "95 % interval": interval(estimate),
        "n": str(estimate.n),
        "unscored": _unscored(estimate),
        "on completed": value(completed) if cut and completed else "",
        "bounds": _bounds(estimate),
        "how": estimate.method,
    }


def _order(card: ResultCard) -> list[str]:
    """Headline metrics in their order, then the others that say anything."""
    rest = [name for name in card.metrics if name not in card.headline]
    return [*card.headline, *(name for name in rest if card.metrics[name].n)]


def value(estimate: Estimate) -> str:
    """ "67.3 %", or a dash where nothing was scored."""
    if estimate.value is None:
        return "–"
    unit = estimate.unit
    return f"{units.number(estimate.value, unit)} {units.SHOWN[unit].sign}".rstrip()


def interval(estimate: Estimate) -> str:
    """ "57.1 – 76.2"; empty where there is none (`how` says why)."""
    if estimate.low is None or estimate.high is None:
        return ""
    like, unit = estimate.value or estimate.high, estimate.unit
    return f"{units.number(estimate.low, unit, like)} – {units.number(estimate.high, unit, like)}"


def _bounds(estimate: Estimate) -> str:
    """The mean if all unscored rows were wrong, and if they were right."""
    if estimate.bounds is None:
        return ""
    low, high = estimate.bounds
    return f"{low * 100:.1f} – {high * 100:.1f} %"


def _unscored(estimate: Estimate) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in estimate.unscored.items() if count)


def compare(cards: Mapping[str, ResultCard]) -> None:
    """Several cards of one task side by side, headline metrics only, by the names given."""
    out, first = console(), next(iter(cards.values()))
    out.print(Text(f"{first.task}@{first.version}, 95 % intervals in brackets", style="bold"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("model")
    for name in first.headline:
        table.add_column(name, justify="right", no_wrap=True)
    for label, card in cards.items():
        table.add_row(Text(printable(label)), *(_cell(card, name) for name in first.headline))
    out.print(table)


def _cell(card: ResultCard, name: str) -> Text:
    """The value, and its interval on a second line."""
    estimate = card.metrics.get(name)
    if estimate is None:
        return Text("–")
    bounds = interval(estimate)
    return Text(f"{value(estimate)}\n[{bounds}]" if bounds else value(estimate))


def as_json(cards: Sequence[ResultCard]) -> str:
    """One card a line."""
    return "\n".join(card.model_dump_json() for card in cards)

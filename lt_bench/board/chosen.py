"""The columns that a board has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lt_bench.board.comparing import Candidate, Table
from lt_bench.board.declaration import BoardSpec
from lt_bench.board.model import Better, Cell, Column
from lt_bench.board.reported import ReportedRow
from lt_bench.errors import UsageError
from lt_bench.records import Unit


def chosen_columns(
    spec: BoardSpec,
    found: Table,
    candidates: Sequence[Candidate],
    reported: Sequence[ReportedRow],
) -> list[Column]:
    """Those of the table first, in order; then every metric that an entry has."""
    together = found.together or tuple(candidates)
    headline = next((one.card.headline for one in together if one.card.headline), ())
    shown = spec.metrics or headline or tuple(dict.fromkeys(m for r in reported for m in r.cells))
    known = dict.fromkeys(metric for one in (*together, *candidates) for metric in one.card.metrics)
    figures = {metric: cell for row in reported for metric, cell in row.cells.items()}
    if lacking := [name for name in spec.metrics if name not in known and name not in figures]:
        raise UsageError(
            f"board.yaml shows {lacking[0]!r}, which no entry has", f"known: {', '.join(known)}"
        )
    columns = []
    for name in dict.fromkeys((*(m for m in shown if m in known or m in figures), *known)):
        having = [one for one in (*together, *candidates) if name in one.card.metrics]
        unit: Unit = having[0].card.metrics[name].unit if having else _unit(figures, name)
        columns.append(
            Column(
                name=name,
                unit=unit,
                better=_better(
                    name, [one for one in having if one.id not in found.apart], having, unit
                ),
                shown=name in shown,
                judged=any(name in one.judges for one in having),
                remark=_remark(name, having),
            )
        )
    return columns


def _unit(figures: Mapping[str, Cell], name: str) -> Unit:
    estimate = figures[name].estimate
    return estimate.unit if estimate else "share"


def _better(
    name: str, comparable: Sequence[Candidate], having: Sequence[Candidate], unit: Unit
) -> Better:
    """As the entries were told when they were added; a card alone does not say.

    Raises:
        UsageError: of two entries one was told otherwise.
    """
    told = {
        one.added.better[name]: one.id
        for one in comparable or having[:1]
        if one.added and name in one.added.better
    }
    if len(told) > 1:
        raise UsageError(
            f"{name} is better higher for {told['higher']}, and lower for {told['lower']}",
            "add their runs again, or take one out",
        )
    return next(iter(told), "higher" if unit == "share" else "lower")


def _remark(name: str, having: Sequence[Candidate]) -> str:
    """How a metric was computed, where all say the same."""
    told = {one.card.remarks.get(name, "") for one in having}
    return told.pop() if len(told) == 1 else ""

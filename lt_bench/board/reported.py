"""Rows that papers report: shown as they stand there, audited, marked as not run here, never ranked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from lt_bench import yaml
from lt_bench.board.grim import audit
from lt_bench.board.model import Cell, Entry, Grim, Source
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError
from lt_bench.records import Estimate, Unit

MOST_ROWS = 10_000_000
"""Of a test set: an audit names every count that gives a figure."""

NOT_RUN = "reported, not run here"

_FIGURE = re.compile(r"-?[0-9]{1,15}(\.[0-9]{0,15})?")
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")


class Row(Config):
    """One row of a paper's table. `figures` are as printed: percent for shares. `id` names it for
    ablations."""

    id: str
    model: str
    label: str = ""
    figures: dict[str, str] = Field(default_factory=dict)
    note: str = ""


class Table(Config):
    """`table` is its number, or where in the text the figures stand. `rows_tested` overrides the file's."""

    table: str
    rows: tuple[Row, ...] = Field(min_length=1)
    rows_tested: int | None = Field(default=None, ge=1, le=MOST_ROWS)


class Paper(Config):
    title: str
    url: str = ""


class Reported(Config):
    """reported.yaml. `rows_tested`: size of the test set, which the audit needs. `units` of metrics that are
    no shares; `no_counts` are shares that are means of fractions, such as F1, which no k of n explains
    or refutes."""

    paper: Paper
    rows_tested: int | None = Field(default=None, ge=1, le=MOST_ROWS)
    units: dict[str, Unit] = Field(default_factory=dict)
    no_counts: tuple[str, ...] = ()
    tables: tuple[Table, ...] = Field(min_length=1)


@dataclass(frozen=True)
class ReportedRow:
    """An entry of a board and its cells, by metric."""

    entry: Entry
    cells: dict[str, Cell]


def load_reported(path: Path, task: str, version: int) -> list[ReportedRow]:
    """The rows of a reported.yaml; none where there is no such file.

    Raises:
        UsageError: the file is broken, or a figure is no printed number.
    """
    if not path.is_file():
        return []
    spec = validate(Reported, yaml.load(path), str(path))
    found = [
        _row(path, spec, table, row, task, version) for table in spec.tables for row in table.rows
    ]
    ids = [one.entry.id for one in found]
    for name in ids:
        if not _ID.fullmatch(name) or ids.count(name) > 1:
            raise UsageError(
                f"{path}: id {name!r} stands twice, or is not of a-z, 0-9 and dashes", "rename it"
            )
    return found


def _row(
    path: Path, spec: Reported, table: Table, row: Row, task: str, version: int
) -> ReportedRow:
    tested = table.rows_tested or spec.rows_tested
    source = Source(
        paper=spec.paper.title, table=table.table, url=spec.paper.url, rows=tested, note=row.note
    )
    entry = Entry(
        id=row.id,
        model=row.model,
        label=row.label,
        task=task,
        version=version,
        rows=tested,
        reported=source,
    )
    cells = {
        metric: _cell(path, spec, row, metric, printed, tested)
        for metric, printed in row.figures.items()
    }
    return ReportedRow(entry, cells)


def _cell(
    path: Path, spec: Reported, row: Row, metric: str, printed: str, tested: int | None
) -> Cell:
    unit = spec.units.get(metric, "share")
    if not _FIGURE.fullmatch(printed.strip()):
        raise UsageError(
            f"{path}: {row.id}, {metric}: {printed!r} is no number",
            'write it as it is printed: "67.3"',
        )
    value = float(printed)
    outcome = next(_audited(spec, metric, printed, unit, tested), (None, ""))
    return Cell(
        entry=row.id,
        metric=metric,
        estimate=Estimate(
            value=value / 100 if unit == "share" else value,
            low=None,
            high=None,
            n=0,
            method=NOT_RUN,
            unit=unit,
        ),
        unranked=NOT_RUN,
        no_set=NOT_RUN,
        printed=f"{printed} %" if unit == "share" else printed,
        grim=outcome[0],
        audit=outcome[1],
    )


def _audited(
    spec: Reported, metric: str, printed: str, unit: Unit, tested: int | None
) -> Iterator[tuple[Grim, str]]:
    """What an audit says, where there is something to audit."""
    if unit != "share" or metric in spec.no_counts:
        yield "not a share of rows", "not a share of rows: nothing to audit"
    elif tested is not None:
        found = audit(printed, tested)
        yield ("consistent" if found.consistent else "not explained by k of n"), found.sentence

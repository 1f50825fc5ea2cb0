"""From what lies in a board's folder to the `Board` that its pages are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from lt_bench import __version__
from lt_bench.board.chosen import chosen_columns
from lt_bench.board.columns import ALL, TOP, BuiltColumn, built_column, ranked_values
from lt_bench.board.comparing import Candidate, Table, table
from lt_bench.board.declaration import REPORTED, BoardSpec
from lt_bench.board.entries import entries_of
from lt_bench.board.kept import Kept
from lt_bench.board.lengths import lengths
from lt_bench.board.margins import too_few
from lt_bench.board.model import (
    Ablation,
    Bar,
    Board,
    Cell,
    Column,
    Pareto,
    SliceCell,
)
from lt_bench.board.pareto import front
from lt_bench.board.reported import NOT_RUN, ReportedRow, load_reported
from lt_bench.board.scores import Rows, SideBySide, side_by_side
from lt_bench.board.store import Store
from lt_bench.errors import UsageError
from lt_bench.plain import writable
from lt_bench.stats.estimates import FEWEST_GROUPS
from lt_bench.stats.flips import groups_needed

COSTS: Final = ("tpr", "tflop_paper", "tflop_exact")
"""Metrics that quality is plotted against."""


def build(store: Store, command: str = "", made: str = "") -> Board:
    """The board of a folder.

    Raises:
        UsageError: a file is damaged, or a board.yaml names what is not there.
    """
    kept, spec = store.entries(), store.spec
    version = spec.version or max((one.card.version for one in kept), default=1)
    reported = load_reported(store.path / REPORTED, spec.task, version)
    return assembled(
        store.path.resolve().name, spec, kept, store, reported, command=command, made=made
    )


def assembled(
    name: str,
    spec: BoardSpec,
    kept: Sequence[Kept],
    rows: Rows,
    reported: Sequence[ReportedRow] = (),
    *,
    tested: Sequence[str] = (),
    command: str = "",
    made: str = "",
) -> Board:
    """A board of these entries. `tested` metrics are tested beside those of the table."""
    candidates = [Candidate.of(one) for one in kept]
    _check_ids([one.id for one in candidates], [one.entry.id for one in reported])
    found = table(candidates, spec)
    columns = chosen_columns(spec, found, candidates, reported)
    asked = [one.name for one in columns if one.shown or one.name in tested]
    scores = side_by_side(found.together, asked, rows)
    built = [
        built_column(
            column,
            candidates,
            found,
            scores.matrices.get(column.name) if column.name in asked else None,
            scores.columns.get(column.name, {}),
        )
        for column in columns
    ]
    entries = entries_of(candidates, found, built, reported)
    first = found.together[0].card if found.together else None
    return Board(
        name=writable(name),
        title=spec.title,
        summary=spec.summary,
        task=spec.task,
        version=first.version if first else spec.version or 1,
        data=first.stamp.data if first else None,
        data_sha=first.stamp.data_sha if first else "",
        rows=scores.rows or None,
        groups=scores.groups or None,
        made=made or datetime.now(UTC).isoformat(timespec="seconds"),
        lt_bench=__version__,
        command=writable(command),
        metrics=tuple(one.column for one in built),
        entries=entries,
        cells=(
            *(cell for one in built for cell in one.cells),
            *_reported_cells(reported, columns),
        ),
        pairs=tuple(pair for one in built for pair in one.pairs),
        paretos=tuple(_paretos(columns, found)),
        slices=tuple(_slices(candidates, found, columns)),
        lengths=lengths(scores.tokens),
        ablations=_ablations(spec, {entry.id for entry in entries}, [one.name for one in columns]),
        warnings=tuple(_warnings(candidates, found, scores, built)),
    )


def _check_ids(runs: Sequence[str], reported: Sequence[str]) -> None:
    if twice := set(runs) & set(reported):
        raise UsageError(
            f"{sorted(twice)[0]!r} is a run and a reported row", f"rename it in {REPORTED}"
        )


def _reported_cells(reported: Sequence[ReportedRow], columns: Sequence[Column]) -> Iterator[Cell]:
    for row in reported:
        for column in columns:
            absent = Cell(
                entry=row.entry.id,
                metric=column.name,
                estimate=None,
                unranked=NOT_RUN,
                no_set=NOT_RUN,
            )
            yield row.cells.get(column.name, absent)


def _paretos(columns: Sequence[Column], found: Table) -> Iterator[Pareto]:
    """Every quality of the table against every cost that two entries have."""
    costs = [one for one in columns if one.name in COSTS]
    for quality in columns:
        if not quality.shown or quality.better != "higher":
            continue
        values = ranked_values(quality.name, found)
        for cost in costs:
            both = front(values, ranked_values(cost.name, found))
            if len(both.front) + len(both.beaten) > 1:
                yield Pareto(
                    quality=quality.name, cost=cost.name, front=both.front, beaten=both.beaten
                )


def _slices(
    candidates: Sequence[Candidate], found: Table, columns: Sequence[Column]
) -> Iterator[SliceCell]:
    """The shown metrics by tag and language; of a large board, of the best alone."""
    shown = [one for one in columns if one.shown]
    kept = candidates
    if len(candidates) > ALL and shown:
        values = ranked_values(shown[0].name, found)
        sign = -1 if shown[0].better == "higher" else 1
        best = set(sorted(values, key=lambda name: sign * values[name])[:TOP])
        kept = [one for one in candidates if one.id in best]
    for one in kept:
        for part, estimates in one.card.slices.items():
            for column in shown:
                if column.name in estimates:
                    yield SliceCell(
                        entry=one.id,
                        slice=part,
                        metric=column.name,
                        estimate=estimates[column.name],
                    )


def _ablations(spec: BoardSpec, known: set[str], metrics: Sequence[str]) -> tuple[Ablation, ...]:
    for one in spec.ablations:
        for metric in one.metrics:
            if metric not in metrics:
                raise UsageError(
                    f"board.yaml: ablation {one.title!r} shows {metric!r}, which no entry has",
                    f"known: {', '.join(metrics)}",
                )
        for bar in one.bars:
            if bar.entry not in known:
                raise UsageError(
                    f"board.yaml: ablation {one.title!r} names {bar.entry!r}, which is not on the board",
                    f"known: {', '.join(sorted(known)[:8])}",
                )
    return tuple(
        Ablation(
            title=one.title,
            note=one.note,
            metrics=one.metrics,
            bars=tuple(Bar(label=bar.label, entry=bar.entry) for bar in one.bars),
        )
        for one in spec.ablations
    )


def _warnings(
    candidates: Sequence[Candidate],
    found: Table,
    scores: SideBySide,
    built: Sequence[BuiltColumn],
) -> Iterator[str]:
    if not candidates:
        yield "no run has been added yet"
    if found.apart:
        count = len(found.apart)
        yield f"{count} {'entry is' if count == 1 else 'entries are'} kept apart, each with its reason"
    # Columns may have different pairs, and of a large board not all are tested.
    pairs = min((len(one.pairs) for one in built if one.column.shown and one.pairs), default=0)
    if pairs and scores.groups < groups_needed(pairs):
        yield too_few(scores.groups, pairs)
    elif found.together and scores.groups < FEWEST_GROUPS:
        yield f"only {scores.groups} groups of rows: intervals and tests are rough below {FEWEST_GROUPS}"
    unmeasured = [
        one.column.name for one in built if one.column.judged and _nobody_ranked(one, found)
    ]
    if unmeasured:
        yield f"{', '.join(unmeasured)}: no entry takes a rank (no judge is measured against people)"


def _nobody_ranked(one: BuiltColumn, found: Table) -> bool:
    reasons = {(cell.entry, cell.metric) in found.unranked for cell in one.cells}
    return not any(cell.rank for cell in one.cells) and True in reasons

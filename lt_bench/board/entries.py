"""The entries of a board, in the order of its table."""

from __future__ import annotations

from collections.abc import Sequence

from lt_bench.board.columns import BuiltColumn
from lt_bench.board.comparing import Candidate, Table
from lt_bench.board.model import Entry
from lt_bench.board.naming import labels, names
from lt_bench.board.reported import ReportedRow


def entries_of(
    candidates: Sequence[Candidate],
    found: Table,
    built: Sequence[BuiltColumn],
    reported: Sequence[ReportedRow],
) -> tuple[Entry, ...]:
    """In the order of the table."""
    called, labelled = names(candidates), labels(candidates)
    leading = next((one for one in built if one.column.shown), None)
    rank = {cell.entry: cell.rank for cell in leading.cells} if leading else {}
    last = len(candidates) + 1

    def key(one: Candidate) -> tuple[bool, int, str, str]:
        return one.id in found.apart, rank.get(one.id) or last, called[one.id], one.id

    runs = [
        _entry(one, called[one.id], labelled[one.id], found.apart.get(one.id, ""))
        for one in sorted(candidates, key=key)
    ]
    return (*runs, *(row.entry for row in reported))


def _entry(one: Candidate, model: str, label: str, apart: str) -> Entry:
    card, added = one.card, one.added
    return Entry(
        id=one.id,
        model=model,
        label=label,
        backend=card.backend,
        settings=dict(added.settings) if added else {},
        command=added.command if added else "",
        run=added.run if added else "",
        task=card.task,
        version=card.version,
        samples=card.samples,
        rows=added.rows if added else None,
        stamp=card.stamp,
        judges=dict(one.judges),
        corrected=card.corrected,
        passes=card.passes,
        note_counts=card.note_counts,
        remarks=card.remarks,
        warnings=card.warnings,
        kept_apart=apart,
    )

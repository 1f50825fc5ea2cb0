"""board.csv: a line for each cell of the table, for spreadsheets and scripts."""

from __future__ import annotations

import csv
import io

from lt_bench.board.harmless import cell as harmless
from lt_bench.board.model import Board

HEADINGS = (
    *("id", "model", "label", "kind", "kept_apart", "metric", "unit", "better"),
    *("value", "low", "high", "n", "unscored", "rank", "rank_low", "rank_high", "tie", "unranked"),
    *("method", "printed", "audit", "command"),
)


def board_csv(board: Board) -> str:
    """The lines, in the order of the table. Numbers are bare; texts that a spreadsheet would take for
    formulas begin with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(HEADINGS)
    for entry in board.entries:
        for column in board.metrics:
            one = board.cell(entry.id, column.name)
            found = one.estimate
            if found is None:
                continue
            words = (
                *(entry.id, entry.model, entry.label),
                *("reported" if entry.reported else "run", entry.kept_apart),
                *(column.name, column.unit, column.better),
            )
            numbers = (
                *(found.value, found.low, found.high, found.n, sum(found.unscored.values())),
                *(one.rank, one.ranks and one.ranks.low, one.ranks and one.ranks.high, one.tie),
            )
            more = (one.unranked, found.method, one.printed, one.audit, entry.command)
            writer.writerow(
                (
                    *map(harmless, words),
                    *("" if number is None else number for number in numbers),
                    *map(harmless, more),
                )
            )
    return out.getvalue()

"""Runs at hand as a board of their own, without a folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lt_bench.board.building import assembled
from lt_bench.board.declaration import BoardSpec
from lt_bench.board.kept import Kept, added_of, entry_id
from lt_bench.board.model import Board
from lt_bench.board.reading import RunScores
from lt_bench.board.row_file import row_table
from lt_bench.text.paths import portable

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True)
class RunRows:
    """The scores of runs, by the ids of their entries."""

    runs: dict[str, RunScores]

    def rows(self, entry: str, metrics: Sequence[str]) -> pyarrow.Table:  # noqa: ARG002
        """All columns of a run; those asked for are among them."""
        return row_table(self.runs[entry])


def board_of(runs: Sequence[RunScores], metrics: Sequence[str] = ()) -> Board:
    """A board of these runs, each named by its model, without the path of a file, or by its folder where a
    model stands twice. `metrics` are tested beside those of the table.

    Raises:
        UsageError: one run stands there twice.
    """
    models = [str(portable(run.card.model)) for run in runs]
    twice = len(set(models)) < len(models)
    kept, by_id = [], {}
    for number, run in enumerate(runs):
        entry = f"{entry_id(run.card)[:70]}-{number}"
        by_id[entry] = run
        kept.append(Kept(entry, run.card, added_of(run, run.run if twice else models[number])))
    first = runs[0].card
    spec = BoardSpec(task=first.task, title=f"{first.task}@{first.version}")
    return assembled("runs", spec, kept, RunRows(by_id), tested=metrics)

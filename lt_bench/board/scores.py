"""The row scores of the entries of a table, put side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from lt_bench.board.agreeing import disagreement
from lt_bench.board.comparing import Candidate
from lt_bench.board.matrix import Matrix
from lt_bench.board.row_file import EXAMPLE, GROUP, PREFIX, rows_sha
from lt_bench.errors import UsageError

if TYPE_CHECKING:
    import pyarrow

    from lt_bench.stats.intervals import Floats, Ints


class Rows(Protocol):
    """Where the scores of an entry come from: a board's folder, or runs at hand."""

    def rows(self, entry: str, metrics: Sequence[str]) -> pyarrow.Table:
        """The columns `example`, `group` and `metric:NAME` of an entry."""
        ...


@dataclass(frozen=True, eq=False)
class SideBySide:
    """`matrices` maps a metric to the scores of the entries that have it, `columns` to their places in it.
    `tokens` are the output tokens of every sample of an entry."""

    matrices: Mapping[str, Matrix]
    columns: Mapping[str, Mapping[str, int]]
    tokens: Mapping[str, Floats]
    rows: int
    groups: int


TOKENS = "tpr"


def side_by_side(together: Sequence[Candidate], metrics: Sequence[str], rows: Rows) -> SideBySide:
    """Reads the entries of a table, which have the same rows.

    Raises:
        UsageError: a file is damaged, or holds other rows than its entry or other scores than its card says.
    """
    import numpy as np

    values: dict[str, list[Floats]] = {metric: [] for metric in metrics}
    columns: dict[str, dict[str, int]] = {metric: {} for metric in metrics}
    tokens: dict[str, Floats] = {}
    single = all(one.added is not None and one.added.samples == 1 for one in together)
    names: Names | None = None
    placed: tuple[Ints, Ints] | None = None
    for one in together:
        asked = [
            name for name in {**dict.fromkeys(metrics), TOKENS: None} if name in one.card.metrics
        ]
        table = rows.rows(one.id, asked)
        samples = one.added.samples if one.added else 1
        own = _named(table, samples)
        if names is None or placed is None:
            _check_first(one, own)
            names, placed = own, _by_group(own[1])
        if len(table) != len(placed[0]) * samples or not (
            own[0].equals(names[0]) and own[1].equals(names[1])
        ):
            raise _other_rows(one)
        numbers = np.repeat(np.arange(len(placed[0])), samples)
        for metric in asked:
            column = _numbers(table[PREFIX + metric])
            if told := disagreement(one.card.metrics[metric], column, numbers, len(placed[0])):
                raise UsageError(f"{one.id}: {metric}: {told}", "add its run again")
            if metric == TOKENS:
                tokens[one.id] = column
            if metric in values:
                columns[metric][one.id] = len(values[metric])
                values[metric].append(_means(column, samples)[placed[0]])
    starts = placed[1] if placed else np.zeros(0, dtype=np.int64)
    return SideBySide(
        matrices={
            metric: Matrix(np.stack(found, axis=1), starts, single)
            for metric, found in values.items()
            if found
        },
        columns=columns,
        tokens=tokens,
        rows=len(placed[0]) if placed else 0,
        groups=len(starts),
    )


Names = tuple["pyarrow.ChunkedArray", "pyarrow.ChunkedArray"]


def _named(table: pyarrow.Table, samples: int) -> Names:
    """Each row once, with its group."""
    if samples == 1:
        return table[EXAMPLE], table[GROUP]
    return table[EXAMPLE][::samples], table[GROUP][::samples]


def _check_first(one: Candidate, own: Names) -> None:
    """The rows of the others are held against these, so that these must be what their entry tells of.

    Raises:
        UsageError: they are others.
    """
    if one.added is None:
        return
    examples, groups = own[0].to_pylist(), own[1].to_pylist()
    if len(examples) != one.added.rows or rows_sha(examples, groups) != one.added.rows_sha:
        raise _other_rows(one)


def _other_rows(one: Candidate) -> UsageError:
    return UsageError(
        f"the rows of {one.id} are not those that its entry tells of", "add its run again"
    )


def _numbers(column: pyarrow.ChunkedArray) -> Floats:
    """The values of a column of doubles, NaN for null. Arrow's own ways to numpy import pandas, which
    takes longer than to read a board."""
    import numpy as np

    array = column.combine_chunks()
    there, values = array.buffers()
    start, end = array.offset, array.offset + len(array)
    found: Floats = np.frombuffer(values, np.float64)[start:end]
    if array.null_count:
        bits = np.unpackbits(np.frombuffer(there, np.uint8), count=end, bitorder="little")
        found = np.where(bits[start:], found, np.nan)
    return found


def _means(values: Floats, samples: int) -> Floats:
    """The samples of each row averaged, NaN where none is scored."""
    import numpy as np

    if samples == 1:
        return values
    shaped = values.reshape(-1, samples)
    there = ~np.isnan(shaped)
    found: Floats = np.where(
        there.any(axis=1),
        np.where(there, shaped, 0.0).sum(axis=1) / np.maximum(there.sum(axis=1), 1),
        np.nan,
    )
    return found


def _by_group(groups: pyarrow.ChunkedArray) -> tuple[Ints, Ints]:
    """The rows in an order in which those of one group are next to each other, and where groups start."""
    import numpy as np

    numbers = np.from_dlpack(groups.combine_chunks().dictionary_encode().indices)
    ordered = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.diff(numbers[ordered], prepend=-1))
    return ordered, starts

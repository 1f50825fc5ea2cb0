"""The scores of an entry on disk: a row a sample, a column a metric (Arrow's file format)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lt_bench.board.reading import RunScores
from lt_bench.errors import UsageError, first_line

if TYPE_CHECKING:
    import pyarrow

EXAMPLE, GROUP = "example", "group"
"""Columns that are no metrics; those are `metric:NAME`."""
PREFIX: Final = "metric:"


def read_rows(path: Path, metrics: Iterable[str]) -> pyarrow.Table:
    """The columns `example`, `group`, and one for each of the metrics.

    Raises:
        UsageError: the file is missing or damaged, or a column is not of names or numbers.
    """
    import pyarrow
    import pyarrow.ipc

    try:
        with pyarrow.ipc.open_file(path.read_bytes()) as file:
            table = file.read_all()
        table = table.select([EXAMPLE, GROUP, *(PREFIX + one for one in metrics)])
    except (OSError, KeyError, pyarrow.ArrowException) as error:
        raise UsageError(
            f"cannot read {path}: {first_line(error)}",
            "add the run again: lt-bench leaderboard add RUN --board DIR",
        ) from error
    for field in table.schema:
        if field.name.startswith(PREFIX) and not pyarrow.types.is_float64(field.type):
            raise UsageError(
                f"{path}: {field.name} holds {field.type}, no numbers", "add the run again"
            )
    for name in (EXAMPLE, GROUP):
        if not pyarrow.types.is_string(table.schema.field(name).type) or table[name].null_count:
            raise UsageError(f"{path}: {name} holds more than names", "add the run again")
    return table


def rows_sha(examples: Sequence[str], groups: Sequence[str]) -> str:
    """Tells one set of rows, in order and with its groups, from another."""
    found = hashlib.sha256()
    for names in (examples, groups):
        for name in names:
            text = name.encode("utf-8", "surrogatepass")
            found.update(len(text).to_bytes(4, "big"))
            found.update(text)
    return found.hexdigest()


def row_table(run: RunScores) -> pyarrow.Table:
    """The scores of a run as rows/ID.arrow holds them."""
    import numpy as np
    import pyarrow

    def repeated(names: Sequence[str]) -> pyarrow.Array:
        whole = [name.encode("utf-8", "replace").decode() for name in names]
        return pyarrow.array([name for name in whole for _ in range(run.samples)], pyarrow.string())

    return pyarrow.table(
        {
            EXAMPLE: repeated(run.rows.examples),
            GROUP: repeated(run.rows.groups),
            **{
                PREFIX + metric: pyarrow.array(values, pyarrow.float64(), mask=np.isnan(values))
                for metric, values in run.rows.values.items()
            },
        }
    )


def write_rows(path: Path, run: RunScores) -> None:
    """In one step, as `write_whole` does: an entry has all of its rows or is not there."""
    import pyarrow.ipc

    table, part = row_table(run), path.with_name(f".{path.name}.part")
    options = pyarrow.ipc.IpcWriteOptions(compression="zstd")
    try:
        with (
            part.open("wb") as file,
            pyarrow.ipc.new_file(file, table.schema, options=options) as out,
        ):
            out.write_table(table)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError(f"cannot write {path}: {error.strerror}", "see to the disk") from error

"""Rows of a file in whatever form a company keeps its logs: CSV, TSV, JSON Lines, JSON, Parquet."""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from lt_bench import jsonl
from lt_bench.builders.importers.table import is_json, scan_table
from lt_bench.builders.problem import Problem
from lt_bench.errors import UsageError, first_line

_BATCH: Final = 256
_TABLES: Final = frozenset({".csv", ".tsv", ".tab", ".txt"})
_JSON: Final = frozenset({".json", ".jsonl", ".ndjson"})
_PARQUET: Final = b"PAR1"


def read_rows(path: Path) -> Iterator[jsonl.Line | Problem]:
    """The rows of a file, in file order, or what is wrong with each; they are streamed.

    The form is told by the name's ending, and by the first bytes where that says nothing. Cells of
    tables are text; those of Parquet and JSON what they are, missing ones None.

    Raises:
        UsageError: the file cannot be read at all.
    """
    jsonl.check_file(path)
    if _begins(path, _PARQUET):
        return _parquet(path)
    suffix = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
    if suffix.lower() in _JSON or (suffix.lower() not in _TABLES and is_json(path)):
        return _json(path)
    return _table(path)


def _begins(path: Path, magic: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", "check its rights") from error


def _json(path: Path) -> Iterator[jsonl.Line | Problem]:
    for item in jsonl.scan(path):
        if isinstance(item, jsonl.Line):
            yield item
        else:
            yield Problem("error", item.number, "", item.message, item.fix)


def _table(path: Path) -> Iterator[jsonl.Line | Problem]:
    for item in scan_table(path):
        if isinstance(item, Problem):
            yield item
        else:
            yield jsonl.Line(item.line, {k: v for k, v in item.values.items() if k})


def _parquet(path: Path) -> Iterator[jsonl.Line]:
    """Row numbers stand for lines, which Parquet does not have."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError(
            f"{path} is Parquet, which needs pyarrow", "pip install pyarrow"
        ) from error
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield jsonl.Line(number, {str(k): _plain(v) for k, v in row.items()})
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise UsageError(
            f"{path}, row {number + 1}: broken Parquet: {first_line(error)}", "export it again"
        ) from error


def _plain(value: Any) -> Any:
    """A value of Parquet as JSON has it. NaN is how pandas writes "nothing"."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, decimal.Decimal):
        return _plain(float(value))
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value

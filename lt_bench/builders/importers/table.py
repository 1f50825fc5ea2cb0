"""CSV and tab-separated files as people have them: saved by Excel, quoted, with newlines inside.

Rows are streamed: no more than one is held, however long the file.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lt_bench.builders.importers.table_lines import BOM, SAVE, is_json, text_lines
from lt_bench.builders.problem import Problem
from lt_bench.errors import UsageError, did_you_mean

__all__ = ["TableRow", "form_of", "header", "is_json", "read_table", "scan_table"]

MAX_CELL: Final = 16 * 2**20
"""Characters of one cell. An unclosed quote would otherwise swallow the rest of the file."""

_DELIMITERS: Final = ",\t;"
_UNDECODED: Final = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True)
class TableRow:
    """One row: the line it starts on, counted from 1, and its cells by column."""

    line: int
    values: dict[str, str]


def header(path: Path) -> tuple[str, ...]:
    """The names in the first row, spaces around them removed.

    Raises:
        UsageError: the file cannot be read, is empty or is no table.
    """
    with text_lines(path) as lines:
        return _opened(path, lines).names


def read_table(
    path: Path, columns: Sequence[str] = (), other_names: Mapping[str, str] | None = None
) -> Iterator[TableRow]:
    """The rows of a table that has at least `columns`, parted by commas, tabs or semicolons.

    Takes a byte-order mark, CRLF, UTF-16 and gzip. Header names match in any case and with spaces
    around them; `other_names` maps a name that a file may use to the one of `columns`. Cells of
    further columns stand under their names in the file.

    Raises:
        UsageError: the file cannot be read, a column is missing, or a row does not fit it.
    """
    for item in scan_table(path, columns, other_names):
        if isinstance(item, Problem):
            raise UsageError(f"{path}, {item}", item.fix)
        yield item


def scan_table(
    path: Path, columns: Sequence[str] = (), other_names: Mapping[str, str] | None = None
) -> Iterator[TableRow | Problem]:
    """The same rows, and a word about each that does not fit, so that all of them can be named.

    Raises:
        UsageError: as `read_table`, but while iterating only where the rest cannot be read either.
    """
    with text_lines(path) as lines:
        table = _opened(path, lines)
        names = _named(path, table.names, columns, other_names or {})
        for line, cells in table.records:
            if tuple(cell.strip() for cell in cells) == table.names:
                yield Problem("error", line, "row", "is the header again", "remove the line")
            elif any(cell.strip() for cell in cells):
                yield _row(line, names, cells)


def form_of(path: Path, *forms: tuple[str, ...]) -> tuple[str, ...]:
    """The first of `forms`, each the columns of a table, that the header has all columns of.

    Raises:
        UsageError: it has those of none; the column that is missing from the nearest is named.
    """
    names = {name.lower() for name in header(path)}
    missing = {form: [name for name in form if name.lower() not in names] for form in forms}
    nearest = min(forms, key=lambda form: len(missing[form]) / len(form))
    if missing[nearest]:
        name = missing[nearest][0]
        raise UsageError(
            f"{path}, line 1: no column {name!r}.{did_you_mean(name, header(path))}",
            f"headers: {'; or '.join(', '.join(form) for form in forms)}",
        )
    return nearest


# --- rows ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Table:
    names: tuple[str, ...]
    records: Iterator[tuple[int, list[str]]]


def _opened(path: Path, lines: Iterator[str]) -> _Table:
    """The header, and the records after it with the line each starts on."""
    first = next(lines, "")
    if not first.strip(BOM + " \t\r\n"):
        what = "has no header" if first else "is empty"
        raise UsageError(f"{path} {what}", "name a table whose first row names its columns")
    if first.lstrip(BOM + " ").startswith(("{", "[")):
        raise UsageError(f"{path} is JSON, not a table", "name the CSV or tab-separated file")
    delimiter = max(_DELIMITERS, key=first.count)
    records = _records(path, itertools.chain((first,), lines), delimiter)
    _, names = next(records)
    return _Table(tuple(name.strip() for name in names), records)


def _records(path: Path, lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = reader.line_num + 1
        before = csv.field_size_limit(MAX_CELL)  # a global of the module: ours for one record only
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _unreadable_row(path, start, reader.line_num, error) from error
        finally:
            csv.field_size_limit(before)
        yield start, cells


def _unreadable_row(path: Path, start: int, end: int, error: csv.Error) -> UsageError:
    where = f"{path}, line {start}"
    if "field larger" in str(error):
        return UsageError(
            f"{where}: a cell is over {MAX_CELL:,} characters", "look for a double quote left open"
        )
    if "unexpected end of data" in str(error):
        return UsageError(
            f"{where}: a double quote is open to the end of the file (line {end})",
            'close it; a quote that is part of the text is written twice ("")',
        )
    return UsageError(
        f"{where}: text after a closing double quote (line {end})",
        'write a quote that is part of the text twice (""), inside a quoted cell',
    )


def _named(
    path: Path, names: Sequence[str], columns: Sequence[str], other_names: Mapping[str, str]
) -> tuple[str, ...]:
    """The name that the cells of each column stand under."""
    wanted = {name.lower(): name for name in columns}
    wanted |= {other.lower(): name for other, name in other_names.items()}
    found = tuple(wanted.get(name.lower(), name) for name in names)
    for name in columns:
        if name not in found:
            near = did_you_mean(name, names)
            raise UsageError(
                f"{path}, line 1: no column {name!r}.{near}",
                f"the header must have {', '.join(columns)}",
            )
    twice = next((name for name in found if name and found.count(name) > 1), None)
    if twice:
        raise UsageError(f"{path}, line 1: two columns are called {twice!r}", "rename one")
    return found


def _row(line: int, names: Sequence[str], cells: Sequence[str]) -> TableRow | Problem:
    if len(cells) != len(names):
        return Problem(
            "error",
            line,
            "row",
            f"{len(cells)} cells where the header has {len(names)}",
            "put text with separators or newlines in double quotes",
        )
    for name, cell in zip(names, cells, strict=True):
        if "\0" in cell:
            return Problem("error", line, name, "holds a zero byte", SAVE)
        if not cell.isascii() and (bad := _UNDECODED.search(cell)):
            byte = ord(bad[0]) - 0xDC00
            return Problem("error", line, name, f"byte 0x{byte:02x} is not UTF-8", SAVE)
    return TableRow(line, dict(zip(names, cells, strict=True)))

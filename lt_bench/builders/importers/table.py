"""CSV and tab-separated files as people have them: saved by Excel, quoted, with newlines inside."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from lt_bench.errors import UsageError, did_you_mean

MAX_FIELD = 16 * 2**20
"""Characters of one cell. An unclosed quote would otherwise swallow the rest of the file."""
MAX_BYTES = 2 * 2**30
"""Bytes of a file after unpacking."""

_DELIMITERS = ",\t;"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class TableRow:
    """One row: the line it ends on, counted from 1, and its cells by column."""

    line: int
    values: dict[str, str]


def is_json(path: Path) -> bool:
    """Whether the file's first character begins a JSON object or array.

    Raises:
        UsageError: the file cannot be read.
    """
    with _opened(path) as file:
        head = file.read(4096)
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def read_table(path: Path, columns: Sequence[str]) -> Iterator[TableRow]:
    """The rows of a file that has at least `columns`, parted by commas, tabs or semicolons.

    Takes a byte-order mark, CRLF, UTF-16 and gzip; header names in any case and with spaces
    around them.

    Raises:
        UsageError: the file cannot be read, a column is missing, or a row has too few cells.
    """
    with _opened(path) as file:
        text = io.TextIOWrapper(file, encoding=_encoding(file), newline="")
        before = csv.field_size_limit(MAX_FIELD)
        try:
            yield from _rows(path, text, columns)
        except UnicodeDecodeError as error:
            raise UsageError(
                f"{path} is not {error.encoding} text: {error.reason}", "save it as CSV UTF-8"
            ) from error
        finally:
            csv.field_size_limit(before)


def _rows(path: Path, text: io.TextIOWrapper, columns: Sequence[str]) -> Iterator[TableRow]:
    header_line = text.readline(1 << 20)
    delimiter = max(_DELIMITERS, key=header_line.count)
    header = [name.strip() for name in next(csv.reader([header_line], delimiter=delimiter), [])]
    places = _places(path, header, columns)
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            line = reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise UsageError(
                    f"{path}, line {line}: {len(cells)} cells where the header has {len(header)}",
                    "put text with commas or newlines in double quotes",
                )
            yield TableRow(line, {name: cells[at] for name, at in places.items()})
    except csv.Error as error:
        raise UsageError(
            f"{path}, line {reader.line_num + 1}: {error}", "look for a double quote left open"
        ) from error


def _places(path: Path, header: Sequence[str], columns: Sequence[str]) -> dict[str, int]:
    lowered = [name.lower() for name in header]
    places = {}
    for name in columns:
        if name.lower() not in lowered:
            raise UsageError(
                f"{path}, line 1: no column {name!r}.{did_you_mean(name, header)}",
                f"the header must have {', '.join(columns)}",
            )
        places[name] = lowered.index(name.lower())
    return places


def _encoding(file: IO[bytes]) -> str:
    head = file.read(2)
    file.seek(0)
    return "utf-16" if head in _UTF16 else "utf-8-sig"


def _opened(path: Path) -> IO[bytes]:
    """The file's bytes, unpacked if gzip."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
        if not packed:
            return path.open("rb")
        with gzip.open(path) as file:
            body = file.read(MAX_BYTES + 1)
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read {path}: {reason}", "check the path") from error
    if len(body) > MAX_BYTES:
        raise UsageError(f"{path} unpacks to more than {MAX_BYTES:,} bytes", "split the file")
    return io.BytesIO(body)

"""Rows of a JSON Lines file (or of one JSON array), each with the line it stands on."""

from __future__ import annotations

import gzip
import itertools
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, cast

import orjson

from lt_bench.errors import UsageError, did_you_mean

MAX_LINE = 64 * 2**20
"""Bytes of one row. A longer line is no row but a file of another kind."""
MAX_ARRAY = 2**30
"""Bytes of a JSON array file after unpacking; it is held in memory, rows of JSON Lines are not."""
MAX_UNPACKED = 8 * 2**30
"""Bytes that a gzip file may unpack to, so that a small hostile file cannot fill the machine."""

_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_FOREIGN = {
    b"PK\x03\x04": ("a zip archive", "unpack it and name the file inside"),
    b"\x28\xb5\x2f\xfd": ("Zstandard-compressed", "unpack it with `zstd -d`"),
    b"BZh": ("bzip2-compressed", "unpack it with `bunzip2`"),
    b"\xfd7zXZ": ("xz-compressed", "unpack it with `unxz`"),
    b"PAR1": ("a Parquet file", "convert it to JSON Lines"),
    b"\xff\xfe": ("UTF-16 text", "save it as UTF-8"),
    b"\xfe\xff": ("UTF-16 text", "save it as UTF-8"),
}
_SAVE = "save the file as UTF-8"
_SPACE = re.compile(r"[ \t\r\n]*")
_FIX = "write one JSON object on each line, or one JSON array of objects"


@dataclass(frozen=True)
class Line:
    """One row: the number of the line it starts on, counted from 1, and its object."""

    number: int
    data: dict[str, Any]


def read(path: Path) -> Iterator[Line]:
    """The rows of `path`, in file order; blank lines are skipped, an empty file has no rows.

    Takes JSON Lines or a JSON array of objects, with or without a byte-order mark, CRLF line ends
    and gzip (told by its first bytes, not by its name). JSON Lines are streamed.

    Raises:
        UsageError: at once when the file cannot be opened or is of another kind; while iterating,
            with file and line, when a row is no JSON object, is not UTF-8 or is over a bound.
    """
    with _open(path) as file:
        head = file.read(8)
    for magic, (kind, fix) in _FOREIGN.items():
        if head.startswith(magic):
            raise UsageError(f"{path} is {kind}, not JSON Lines", fix)
    return _rows(path, packed=head.startswith(_GZIP))


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """One compact JSON object a line, the same bytes on every machine."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


def _open(path: Path) -> BufferedReader:
    try:
        return path.open("rb")
    except FileNotFoundError as error:
        folder = path.parent
        near = (
            did_you_mean(path.name, (p.name for p in folder.iterdir())) if folder.is_dir() else ""
        )
        raise UsageError(f"no such file: {path}.{near}", "check the path") from error
    except IsADirectoryError as error:
        raise UsageError(f"{path} is a folder", "name a JSON Lines file in it") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"cannot read {path}: {reason}", "check the path and its rights"
        ) from error


def _rows(path: Path, *, packed: bool) -> Iterator[Line]:
    with _open(path) as file:
        stream = cast("IO[bytes]", gzip.GzipFile(fileobj=file)) if packed else file
        try:
            lines = _lines(path, stream, packed=packed)
            first = next(lines, None)
            if first is None:
                return
            if first[1].lstrip().startswith(b"["):
                yield from _elements(path, first[0], _rest(path, first[1], stream))
                return
            for number, line in itertools.chain((first,), lines):
                yield Line(number, _object(path, number, line))
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise UsageError(f"{path} is a damaged gzip file: {error}", "fetch it again") from error


def _lines(path: Path, stream: IO[bytes], *, packed: bool) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of each line that is not blank. An array may be one long line, so that
    its first piece is let through."""
    total = 0
    for number in itertools.count(1):
        line = stream.readline(MAX_LINE + 1)
        if not line:
            return
        total += len(line)
        if packed and total > MAX_UNPACKED:
            raise UsageError(
                f"{path} unpacks to more than {MAX_UNPACKED:,} bytes", "unpack and split the file"
            )
        line = line.removeprefix(_BOM) if number == 1 else line
        if len(line) > MAX_LINE and not line.lstrip().startswith(b"["):
            raise _fault(path, number, f"longer than {MAX_LINE:,} bytes")
        if line.strip():
            yield number, line


def _rest(path: Path, start: bytes, stream: IO[bytes]) -> bytes:
    """`start` and all that follows it, read in pieces so that the bound holds before memory does."""
    body = bytearray(start)
    while len(body) <= MAX_ARRAY and (piece := stream.read(2**20)):
        body += piece
    if len(body) > MAX_ARRAY:
        raise UsageError(
            f"{path} is a JSON array over {MAX_ARRAY:,} bytes", "write it as JSON Lines"
        )
    return bytes(body)


def _elements(path: Path, number: int, body: bytes) -> Iterator[Line]:
    """The objects of a JSON array that starts on line `number`. Each is cut out first and then
    read by the same rules as a line, so that both forms refuse the same things."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        line = number + body.count(b"\n", 0, error.start)
        raise _fault(path, line, _not_utf8(body, error), _SAVE) from error
    decoder = json.JSONDecoder()
    at = _skip(text, text.index("[") + 1)
    line, counted = number, 0
    while not text.startswith("]", at):
        line, counted = line + text.count("\n", counted, at), at
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            where = error.pos if isinstance(error, json.JSONDecodeError) else at
            what = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
            raise _array_fault(path, number, text, where, f"broken JSON: {what}") from error
        yield Line(line, _object(path, line, text[at:end].encode()))
        at = _skip(text, end)
        if text.startswith(",", at):
            at = _skip(text, at + 1)
        elif not text.startswith("]", at):
            raise _array_fault(path, number, text, at, "no comma between two objects")
    if text[at + 1 :].strip():
        end = _skip(text, at + 1)
        raise _fault(path, number + text.count("\n", 0, end), "text after the end of the array")


def _skip(text: str, at: int) -> int:
    """The next place from `at` that is not JSON white space."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _array_fault(path: Path, number: int, text: str, at: int, what: str) -> UsageError:
    line = number + text.count("\n", 0, at)
    if not text[at:].strip():
        return _fault(path, line, "the array is not closed", "the file was cut off: fetch it again")
    return _fault(path, line, what)


def _object(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        data = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise _broken(path, number, line, error) from error
    if not isinstance(data, dict):
        raise _fault(path, number, f"a JSON {_kind(data)}, not an object")
    return data


def _kind(data: Any) -> str:
    names = {list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(data), "number")


def _broken(path: Path, number: int, line: bytes, error: orjson.JSONDecodeError) -> UsageError:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as bad:
        return _fault(path, number, _not_utf8(line, bad), _SAVE)
    what = error.msg.removesuffix("document") + "the object" if "after" in error.msg else error.msg
    return _fault(path, number, f"broken JSON at column {error.colno}: {what}")


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> str:
    return f"byte 0x{data[error.start]:02x} is not UTF-8"


def _fault(path: Path, number: int, what: str, fix: str = _FIX) -> UsageError:
    return UsageError(f"{path}, line {number}: {what}", fix)

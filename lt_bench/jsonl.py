"""Rows of a JSON Lines file (or of one JSON array), each with the line it stands on."""

from __future__ import annotations

import gzip
import itertools
import json
import re
import stat
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
MAX_BLANK = 2**20
"""Blank lines in a row. More are no text of anybody, and would be counted for hours."""
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
_HEAD = 4096
_SAVE = "save the file as UTF-8"
_SPACE = re.compile(r"[ \t\r\n]*")
_NO_NUMBER = re.compile(r"[\s:,\[-]*(?:NaN|Infinity)\b")
_LONG_NUMBER = re.compile(rb"[:,\[\s-]\d{19,}\s*[,}\]]")
_DIGITS = bytes(ord("0") if chr(byte).isdecimal() else ord(" ") for byte in range(256))
_LONG_RUN = b"0" * 19
_FIX = "write one JSON object on each line, or one JSON array of objects"


@dataclass(frozen=True)
class Line:
    """One row: the number of the line it starts on, counted from 1, and its object."""

    number: int
    data: dict[str, Any]


@dataclass(frozen=True)
class Broken:
    """A line that holds no JSON object: why, and what mends it."""

    number: int
    message: str
    fix: str = _FIX

    def fault(self, path: Path) -> UsageError:
        return UsageError(f"{path}, line {self.number}: {self.message}", self.fix)


def read(path: Path) -> Iterator[Line]:
    """The rows of `path`, in file order; blank lines are skipped, an empty file has no rows.

    Takes JSON Lines or a JSON array of objects, with or without a byte-order mark, CRLF line ends
    and gzip (told by its first bytes, not by its name). JSON Lines are streamed.

    Raises:
        UsageError: at once when the file cannot be opened or is of another kind; while iterating,
            with file and line, when a row is no JSON object, is not UTF-8 or is over a bound.
    """
    return whole(path, scan(path))


def scan(path: Path) -> Iterator[Line | Broken]:
    """The same rows, and a word about each that is none, so that all of them can be named.

    Raises:
        UsageError: as `read`, but while iterating only where the rest cannot be read either.
    """
    with _open(path) as file:
        try:
            head = file.read(_HEAD)
        except OSError as error:
            raise _unreadable(path, error) from error
    for magic, (kind, fix) in _FOREIGN.items():
        if head.startswith(magic):
            raise UsageError(f"{path} is {kind}, not JSON Lines", fix)
    packed = head.startswith(_GZIP)
    if not packed and b"\0" in head:
        raise UsageError(f"{path} holds zero bytes: UTF-16 text, or no text at all", _SAVE)
    return _rows(path, packed=packed)


def whole(path: Path, items: Iterable[Line | Broken]) -> Iterator[Line]:
    """The rows alone.

    Raises:
        UsageError: at the first broken one.
    """
    for item in items:
        if isinstance(item, Broken):
            raise item.fault(path)
        yield item


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """One compact JSON object a line, the same bytes on every machine."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


def check_file(path: Path) -> None:
    """Nothing, for a file whose bytes can be read as often as one likes.

    Raises:
        UsageError: there is none, or it is a folder, a pipe or a device.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError as error:
        folder = path.parent
        near = (
            did_you_mean(path.name, (p.name for p in folder.iterdir())) if folder.is_dir() else ""
        )
        # A full stop at the end would pass for a part of the name.
        raise UsageError(f"no such file: {path}{near and '.' + near}", "check the path") from error
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    if stat.S_ISDIR(mode):
        raise UsageError(f"{path} is a folder", "name a file in it")
    if not stat.S_ISREG(mode):
        kind = "a pipe" if stat.S_ISFIFO(mode) else "a device or a socket"
        raise UsageError(f"{path} is {kind}, not a file", "write the rows to a file and name that")


def _open(path: Path) -> BufferedReader:
    check_file(path)
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> UsageError:
    reason = getattr(error, "strerror", None) or error
    return UsageError(f"cannot read {path}: {reason}", "check the path and its rights")


def _rows(path: Path, *, packed: bool) -> Iterator[Line | Broken]:
    with _open(path) as file:
        stream = cast("IO[bytes]", gzip.GzipFile(fileobj=file)) if packed else file
        try:
            lines = _lines(path, stream, packed=packed)
            first = next(lines, None)
            if first is None:
                return
            if isinstance(first[1], bytes) and first[1].lstrip().startswith(b"["):
                yield from _elements(path, first[0], _rest(path, first[1], stream))
                return
            for number, line in itertools.chain((first,), lines):
                yield line if isinstance(line, Broken) else _object(number, line)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise UsageError(f"{path} is a damaged gzip file: {error}", "fetch it again") from error
        except OSError as error:
            raise _unreadable(path, error) from error


def _lines(path: Path, stream: IO[bytes], *, packed: bool) -> Iterator[tuple[int, bytes | Broken]]:
    """Number and bytes of each line that is not blank. An array may be one long line, so that
    its first piece is let through."""
    total = blank = 0
    for number in itertools.count(1):
        line = stream.readline(MAX_LINE + 1)
        if not line:
            return
        total += len(line)
        blank = 0 if line.strip() else blank + 1
        if blank > MAX_BLANK:
            raise UsageError(
                f"{path}, line {number}: more than {MAX_BLANK:,} blank lines", "remove them"
            )
        if packed and total > MAX_UNPACKED:
            raise UsageError(
                f"{path} unpacks to more than {MAX_UNPACKED:,} bytes", "unpack and split the file"
            )
        line = line.removeprefix(_BOM) if number == 1 else line
        if len(line) > MAX_LINE and not line.lstrip().startswith(b"["):
            yield number, Broken(number, f"longer than {MAX_LINE:,} bytes")
            total += _skip_line(stream)
        elif line.strip():
            yield number, line


def _skip_line(stream: IO[bytes]) -> int:
    """Reads to the end of a line without holding it; the bytes that took."""
    skipped = 0
    while piece := stream.readline(2**20):
        skipped += len(piece)
        if piece.endswith(b"\n") or skipped > MAX_UNPACKED:
            break
    return skipped


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


def _elements(path: Path, number: int, body: bytes) -> Iterator[Line | Broken]:
    """The objects of a JSON array that starts on line `number`. Each is cut out first and then
    read by the same rules as a line, so that both forms refuse the same things."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        line = number + body.count(b"\n", 0, error.start)
        raise Broken(line, _not_utf8(body, error), _SAVE).fault(path) from error
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
        yield _object(line, text[at:end].encode())
        at = _skip(text, end)
        if text.startswith(",", at):
            at = _skip(text, at + 1)
        elif not text.startswith("]", at):
            raise _array_fault(path, number, text, at, "no comma between two objects")
    if text[at + 1 :].strip():
        end = _skip(text, at + 1)
        at_line = number + text.count("\n", 0, end)
        raise Broken(at_line, "text after the end of the array").fault(path)


def _skip(text: str, at: int) -> int:
    """The next place from `at` that is not JSON white space."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _array_fault(path: Path, number: int, text: str, at: int, what: str) -> UsageError:
    line = number + text.count("\n", 0, at)
    if not text[at:].strip():
        fix = "the file was cut off: fetch it again"
        return Broken(line, "the array is not closed", fix).fault(path)
    return Broken(line, what).fault(path)


def _object(number: int, line: bytes) -> Line | Broken:
    try:
        data = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return _broken(number, line, error)
    if not isinstance(data, dict):
        return Broken(number, f"a JSON {_kind(data)}, not an object")
    # orjson would round what does not fit into 64 bits. Most lines have no such run of digits, which
    # is seen sooner than the pattern is searched for.
    if _LONG_RUN in line.translate(_DIGITS) and _LONG_NUMBER.search(line):
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            return Broken(number, f"broken JSON: {error or 'nested too deep'}")
    return Line(number, data)


def _kind(data: Any) -> str:
    names = {list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(data), "number")


def _broken(number: int, line: bytes, error: orjson.JSONDecodeError) -> Broken:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as bad:
        return Broken(number, _not_utf8(line, bad), _SAVE)
    where = f"broken JSON at column {error.colno}"
    if _NO_NUMBER.match(text, max(0, error.pos - 1)):
        return Broken(number, f"{where}: NaN and Infinity are no JSON", "write null")
    if "surrogate" in error.msg:
        fix = "remove it, or write the whole character"
        return Broken(number, f"{where}: half a character (a lone surrogate)", fix)
    what = error.msg.removesuffix("document") + "the object" if "after" in error.msg else error.msg
    return Broken(number, f"{where}: {what}")


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> str:
    return f"byte 0x{data[error.start]:02x} is not UTF-8"

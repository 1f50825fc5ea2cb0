"""A file that is one JSON value over many lines, or one value a line: what shops export."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

import orjson

from lt_bench import jsonl
from lt_bench.errors import UsageError

MAX_BYTES: Final = 2**30
"""Bytes of a file after unpacking; it is held in memory."""
_BOM: Final = "\ufeff"
_WRAPPING: Final = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*;?\s*$"
)


@dataclass(frozen=True)
class Raw:
    """Something read from a file, and where it stands in it, as a person would find it."""

    where: str
    data: Any


def read_values(path: Path) -> Iterator[Raw]:
    """The one JSON value of a file, or one value a line where the file is JSON Lines.

    Raises:
        UsageError: with the line; a folder, an empty file or broken JSON.
    """
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        yield from _by_line(path)
        return
    text = read_text(path)
    try:
        yield Raw("", orjson.loads(text))
    except orjson.JSONDecodeError as error:
        if "\n" in text.strip() and _is_object(text.lstrip().partition("\n")[0]):
            yield from _by_line(path)
            return
        raise UsageError(
            f"{path}, line {error.lineno}, column {error.colno}: broken JSON: {error.msg}",
            "export the file again",
        ) from error


def _by_line(path: Path) -> Iterator[Raw]:
    for line in jsonl.read(path):
        yield Raw(f"line {line.number}", line.data)


def _is_object(line: str) -> bool:
    try:
        return isinstance(orjson.loads(line), dict)
    except orjson.JSONDecodeError:
        return False


def read_text(path: Path) -> str:
    """The text of a file of bounded size: UTF-8 or UTF-16, gzip unpacked, byte-order mark off.

    Raises:
        UsageError: it cannot be read, is empty, is too large or is no text.
    """
    body = _bytes(path)
    if len(body) > MAX_BYTES:
        raise UsageError(f"{path} is over {MAX_BYTES:,} bytes", "split the file")
    try:
        text = body.decode("utf-16" if body[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{path}, line {line}: not {error.encoding} text", "save the file as UTF-8"
        ) from error
    if not text.strip(_BOM + " \t\r\n"):
        raise UsageError(f"{path} is empty", "export the file again")
    return text.removeprefix(_BOM)


def _bytes(path: Path) -> bytes:
    jsonl.check_file(path)
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            if not packed:
                return file.read(MAX_BYTES + 1)
            with gzip.GzipFile(fileobj=file) as stream:
                return stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read {path}: {reason}", "check the file") from error


def lenient(text: str, where: str) -> Any:
    """JSON as web pages hold it: wrapped in comment marks, with raw line ends inside strings.

    Raises:
        UsageError: it is broken otherwise; NaN and lone surrogates are refused too.
    """
    bare = _WRAPPING.sub("", _WRAPPING.sub("", text)).strip()
    try:
        found = json.loads(bare, strict=False, parse_constant=_no_constant)
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"{where}: a lone surrogate in a string", "correct the page") from error
    except (ValueError, RecursionError) as error:
        what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise UsageError(f"{where}: broken JSON: {what}", "correct the page") from error
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")

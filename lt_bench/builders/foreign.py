"""Text that is no JSON Lines though all of it can be read: tables, and one object over many lines."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from pathlib import Path
from typing import Final

from lt_bench.errors import UsageError

_HEAD: Final = 2**20
"""Bytes that are looked at; a longer object is told by its lone brace."""
_DELIMITER: Final = re.compile(r"[,;|\t]")
_IMPORT: Final = "use --format generic --map FILE, or the --format of another importer"
_ONE_LINE: Final = "write each object on one line (`jq -c .`), or all of them as one JSON array"


def refuse_foreign(path: Path, *, some: bool) -> None:
    """Nothing, unless a file whose rows are broken is of a kind that can be named.
    `some` of its lines may hold rows all the same, as a part of a spread object does.

    Raises:
        UsageError: it is a table, other text, or an object that stands on several lines.
    """
    head = _head(path)
    first = head.partition("\n")[0].strip()
    if first.startswith("["):
        return
    if first.startswith("{"):
        if _spread(head, first):
            raise UsageError(f"{path}: one row must stand on one line", _ONE_LINE)
        return
    if first and not some and not _is_json(first):
        kind = "it looks like a table" if _DELIMITER.search(first) else "no line begins with {"
        raise UsageError(f"{path} is no JSON Lines: {kind}", _IMPORT)


def _head(path: Path) -> str:
    """How the text begins, without blank lines; empty where it is no text."""
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else path.open("rb") as stream:
            data = stream.read(_HEAD)
        text = data.decode("utf-8-sig", "strict" if len(data) < _HEAD else "ignore")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError):
        return ""
    return text.lstrip()


def _spread(head: str, first: str) -> bool:
    try:
        _, end = json.JSONDecoder().raw_decode(head)
    except (ValueError, RecursionError):
        return first == "{" and len(head.encode()) >= _HEAD
    return "\n" in head[:end]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True

"""Times in a file: one a line as a number, a timestamp or a JSON object."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from lt_bench import jsonl
from lt_bench.errors import UsageError

KEYS: Final = ("at", "time", "timestamp", "arrival", "seconds", "value")
"""Keys of a JSON object that may hold the time, the first one found."""
MAX_LINES: Final = 2_000_000
MAX_LINE: Final = 65_536
"""Characters; a longer line holds no time."""
MAX_SPAN: Final = 1e12
"""Seconds between the first and the last time of a log, some 30,000 years."""
_FIX = 'write one number (seconds), ISO 8601 time or {"at": …} on each line'


def numbers(path: Path) -> list[float]:
    """The numbers of a file in file order, at least one.

    Raises:
        UsageError: it cannot be read, is empty, or a line is no finite number.
    """
    return [_number(value, path, line) for line, value in _values(path)]


def arrivals(path: Path) -> list[float]:
    """Arrival times as seconds since the first one, in ascending order (a log is often written when
    requests end). Numbers are seconds; timestamps without a zone are taken as UTC.

    Raises:
        UsageError: it cannot be read, is empty, mixes numbers and timestamps, or spans no time that
            anybody logged.
    """
    found = sorted(_moment(value, path, line) for line, value in _values(path))
    kinds = {kind for kind, _ in found}
    if len(kinds) > 1:
        raise UsageError(f"{path} mixes seconds and timestamps", "write all lines in one form")
    first, last = found[0][1], found[-1][1]
    if not last - first <= MAX_SPAN:
        raise UsageError(f"{path}: its times are {last - first:.3g} s apart", _FIX)
    return [moment - first for _, moment in found]


def _values(path: Path) -> Iterator[tuple[int, Any]]:
    """Number and value of each line that is not blank and no comment."""
    jsonl.check_file(path)
    seen = 0
    try:
        with path.open(encoding="utf-8-sig") as file:
            for line, text in enumerate(iter(lambda: file.readline(MAX_LINE), ""), 1):
                if line > MAX_LINES:
                    raise UsageError(f"{path} has more than {MAX_LINES:,} lines", "cut it")
                if len(text) == MAX_LINE:
                    raise UsageError(f"{path}, line {line} is no time: it is too long", _FIX)
                if (text := text.strip()) and not text.startswith("#"):
                    seen += 1
                    yield line, _value(text, path, line)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8", "save the file as UTF-8") from error
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", "check its rights") from error
    if not seen:
        raise UsageError(f"{path} holds no time", _FIX)


def _value(text: str, path: Path, line: int) -> Any:
    """What a line holds: of an object the time, of anything else itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(value, dict):
        return value
    for key in KEYS:
        if key in value:
            return value[key]
    raise UsageError(f"{path}, line {line}: none of the keys {', '.join(KEYS)}", _FIX)


def _number(value: Any, path: Path, line: int) -> float:
    known = _as_float(value)
    if known is None:
        raise UsageError(f"{path}, line {line}: {shown(value)} is no number", _FIX)
    return known


def _moment(value: Any, path: Path, line: int) -> tuple[str, float]:
    """Which form a time has, and its seconds."""
    known = _as_float(value)
    if known is not None:
        return "seconds", known
    try:
        moment = datetime.fromisoformat(value)
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return "timestamps", aware.timestamp()
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(f"{path}, line {line}: {shown(value)} is no time", _FIX) from error


def _as_float(value: Any) -> float | None:
    """A finite number, or a text that is one."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def shown(value: Any) -> str:
    """A value as an error quotes it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

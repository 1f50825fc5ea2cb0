"""The two files of a measurement: latency.json and requests.jsonl."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from lt_bench.errors import UsageError
from lt_bench.records import LatencyReport, TimedRequest

REPORT: Final = "latency.json"
REQUESTS: Final = "requests.jsonl"


def place_for(folder: Path) -> None:
    """Makes the folder, so that a measurement of hours has a place before it begins.

    Raises:
        UsageError: it holds a measurement, is a file, or cannot be made or written to.
    """
    try:
        if (folder / REPORT).exists():
            raise UsageError(f"{folder} holds a measurement already", "name another --out folder")
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is a file", "name a folder with --out")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / REQUESTS).open("ab").close()
    except OSError as error:
        raise UsageError(
            f"cannot write {folder}: {error.strerror}", "name another folder with --out"
        ) from error


def write(folder: Path, report: LatencyReport, requests: Iterable[TimedRequest]) -> None:
    """Writes both; the report last, so that a folder that has it is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / REQUESTS).open("wb") as file:
        for request in requests:
            line = request.model_dump_json(exclude_defaults=True)
            file.write(line.encode("utf-8", "replace") + b"\n")
    text = report.model_dump_json(indent=1)
    (folder / REPORT).write_bytes(text.encode("utf-8", "replace") + b"\n")

"""The two files of a measurement: latency.json and requests.jsonl."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from lt_bench.records import LatencyReport, TimedRequest

REPORT: Final = "latency.json"
REQUESTS: Final = "requests.jsonl"


def write(folder: Path, report: LatencyReport, requests: Iterable[TimedRequest]) -> None:
    """Writes both; the report last, so that a folder that has it is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / REQUESTS).open("wb") as file:
        for request in requests:
            line = request.model_dump_json(exclude_defaults=True)
            file.write(line.encode("utf-8", "replace") + b"\n")
    text = report.model_dump_json(indent=1)
    (folder / REPORT).write_bytes(text.encode("utf-8", "replace") + b"\n")

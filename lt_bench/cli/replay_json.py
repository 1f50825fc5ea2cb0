"""A row of a replay as one JSON object: its records as they are on disk, and the diagnoses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from lt_bench.records import Record
from lt_bench.replay.rows import ReplayRow, Side
from lt_bench.replay.source import Source


def as_json(row: ReplayRow, sources: Sequence[Source]) -> str:
    """One line. `runs` are in the order of the command; a run that does not ask the row has no `sample`,
    no scores and no findings. Half a character (a lone surrogate) is an escape."""
    sides = zip(sources, row.sides, strict=True)
    found = {
        "id": row.example_id,
        "sample_index": row.sample_index,
        "difference": row.difference if len(row.sides) > 1 else None,
        "example": _record(row.example),
        "runs": [{"run": str(source.folder.path), **_side(side)} for source, side in sides],
    }
    try:
        text = json.dumps(found, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(found)
    return text


def _side(side: Side | None) -> dict[str, Any]:
    if side is None:
        return {"diagnosis": None, "findings": [], "sample": None, "scores": []}
    return {
        "diagnosis": side.code,
        "findings": [{**_dumped(one), "aim": one.aim} for one in side.findings],
        "sample": _record(side.sample),
        "scores": [_dumped(score) for score in side.row.scores.values()],
    }


def _record(record: Record | None) -> dict[str, Any] | None:
    return _dumped(record) if record else None


def _dumped(record: Record) -> dict[str, Any]:
    return record.model_dump(mode="python")

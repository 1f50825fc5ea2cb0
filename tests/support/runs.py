"""What makes two runs the same: their rows by key, without timings and attempts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def generations(run: Path) -> dict[str, Any]:
    """Key -> outcome of every line; fails if a key stands twice with an answer."""
    found: dict[str, Any] = {}
    for line in (run / "generations.jsonl").read_text(encoding="utf-8").split("\n")[:-1]:
        row = json.loads(line)
        key = json.dumps(row["key"], sort_keys=True)
        assert key not in found or found[key]["status"] == "error", f"doubled: {key}"
        for turn in row.get("generation", {}).get("turns", ()):
            turn.pop("timings", None)
            turn.pop("attempts", None)
        found[key] = row
    return found


def scores(run: Path) -> dict[str, Any]:
    """Key -> scores of every line; fails if a key stands twice."""
    found: dict[str, Any] = {}
    for line in (run / "scores.jsonl").read_text(encoding="utf-8").split("\n")[:-1]:
        row = json.loads(line)
        key = json.dumps(row["key"], sort_keys=True)
        assert key not in found, f"doubled: {key}"
        found[key] = row
    return found


def card(run: Path) -> dict[str, Any]:
    """card.json without the moment it was made."""
    found: dict[str, Any] = json.loads((run / "card.json").read_text(encoding="utf-8"))
    found["stamp"].pop("created")
    return found

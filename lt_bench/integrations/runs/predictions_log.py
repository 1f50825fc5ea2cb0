"""Plain predictions: {"id": …, "output": …[, "reasoning": …, "tokens": 42]}, one a line, as
`replay/FILE` reads them (docs/models.md)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lt_bench.backends.replay.predictions import Predictions
from lt_bench.integrations.runs.log import Log, Logged


def is_prediction(row: Mapping[str, Any]) -> bool:
    """Whether a row is one of these."""
    return "id" in row and ("output" in row or "turns" in row)


def read(path: Path) -> Log:
    """The log in a predictions file.

    Raises:
        UsageError: a line is none; its number is named.
    """
    answers = (
        Logged(where=f"{path}, id {name[:80]!r}", ids=(name,), turns=turns, sample_index=index)
        for name, index, turns in Predictions(path).items()
    )
    return Log(path=path, format="predictions", answers=answers, model=path.stem)

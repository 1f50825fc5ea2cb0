"""Cards and row scores of runs that nobody made, put on a board as `leaderboard add` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lt_bench.board.matrix import RowScores
from lt_bench.board.reading import RunScores
from lt_bench.board.store import open_store
from lt_bench.records import Environment, Estimate, JudgeStamp, ResultCard, Stamp

LOWER = ("tpr", "tflop_paper", "truncated")
UNITS = {"tpr": "tokens", "tflop_paper": "TFLOP"}


def card(model: str, values: Mapping[str, Sequence[float]], **changes: Any) -> ResultCard:
    """A card whose figures are the means of these values; `changes` go to the card or its stamp."""
    metrics = {}
    for name, column in values.items():
        known = [v for v in column if not np.isnan(v)]
        mean = float(np.mean(known)) if known else None
        metrics[name] = Estimate(
            value=mean,
            low=None if mean is None else mean * 0.9,
            high=None if mean is None else mean * 1.1,
            n=len(known),
            unscored={"no_answer": len(column) - len(known)} if len(known) < len(column) else {},
            method="drawn",
            unit=UNITS.get(name, "share"),
        )
    stamp: dict[str, Any] = {
        "data": None,
        "data_sha": "d" * 64,
        "prompt_sha": "p" * 64,
        "config_sha": f"config of {model}",
        "scorers_sha": "s" * 64,
        "model_fingerprint": model,
        "counted_by": "engine",
        "seed": 0,
        "environment": Environment(lt_bench="0", hardware="none"),
        "created": "2026-01-01T00:00:00+00:00",
    }
    found: dict[str, Any] = {
        "task": "commerce_qa",
        "version": 1,
        "model": model,
        "backend": "replay",
        "samples": {"ok": len(next(iter(values.values())))},
        "metrics": metrics,
        "headline": tuple(values),
    }
    for key, value in changes.items():
        (stamp if key in stamp else found)[key] = value
    return ResultCard(**found, stamp=Stamp(**stamp))


def judge(name: str = "commerce_correctness", **changes: Any) -> JudgeStamp:
    return JudgeStamp(**{"name": name, "version": 1, "judge_sha": "j" * 64, **changes})


def run(
    model: str,
    values: Mapping[str, Sequence[float]],
    *,
    group: int = 1,
    names: Sequence[str] | None = None,
    settings: Mapping[str, str] | None = None,
    command: str = "",
    **changes: Any,
) -> RunScores:
    rows = len(next(iter(values.values())))
    examples = names or [f"row-{number}" for number in range(rows)]
    return RunScores(
        card=card(model, values, **changes),
        rows=RowScores(
            examples,
            [f"group-{number // group}" for number in range(rows)],
            {name: np.array(column, dtype=float) for name, column in values.items()},
        ),
        samples=1,
        better={name: "lower" if name in LOWER else "higher" for name in values},
        settings=dict(settings or {}),
        command=command,
        run="",
    )


def board(folder: Path, *runs: RunScores, name: str = "") -> list[str]:
    """Puts them on a board; their ids."""
    return [open_store(folder, one.card).add(one, name) for one in runs]

"""Runs: generate, score and sum up, resumable and on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lt_bench.backends.choose import open_model
from lt_bench.records import ResultCard
from lt_bench.run.evaluation import Evaluation
from lt_bench.run.evaluation import evaluate as run_evaluation
from lt_bench.run.history import Run
from lt_bench.run.loop import run as run_to_end
from lt_bench.run.prepare import Ask, prepare
from lt_bench.run.rescoring import rescore

__all__ = [
    "Ask",
    "Evaluation",
    "Run",
    "evaluate",
    "prepare",
    "rescore",
    "run_evaluation",
    "run_to_end",
]


def evaluate(
    model: str,
    *,
    task: str,
    data: str | Path | None = None,
    limit: int | None = None,
    samples: int = 1,
    run: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    catalogs: Sequence[str | Path] = (),
    active_params: float | None = None,
    **backend: Any,
) -> ResultCard:
    """Evaluates a model on one task, as `lt-bench eval MODEL --task TASK` does.

    `settings` maps "group.key" to a value, e.g. {"sampling.temperature": 0.7}; further keywords
    are options of the backend (base_url, concurrency, …). The same call resumes its own run.

    Raises:
        UsageError: something asked for cannot be; nothing was run.
        RunError: the model cannot be asked, or the disk is full; finished rows are kept.
    """
    ask = Ask(
        model=model,
        tasks=(task,),
        data=Path(data) if data else None,
        limit=limit,
        samples=samples,
        run=run,
        settings=settings or {},
        catalogs=tuple(Path(folder) for folder in catalogs),
        active_params=active_params,
        flags=backend,
    )
    (evaluation,) = prepare(ask)
    return run_to_end(_evaluate(ask, evaluation))


async def _evaluate(ask: Ask, evaluation: Evaluation) -> ResultCard:
    async with open_model(ask.model, ask.backend_options) as backend:
        return await run_evaluation(evaluation, backend)

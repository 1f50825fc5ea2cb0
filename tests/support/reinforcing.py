"""A small reinforcement stage: tiny models that end now and then, on the rows of mini_qa."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from support.tiny_models import tiny_model

from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.task import Task
from lt_bench.train.recipe import GrpoStage
from lt_bench.train.stage import StageContext

ENDS = tuple(range(20, 60))
"""So many end tokens that a model of random weights comes to an end within some ten tokens."""

STAGE: Mapping[str, Any] = {
    "kind": "grpo",
    "from": "base",
    "rows": {"rows": 12},
    "rewards": {
        "weights": {"correctness": 0.4, "helpfulness": 0.3, "length": 0.3},
        "length": {"rows": 8, "upper": 1.0, "lower": 0.2, "tolerance": 2.0},
    },
    "rollouts": {"group": 4, "max_tokens": 24},
    "optimizer": {"learning_rate": 1e-3, "batch_size": 2, "steps": 4},
    "guards": {"pilot": 0},
}


def parent(folder: Path, architecture: str = "llama", **changes: Any) -> Path:
    """A model of random weights."""
    return tiny_model(folder, architecture, eos=ENDS, **changes)


def stage(**changes: Any) -> GrpoStage:
    """The small stage; `changes` are laid over its groups, one level deep."""
    found: dict[str, Any] = {**STAGE}
    for key, value in changes.items():
        before = found.get(key)
        both = isinstance(before, Mapping) and isinstance(value, Mapping)
        found[key] = {**before, **value} if both else value  # type: ignore[dict-item]
    return GrpoStage.model_validate(found)


def context(
    folder: Path,
    model: Path,
    one: GrpoStage | None = None,
    *,
    task: str = "mini_qa",
    judge: JudgeChoice | None = None,
) -> StageContext:
    """That stage in a folder of its own."""
    choice = judge or JudgeChoice()
    return StageContext(
        name="rl",
        stage=one or stage(),
        folder=folder / "rl",
        task=Task.load(task, judge=choice.name),
        judge=choice,
        parent=str(model),
        candidates={"base": model},
    )


def spelt(tokenizer: Any, text: str, *, ended: bool = True) -> list[int]:
    """The ids of a completion."""
    ids: Sequence[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return [*ids, *([tokenizer.eos_token_id] if ended else [])]

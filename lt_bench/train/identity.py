"""Everything that decides what a stage makes, so that two stages can be told apart.

What only changes how fast it goes, or where, is left out: a resume may change it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from lt_bench.builders import saved
from lt_bench.train.parents import Parent
from lt_bench.train.preparation import Training
from lt_bench.train.recipe import PretrainStage, Rows

FREE: Final = (
    ("optimizer", "micro_batch"),
    ("optimizer", "save_steps"),
    ("teacher", "unanswered"),
    ("precision", "gradient_checkpointing"),
    ("guards", "table_steps"),
    ("rollouts", "mode"),
    ("rollouts", "url"),
    ("rollouts", "memory"),
)
"""Settings of a stage that a resume may change."""
FREE_OPTIONS: Final = frozenset(
    ("base_url", "api_key_env", "concurrency", "batch_size", "device", "timeout")
)
"""The same among the options of a teacher."""
PARENTS: Final = "from"
USER_INFO: Final = re.compile(r"(?<=://)[^/@\s\"]+@")


def identity(training: Training, name: str, parents: Iterable[Parent] = ()) -> dict[str, Any]:
    """Plain JSON, by groups. `parents` are known once they are trained.

    Raises:
        UsageError: the file of its rows cannot be read.
    """
    stage, task = training.recipe.stages[name], training.task
    found: dict[str, Any] = {
        "stage": _settings(stage.model_dump(mode="json", by_alias=True)),
        "task": {
            "name": task.spec.name,
            "version": task.spec.version,
            "options": task.options,
            "prompt_sha": task.prompt_sha,
        },
        "data": _data(training, stage.rows),
        PARENTS: {parent.name: parent.sha for parent in parents},
    }
    if not isinstance(stage, PretrainStage):
        found["judge"] = training.judge.settings(task.judge).model_dump(mode="json")
    plain: dict[str, Any] = json.loads(without_user_info(json.dumps(found)))
    return plain


def _settings(stage: dict[str, Any]) -> dict[str, Any]:
    for group, key in FREE:
        if isinstance(stage.get(group), dict):
            stage[group].pop(key, None)
    if stage.get("thoughts", ...) is None:
        del stage["thoughts"]  # what was begun before there was such a key goes on
    teacher = stage.get("teacher")
    if isinstance(teacher, dict):
        options = teacher["options"].items()
        teacher["options"] = {key: value for key, value in options if key not in FREE_OPTIONS}
    return stage


def _data(training: Training, rows: Rows) -> dict[str, Any]:
    if rows.file is not None:
        return {"sha": saved.sha(Path(rows.file).expanduser())}
    return {
        "builder_version": training.task.builder.version,
        "builder_options": training.task.builder_options,
    }


def named_as_in_recipe(key: str, stage: str) -> str:
    """ "stages.rl.optimizer.steps" for the key "stage.optimizer.steps" of an identity."""
    return f"stages.{stage}{key.removeprefix('stage')}" if key.startswith("stage.") else key


def without_parents(settings: Mapping[str, Any]) -> dict[str, Any]:
    """An identity but for what it starts from, which is not known before that is trained."""
    return {key: value for key, value in settings.items() if key != PARENTS}


def without_user_info(text: str) -> str:
    """The text with what stands before the @ of an address taken out."""
    return USER_INFO.sub("", text)

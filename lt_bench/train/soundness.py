"""What a recipe's parts must have to do with each other, checked before anything is asked or trained."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lt_bench.backends import BACKENDS
from lt_bench.builders.base import Acting, Reciting, Teaching
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.scorers import Metric
from lt_bench.task import Task
from lt_bench.train.parents import check_named, named_by
from lt_bench.train.recipe import GrpoStage, PretrainStage, Recipe, SftStage, Stage

LENGTH = "length"
"""The reward that is no score of the task."""
REFERENCE = "reference"
"""The teacher that the task's builder is."""


def check(recipe: Recipe, task: Task, metrics: Iterable[Metric], processes: int = 1) -> None:
    """`metrics` are those that the task's scorers give; `processes` train at once.

    Raises:
        UsageError: a stage that cannot be run as the recipe says; the key and a fix are named.
    """
    by_name = {metric.name: metric for metric in metrics}
    names = list(recipe.stages)
    for index, (name, stage) in enumerate(recipe.stages.items()):
        for model in named_by(stage):
            check_named(model, name, names[:index], names[index + 1 :])
        _check_rows(name, stage)
        if isinstance(stage, PretrainStage):
            _check_reciting(name, task)
        elif isinstance(stage, SftStage):
            _check_teaching(name, stage, task)
            _check_admission(name, stage, by_name)
        else:
            _check_rewards(name, stage, by_name)
            _check_rollouts(name, stage)
        _check_batch(name, stage, processes)


def _check_rows(name: str, stage: Stage) -> None:
    if stage.rows.file is not None and not stage.rows.file.expanduser().exists():
        raise UsageError(
            f"stages.{name}.rows.file: there is no {stage.rows.file}",
            "paths are looked up from the folder where the command runs",
        )


def _check_reciting(name: str, task: Task) -> None:
    if not isinstance(task.builder, Reciting):
        raise UsageError(
            f"stages.{name} trains a model from nothing, and task {task.spec.name} has no closed "
            "vocabulary to do so",
            "start from a model instead, or use a task that has one",
        )


def _check_teaching(name: str, stage: SftStage, task: Task) -> None:
    """A teacher in a file is there, and one that the builder plays can be played."""
    key, model = f"stages.{name}.teacher", stage.teacher.model
    prefix, _, target = model.partition("/")
    if model == REFERENCE and not isinstance(task.builder, Teaching | Acting):
        raise UsageError(
            f"{key}.model: task {task.spec.name} writes no reference trajectories",
            "name a model (openai/NAME, hf/…) or a file (replay/FILE)",
        )
    alike = model == REFERENCE and not isinstance(task.builder, Teaching)
    if alike and stage.teacher.samples > 1:
        raise UsageError(
            f"{key}.samples: {stage.teacher.samples} reference dialogues of a row of "
            f"{task.spec.name} are the same one",
            "set it to 1",
        )
    known = (REFERENCE, *(f"{one}/…" for one in BACKENDS.targets))
    prefixed = prefix in BACKENDS.targets and bool(target.strip())
    if model != REFERENCE and not prefixed and not Path(model).expanduser().exists():
        raise UsageError(
            f"{key}.model: {model!r} is no model.{did_you_mean(prefix, (REFERENCE, *BACKENDS.targets))}",
            f"write one of {', '.join(known)}",
        )
    check_endpoint(f"{key}.options", (model,), stage.teacher.options)
    if prefix in ("replay", "scripted") and not Path(target).expanduser().is_file():
        raise UsageError(
            f"stages.{name}.teacher.model: there is no file {target!r}",
            "paths are looked up from the folder where the command runs",
        )


def check_endpoint(where: str, models: Iterable[str], options: Mapping[str, Any]) -> None:
    """Refuses settings that no endpoint has, before they are written into a folder: one of them may
    be a key that was put in the wrong place.

    Raises:
        UsageError: there are some.
    """
    if any(model.startswith("openai/") for model in models):
        from lt_bench.backends.openai.options import OpenAIOptions
        from lt_bench.config import validate

        given = {key: value for key, value in options.items() if value is not None}
        validate(OpenAIOptions, given, where)


def _check_admission(name: str, stage: SftStage, metrics: dict[str, Metric]) -> None:
    key = f"stages.{name}.admit"
    if stage.kind == "rft" and not stage.admit:
        raise UsageError(f"{key} names no score", "name one, e.g. correctness: 1; or kind: sft")
    if stage.kind == "sft" and stage.admit:
        raise UsageError(f"{key}: kind sft takes all, unfiltered", "remove it, or write kind: rft")
    for score in stage.admit:
        _check_score(f"{key}.{score}", score, metrics, ())


def _check_rewards(name: str, stage: GrpoStage, metrics: dict[str, Metric]) -> None:
    key = f"stages.{name}.rewards"
    weights, budget = stage.rewards.weights, stage.rewards.length
    for score in weights:
        if score != LENGTH:
            _check_score(f"{key}.weights.{score}", score, metrics, (LENGTH,))
    if LENGTH in weights and budget is None:
        raise UsageError(
            f"{key}.weights has length, and {key}.length does not say how long is right",
            f"add {key}.length with upper, lower, tolerance and unit",
        )
    if budget is not None and LENGTH not in weights:
        raise UsageError(
            f"{key}.length has no weight, so that it would reward nothing",
            f"add {key}.weights.length, or remove {key}.length",
        )


def _check_score(key: str, score: str, metrics: dict[str, Metric], others: tuple[str, ...]) -> None:
    good = [name for name, metric in metrics.items() if metric.higher_is_better]
    if score in metrics and score not in good:
        raise UsageError(
            f"{key}: less of {score} is better, so it cannot be asked for",
            f"scores that are better when higher: {', '.join(good)}",
        )
    if score not in metrics:
        known = (*good, *others)
        raise UsageError(
            f"{key}: the task gives no such score.{did_you_mean(score, known)}",
            f"known: {', '.join(known)}",
        )


def _check_rollouts(name: str, stage: GrpoStage) -> None:
    key, rollouts = f"stages.{name}.rollouts", stage.rollouts
    server = rollouts.engine == "vllm" and rollouts.mode == "server"
    if server and not rollouts.url:
        raise UsageError(f"{key}.url is missing: mode is server", "give http://HOST:PORT")
    if rollouts.max_tokens >= stage.optimizer.max_length:
        raise UsageError(
            f"{key}.max_tokens: {rollouts.max_tokens} leave no room for a prompt within "
            f"optimizer.max_length {stage.optimizer.max_length}",
            f"raise stages.{name}.optimizer.max_length, or lower {key}.max_tokens",
        )
    if rollouts.url and not server:
        raise UsageError(
            f"{key}.url is for engine vllm in mode server", "set these two, or remove it"
        )


def _check_batch(name: str, stage: Stage, processes: int) -> None:
    """Whether a step can be cut into equal passes of all processes."""
    optimizer, key = stage.optimizer, f"stages.{name}.optimizer"
    size, what = rows_a_step(stage), "rows"
    if isinstance(stage, GrpoStage):
        what = f"completions ({optimizer.batch_size} prompts x {stage.rollouts.group})"
        made = 0 if stage.rows.file else min(stage.rows.rows, stage.rows.limit or stage.rows.rows)
        if 0 < made < optimizer.batch_size:
            raise UsageError(
                f"{key}.batch_size: a step takes {optimizer.batch_size} prompts and there are {made}",
                f"set stages.{name}.rows.rows, or a smaller batch_size",
            )
    one_pass = (optimizer.micro_batch or 1) * processes
    if size % one_pass:
        raise UsageError(
            f"{key}: {size} {what} a step cannot be cut into passes of "
            f"{optimizer.micro_batch or 1} on each of {processes} devices",
            f"make batch_size such that {one_pass} divides the {what.split()[0]} of a step",
        )


def rows_a_step(stage: Stage) -> int:
    """Sequences that one step trains on, over all devices."""
    group = stage.rollouts.group if isinstance(stage, GrpoStage) else 1
    return stage.optimizer.batch_size * group

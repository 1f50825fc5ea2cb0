"""What the parts of a study must have to do with each other: found at once, and not hours later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lt_bench.errors import UsageError
from lt_bench.study.spec import Study, Trained
from lt_bench.train.loading import NamedRecipe
from lt_bench.train.parents import named_by

SEEDS: Final = 2**32
"""A stage takes seeds below this one."""


def check(where: str, study: Study, recipes: Mapping[str, NamedRecipe]) -> None:
    """`where` the study stands is for the message.

    Raises:
        UsageError: a recipe of another task, a stage that nothing trains the parent of, a seed that no
            stage takes or that the study would set otherwise, a claim about one row alone.
    """
    for name, trained in study.trainings.items():
        recipe = recipes[name]
        if recipe.recipe.task != study.task:
            raise UsageError(
                f"{where}: task is {study.task}, and trainings.{name} ({trained.recipe}) is for "
                f"{recipe.recipe.task}",
                "evaluate candidates on the task that they are trained for",
            )
        _check_parents(where, name, trained, recipe)
        _check_set(where, name, trained)
    if too_high := [seed for seed in study.seeds if seed >= SEEDS]:
        raise UsageError(
            f"{where}: seeds: {too_high[0]} is more than a stage takes", f"seeds are below {SEEDS}"
        )
    for claim in study.claims:
        if claim.of == claim.against:
            raise UsageError(
                f"{where}: claim {claim.text!r} sets {claim.of} against itself", "name two rows"
            )


def _check_parents(where: str, name: str, trained: Trained, recipe: NamedRecipe) -> None:
    stages = recipe.recipe.stages
    for stage in trained.stages:
        for model in named_by(stages[stage]):
            if model in stages and model not in (*trained.stages, *trained.start):
                raise UsageError(
                    f"{where}: trainings.{name}: stage {stage} needs {model}, which is not trained",
                    f"add {model} to its stages, or start: {{{model}: TRAINING.STAGE}}",
                )


def _check_set(where: str, name: str, trained: Trained) -> None:
    """The study seeds every stage itself: what `set` said of it would be lost without a word."""
    for key in trained.set:
        head, _, rest = key.partition(".")
        if head == "stages" and rest.partition(".")[2] == "seed":
            raise UsageError(
                f"{where}: trainings.{name}.set: {key} is set by the seeds of the study",
                "remove it, or give the training seeds of its own",
            )

"""From a recipe to a training that can begin: its task, its judge, every mistake found before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from lt_bench.run.judging.choice import JudgeChoice, check_models
from lt_bench.scorers import Judging
from lt_bench.task import Task
from lt_bench.train.loading import NamedRecipe
from lt_bench.train.recipe import Recipe
from lt_bench.train.soundness import check, check_endpoint

NOWHERE: Final = {"base_url": "http://localhost:9"}
"""The port of the discard protocol: nobody listens there."""


@dataclass(frozen=True)
class Training:
    """What is trained, on which task, and who judges."""

    named: NamedRecipe
    task: Task
    judge: JudgeChoice

    @property
    def recipe(self) -> Recipe:
        return self.named.recipe


def prepare(
    named: NamedRecipe,
    asked: JudgeChoice | None = None,
    catalogs: Sequence[Path] = (),
    processes: int = 1,
    *,
    ask: bool = True,
) -> Training:
    """`asked` changes who judges from what the recipe says; `processes` train at once. Without `ask`
    nobody will be asked: judge models need no key and no files then.

    Raises:
        UsageError: an unknown task, judge, score or model, or parts that do not fit each other.
    """
    recipe = named.recipe
    judge = replace(_judge(recipe, asked or JudgeChoice()), catalogs=tuple(catalogs))
    task = Task.load(recipe.task, catalogs, options=recipe.task_options, judge=judge.name)
    check_endpoint("judge_backend", judge.models, judge.options)
    judging = judge.judging if ask else _silent(judge)
    scorers = task.scorers(judging=judging)
    if judge.models:
        check_models(judging, task.judge, scorers)
    check(recipe, task, [metric for one in scorers for metric in one.metrics], processes)
    return Training(named, task, judge)


def _silent(judge: JudgeChoice) -> Judging:
    """Judging that knows which scores there will be, by a model that is never reached."""
    nobody = JudgeChoice(models=("openai/nobody",), options=NOWHERE, cache=False).judging
    return replace(nobody, sampling=dict(judge.sampling), catalogs=judge.catalogs)


def _judge(recipe: Recipe, asked: JudgeChoice) -> JudgeChoice:
    """Who judges: as the command says, else as the recipe does, else the task's own judge."""
    declared = recipe.judge
    if asked.name not in (None, declared.name or None):
        return asked
    return replace(
        asked,
        name=declared.name or None,
        models=asked.models or declared.models,
        votes=asked.votes if asked.votes != 1 else declared.votes,
        min_votes=asked.min_votes or declared.min_votes,
        sampling={**declared.sampling, **asked.sampling},
        options={**recipe.judge_backend, **asked.options},
    )

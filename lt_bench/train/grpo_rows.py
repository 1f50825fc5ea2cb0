"""The rows that a reinforcement stage trains on, and the prompts that they make."""

from __future__ import annotations

from dataclasses import dataclass

from lt_bench.backends.transformers.prompting import Renderer
from lt_bench.errors import RowError, UsageError
from lt_bench.records import Example
from lt_bench.train.completions import Asked
from lt_bench.train.data import examples_of
from lt_bench.train.recipe import GrpoStage
from lt_bench.train.rewards import rewardable, rewarding
from lt_bench.train.stage import StageContext


@dataclass(frozen=True)
class TrainingRows:
    """What a stage trains on. `unrewardable` rows lack what a reward needs, `too_long` ones do not
    leave room for a completion, `refused` ones the chat template does not take."""

    asked: tuple[Asked, ...]
    unrewardable: int = 0
    too_long: int = 0
    refused: int = 0

    @property
    def examples(self) -> list[Example]:
        return [one.example for one in self.asked]

    @property
    def longest(self) -> int:
        """Tokens of the longest prompt."""
        return max(len(one.rendered.ids) for one in self.asked)

    @property
    def told(self) -> tuple[str, ...]:
        """What was left out, for the card."""
        lines = (
            (self.unrewardable, "lack the gold that a reward needs"),
            (self.too_long, "are longer than a prompt may be"),
            (self.refused, "are refused by the chat template"),
        )
        return tuple(f"{count} rows were left out: they {why}" for count, why in lines if count)


def training_rows(
    context: StageContext, stage: GrpoStage, renderer: Renderer, positions: int | None = None
) -> TrainingRows:
    """The rows that can be trained on, their prompts as an evaluation renders them. Prompt and
    completion fit into `optimizer.max_length` and into the `positions` of the model.

    Raises:
        UsageError: there is none, or the length leaves no room for a prompt.
    """
    names = list(stage.rewards.weights)
    scorers = rewarding(context.task, context.judge.judging, names)
    room = _room(context, stage, positions)
    asked, unrewardable, too_long, refused = list[Asked](), 0, 0, 0
    for example in examples_of(context.task, stage.rows):
        if not rewardable(scorers, names, example):
            unrewardable += 1
            continue
        try:
            prompt = context.task.prompt(example)
            rendered = renderer.render(prompt)
        except RowError:
            refused += 1
            continue
        if len(rendered.ids) > room:
            too_long += 1
        else:
            asked.append(Asked(example, rendered, prompt))
    found = TrainingRows(tuple(asked), unrewardable, too_long, refused)
    if not asked:
        raise UsageError(
            f"stage {context.name} has no row to train on: {'; '.join(found.told)}",
            "check rows:, optimizer.max_length and the rewards",
        )
    return found


def longest_of(stage: GrpoStage, positions: int | None) -> int:
    """Tokens that prompt and completion, or a whole dialogue, may have."""
    return min(stage.optimizer.max_length, positions or stage.optimizer.max_length)


def _room(context: StageContext, stage: GrpoStage, positions: int | None) -> int:
    """Tokens that a prompt may have."""
    longest = longest_of(stage, positions)
    room = longest - stage.rollouts.max_tokens
    if room < 1:
        raise UsageError(
            f"stage {context.name}: {longest} tokens in all leave no room for a prompt before "
            f"rollouts.max_tokens {stage.rollouts.max_tokens}",
            "lower rollouts.max_tokens, or raise optimizer.max_length where the model has more",
        )
    return room

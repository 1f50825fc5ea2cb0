"""The work of a stage in floating-point operations, and the hours it takes at a stated utilisation.

A trained token costs 6 N: two forward, four backward (Kaplan et al. 2020, section 2.1); a drawn or
read one 2 N. N multiplies for each token (the active parameters of a mixture of experts). Attention
over the context is left out, as it is in 6 N T.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from lt_bench.train.hardware import Hardware
from lt_bench.train.memory import short
from lt_bench.train.recipe import GrpoStage, PretrainStage, Stage

ELSEWHERE: Final = ("openai/", "replay/", "scripted/", "reference")
"""Teachers that take no time of these devices."""


@dataclass(frozen=True)
class Lengths:
    """Tokens of a mean prompt, and of a completion as it is reckoned with: that of a dialogue with tools
    has so many `turns`, and what is read between them."""

    prompt: float
    completion: float
    turns: float = 1.0

    @property
    def whole(self) -> float:
        return self.prompt + self.completion

    @property
    def anew(self) -> float:
        """Tokens of a dialogue drawn by an engine that reads it from its beginning in every turn."""
        return self.turns * self.prompt + (self.turns + 1) / 2 * self.completion


@dataclass(frozen=True)
class EffortPart:
    """`flops` operations: `factor` N T."""

    name: str
    flops: float
    formula: str
    phase: Literal["training", "rollouts"]

    def hours(self, hardware: Hardware) -> float:
        """Wall time on all devices together."""
        rate = hardware.training_rate if self.phase == "training" else hardware.rollout_rate
        return self.flops / rate / 3600


def steps_of(stage: Stage, rows: int) -> int:
    """Steps of a stage on so many rows: as the recipe says, else its epochs."""
    optimizer = stage.optimizer
    if optimizer.steps is not None:
        return optimizer.steps
    if isinstance(stage, GrpoStage):  # a draw that cannot be filled is not made
        draws = int(rows * optimizer.epochs) // optimizer.batch_size
        return max(1, draws) * stage.objective.iterations
    return max(1, math.ceil(rows * optimizer.epochs / optimizer.batch_size))


def completions_of(stage: GrpoStage, steps: int) -> int:
    """Completions drawn: a group for each prompt of a step, used `iterations` times."""
    batches = math.ceil(steps / stage.objective.iterations)
    return batches * stage.optimizer.batch_size * stage.rollouts.group


def effort(stage: Stage, active: float, rows: int, lengths: Lengths) -> tuple[EffortPart, ...]:
    """The parts of the work, for a model of `active` parameters a token."""
    steps = steps_of(stage, rows)
    if isinstance(stage, GrpoStage):
        return tuple(_grpo(stage, active, steps, lengths))
    tokens = steps * stage.optimizer.batch_size * lengths.whole
    return (_part("training", _trained(stage), active, tokens, "training"),)


def _grpo(stage: GrpoStage, active: float, steps: int, lengths: Lengths) -> Iterator[EffortPart]:
    drawn = completions_of(stage, steps) * lengths.whole
    keeps = stage.rollouts.engine == "vllm"  # what it has read of a dialogue
    read = drawn if keeps else completions_of(stage, steps) * lengths.anew
    yield _part("rollouts", 2, active, read, "rollouts")
    if stage.objective.kl > 0 and stage.objective.form == "trl":
        yield _part("reference", 2, active, drawn, "training")
    if stage.objective.iterations > 1:
        yield _part("old policy", 2, active, drawn, "training")
    trained = steps * stage.optimizer.batch_size * stage.rollouts.group * lengths.whole
    yield _part("training", _trained(stage), active, trained, "training")
    if (budget := stage.rewards.length) is not None:
        measured = budget.rows * budget.samples * lengths.whole
        yield _part("reference lengths", 2, active, measured, "rollouts")


def teaching(active: float, samples: int, lengths: Lengths) -> EffortPart:
    """A teacher that runs on these devices."""
    return _part("teacher", 2, active, samples * lengths.whole, "rollouts")


def _trained(stage: Stage) -> int:
    """Passes of a trained token: adapters need no gradient of the frozen weights, and checkpointing
    goes forward twice."""
    lora = None if isinstance(stage, PretrainStage) else stage.lora
    return (6 if lora is None else 4) + 2 * stage.precision.gradient_checkpointing


def _part(
    name: str,
    factor: int,
    active: float,
    tokens: float,
    phase: Literal["training", "rollouts"],
) -> EffortPart:
    formula = f"{factor} N T, N = {short(active)}, T = {short(tokens)} tokens"
    return EffortPart(name, factor * active * tokens, formula, phase)

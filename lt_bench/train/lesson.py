"""What a model is to learn by heart: rows of token ids, in an order that a seed fixes."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lt_bench.config import digest
from lt_bench.errors import UsageError
from lt_bench.train.recipe import Lora, Optimizer, Precision
from lt_bench.train.targets import Row


@dataclass(frozen=True)
class Lesson:
    """What is learnt and how. `aux_loss` is λ_aux, for mixtures of experts alone. `label` names what is
    learnt from (its hash), so that no other training goes on from these checkpoints."""

    rows: Sequence[Row]
    label: str
    optimizer: Optimizer
    precision: Precision
    seed: int
    aux_loss: float
    checkpoints: Path
    log: Path
    lora: Lora | None = None

    @property
    def training(self) -> str:
        """Changes when the weights after a step may be others."""
        optimizer = self.optimizer.model_dump(mode="json", exclude={"micro_batch", "save_steps"})
        lora = self.lora.model_dump(mode="json") if self.lora else None
        return digest([self.label, optimizer, self.seed, self.aux_loss, lora])

    @property
    def steps(self) -> int:
        if self.optimizer.steps is not None:
            return self.optimizer.steps
        return math.ceil(self._seen / self.optimizer.batch_size)

    @property
    def _seen(self) -> int:
        """Rows that are learnt from, again in each epoch."""
        if self.optimizer.steps is not None:
            return self.optimizer.steps * self.optimizer.batch_size
        return math.ceil(len(self.rows) * self.optimizer.epochs)

    @property
    def order(self) -> list[int]:
        """The rows in the order in which they are learnt: every epoch in one of its own."""
        order = list[int]()
        while len(order) < self._seen:
            epoch = list(range(len(self.rows)))
            random.Random(f"{self.seed}|{len(order) // len(self.rows)}").shuffle(epoch)
            order += epoch
        return order[: self._seen]


@dataclass(frozen=True)
class Learnt:
    """`loss` is that of the last logged steps, λ_aux · auxiliary loss included; `target_tokens` have
    a loss, counted once for each time they were learnt."""

    steps: int
    loss: float | None
    aux_loss: float | None
    target_tokens: int


def shares(optimizer: Optimizer, devices: int) -> tuple[int, int]:
    """Rows of one pass on one device, and passes of a step.

    Raises:
        UsageError: the batch cannot be divided so.
    """
    each = optimizer.micro_batch or max(1, optimizer.batch_size // devices)
    if optimizer.batch_size % (each * devices):
        raise UsageError(
            f"a batch of {optimizer.batch_size} rows cannot be divided into passes of {each} rows on "
            f"{devices} devices",
            f"make optimizer.batch_size a multiple of {each * devices}, or set micro_batch",
        )
    return each, optimizer.batch_size // (each * devices)

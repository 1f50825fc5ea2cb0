"""Rows on their way through a decoder: what was asked, what has been said, how it ended."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lt_bench.backends.transformers.form import Form
from lt_bench.errors import RowError


@dataclass(frozen=True)
class Draw:
    """How a token is drawn from the logits; `temperature` 0 takes the best one."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0


@dataclass(frozen=True)
class Decoded:
    """The tokens of one answer, its end token included, and the clock (`time.perf_counter`,
    seconds) at which each was known."""

    ids: tuple[int, ...]
    times: tuple[float, ...]
    finish_reason: Literal["stop", "length"]


Outcome = Decoded | RowError
"""How a row ends, unless it is cancelled."""


@dataclass(frozen=True)
class Row:
    """One prompt and when its answer ends.

    `seed` fixes this row's draws, whatever its batch mates are. `done` is asked after every
    token with all tokens so far; `cancelled` is asked between tokens; `finished` gets the outcome
    as soon as the row ends, while the others go on. `form` makes what holds the answer to a schema.
    """

    ids: tuple[int, ...]
    max_new_tokens: int
    seed: int = 0
    done: Callable[[Sequence[int]], bool] | None = None
    cancelled: Callable[[], bool] | None = None
    finished: Callable[[Outcome], None] | None = None
    form: Callable[[], Form] | None = None


More = Callable[[int], Sequence[Row]]
"""At most so many further rows that wait to be decoded."""


@dataclass(eq=False)
class Live:
    """A row on its way."""

    row: Row
    draws: random.Random
    ids: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    end: Literal["stop", "length", "cancelled", "failed"] | None = None
    failure: RowError | None = None
    form: Form | None = None
    _point: float | None = None

    @property
    def point(self) -> float:
        """Where in [0, 1) the next token is drawn: the same until the token is taken, so that a draw
        that memory did not suffice for is repeated and not redone."""
        if self._point is None:
            self._point = self.draws.random()
        return self._point

    @property
    def length(self) -> int:
        """Tokens of the prompt and of the answer so far."""
        return len(self.row.ids) + len(self.ids)

    @property
    def text(self) -> tuple[int, ...]:
        """The tokens of the prompt and of the answer so far."""
        return (*self.row.ids, *self.ids)

    def take(self, token: int, now: float, eos_ids: Collection[int]) -> None:
        """One more token of the answer."""
        self._point = None
        self.ids.append(token)
        self.times.append(now)
        complete = self.form is not None and self.form.take(token)
        asked = self.row.done is not None and self.row.done(self.ids)
        if token in eos_ids or complete or asked:
            self.end = "stop"
        elif len(self.ids) >= self.row.max_new_tokens:
            self.end = "length"
        elif self.row.cancelled is not None and self.row.cancelled():
            self.end = "cancelled"
        self._tell()

    def fail(self, failure: RowError) -> None:
        """The row ends without an answer; the others go on."""
        self.end, self.failure = "failed", failure
        self._tell()

    def is_cancelled(self) -> bool:
        """Asks, and remembers a yes."""
        if self.end is None and self.row.cancelled is not None and self.row.cancelled():
            self.end = "cancelled"
        return self.end == "cancelled"

    def outcome(self) -> Outcome | None:
        """None while the row is on its way, and when it was cancelled."""
        if self.end == "stop" or self.end == "length":
            return Decoded(tuple(self.ids), tuple(self.times), self.end)
        return self.failure

    def _tell(self) -> None:
        if self.row.finished is not None and (outcome := self.outcome()) is not None:
            self.row.finished(outcome)


def start(row: Row) -> Live:
    """A row before its first token."""
    return Live(row, random.Random(row.seed), form=row.form() if row.form is not None else None)


def does_not_fit(length: int) -> RowError:
    """The outcome of a row of `length` tokens that is too much for the memory even alone."""
    return RowError(
        "out_of_memory", f"a row of {length} tokens does not fit into memory, even alone"
    )


def not_numbers() -> RowError:
    """The outcome of a row whose logits overflowed."""
    return RowError("model", "the logits are not numbers: try backend.dtype=float32")


def no_form(cause: str) -> RowError:
    """The outcome of a row whose form allows no token any more."""
    return RowError("model", f"the answer cannot be held to its schema: {cause}")

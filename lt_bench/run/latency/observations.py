"""What was seen of one request, and the times that a user felt.

Every time counts from the intended arrival: a request that could not be sent when it was due has
waited already. Counting from the sending would leave out what a stall did to the others
(coordinated omission, as G. Tene named it).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final, get_args

from lt_bench.backends import Request
from lt_bench.records import Example, Failure, Fate, Felt, Generation
from lt_bench.run.latency.clock import DIGITS

NEVER: Final = math.inf
"""A time of something that did not happen: the request failed, or nothing was said."""
FELT: Final[tuple[Felt, ...]] = get_args(Felt)

Time = float | None
"""Seconds, `NEVER`, or None where nobody can tell."""


@dataclass(frozen=True)
class Planned:
    """One request before it is sent; `at` is its intended arrival, in seconds since the window
    began."""

    index: int
    at: float
    warmup: bool
    example: Example
    request: Request


@dataclass(frozen=True)
class Observation:
    """One request when it is over. `sent` and `ended` are on the same clock as `planned.at`; `sent`
    is None for one that was dropped. A reply that came has a `generation`."""

    planned: Planned
    status: Fate
    sent: float | None
    ended: float | None
    generation: Generation | None = None
    failure: Failure | None = None

    @property
    def counts(self) -> bool:
        """Whether it says anything of the server."""
        return self.status != "cancelled"

    @property
    def spoke(self) -> bool:
        """Whether anything came that a user hears, or a service acts on."""
        if self.generation is None:
            return False
        return bool(self.generation.reply.strip() or self.generation.turns[-1].tool_calls)

    @cached_property
    def times(self) -> dict[Felt, Time]:
        """All of them, to the nanosecond: what lies below is the noise of adding floats."""
        told = self._times().items()
        return {what: time if time is None else round(time, DIGITS) for what, time in told}

    def _times(self) -> dict[Felt, Time]:
        found: dict[Felt, Time] = dict.fromkeys(FELT, NEVER)
        # A request without an answer has no queue and no tokens to tell of; all else never came.
        untold: dict[Felt, Time] = {"queueing": None, "per_token": None}
        if self.sent is None:
            return found | untold
        lag = max(0.0, self.sent - self.planned.at)
        found["lag"] = lag
        if self.generation is None or self.ended is None:
            return found | untold
        turn = self.generation.turns[-1]
        timed = turn.timings
        # A backend that does not time itself: then the answer's return is the end of it.
        seconds = timed.total or max(0.0, self.ended - self.sent)
        said = bool(turn.reply or turn.reasoning or turn.tool_calls)
        found["queueing"] = None if timed.queued is None else lag + timed.queued
        found["total"] = lag + seconds
        found["first_token"] = _came(lag, timed.first_token, said)
        found["first_spoken"] = _came(lag, timed.first_reply_token, self.spoke)
        found["per_token"] = _per_token(seconds, timed.first_token, self._output)
        return found

    @property
    def _output(self) -> int | None:
        """Output tokens as engine or provider counted them, never as the text would be cut."""
        usage = self.generation.usage if self.generation else None
        return usage.output if usage else None


def _came(lag: float, after: float | None, happened: bool) -> Time:
    """A moment after the sending, from the intended arrival; untold moments of what happened are
    unknown, those of what did not are never."""
    if after is not None:
        return lag + after
    return None if happened else NEVER


def _per_token(seconds: float, first: float | None, output: int | None) -> Time:
    """Seconds a token, the first left out: it waits for the prompt, the others do not."""
    if first is None or output is None or output < 2:
        return None
    return max(0.0, seconds - first) / (output - 1)

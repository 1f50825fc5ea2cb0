"""Bounded retries: which faults of a server are worth another try, and how long to wait for it.

Waits grow exponentially with full jitter (Brooker, "Exponential Backoff And Jitter", AWS 2015);
a server's own Retry-After (RFC 9110, 10.2.3) comes first and is never undercut.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final, Protocol, TypeVar

from lt_bench.errors import FailureKind, RowError

T = TypeVar("T")


class Uniform(Protocol):
    """What a pause is drawn with: `random.Random`, or `Draws`."""

    def uniform(self, a: float, b: float, /) -> float: ...


class Draws:
    """A generator that is seeded when something is first drawn: most requests never are retried."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._rng: random.Random | None = None

    def uniform(self, a: float, b: float, /) -> float:
        self._rng = self._rng or random.Random(self._seed)
        return self._rng.uniform(a, b)


RETRIED: frozenset[FailureKind] = frozenset(
    {"connection", "timeout", "rate_limited", "server", "malformed", "empty"}
)
"""Faults that may be gone the next time. A request that was refused for what it says is not."""

NO_LOAD: frozenset[FailureKind] = frozenset({"connection", "malformed", "empty"})
"""Faults of one answer, which another try mends as well now as later."""

SHORTEST: Final = 0.1
"""Seconds over which those who were told to come back at once are spread."""


class Fault(Exception):
    """One attempt failed. `wait`: seconds the server asked for before the next one. `passing`: the
    server answered others in the meantime, so that it is neither down nor overloaded. `no_room`: the
    prompt is longer than the model's context."""

    def __init__(
        self, kind: FailureKind, cause: str, wait: float | None = None, *, no_room: bool = False
    ) -> None:
        super().__init__(cause)
        self.kind: FailureKind = kind
        self.cause = cause
        self.wait = wait
        self.passing = False
        self.no_room = no_room


@dataclass(frozen=True)
class Retries:
    """At most `max_attempts` tries. The nth pause is drawn from [0, base · growthⁿ⁻¹], in seconds and
    at most `ceiling`. After a fault that is no sign of load it is the one before, and faults of a
    server that goes on answering others are not counted in n; a server that asks for more than
    `max_wait` ends the row instead."""

    max_attempts: int = 6
    base: float = 1.0
    growth: float = 2.0
    ceiling: float = 30.0
    max_wait: float = 120.0
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep

    def pause(self, failures: int, wait: float | None, rng: Uniform) -> float:
        """Seconds to wait after the `failures`th failure. On top of a server's own figure comes
        as much again, a second and a `base` at most, so that those who were told the same do not
        return together."""
        if wait is not None:
            return wait + rng.uniform(0.0, min(self.base, 1.0, max(wait, SHORTEST)))
        return rng.uniform(0.0, min(self.ceiling, self.base * self.growth ** min(failures - 1, 60)))

    async def run(self, attempt: Callable[[], Awaitable[T]], rng: Uniform) -> tuple[T, int]:
        """What `attempt` gives in the end, and how many attempts that took.

        Raises:
            RowError: a fault that no retry mends, or the last attempt's; `attempts` is set.
        """
        failures = 0
        for number in range(1, self.max_attempts + 1):
            try:
                return await attempt(), number
            except Fault as fault:
                self._give_up(fault, number)
                failures += not fault.passing
                pause = self.pause(failures - (fault.kind in NO_LOAD), fault.wait, rng)
            await self.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _give_up(self, fault: Fault, number: int) -> None:
        if fault.kind not in RETRIED or number >= self.max_attempts:
            raise RowError(fault.kind, fault.cause, number, no_room=fault.no_room) from fault
        if fault.wait is not None and fault.wait > self.max_wait:
            cause = (
                f"{fault.cause}; the server asks to wait {fault.wait:.0f} s, more than "
                f"backend.max_wait={self.max_wait:g}"
            )
            raise RowError(fault.kind, cause, number) from fault


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that a response asks to wait: `retry-after-ms`, or Retry-After as seconds or as an
    HTTP date. None when it says nothing that can be understood; a time gone by is 0."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000.0
    value = headers.get("Retry-After", "").strip()
    seconds = _number(value)
    if seconds is not None or not value:
        return seconds
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - (now or datetime.now(UTC))).total_seconds())


def _number(text: str | None) -> float | None:
    """A number of seconds that can be waited: finite, not negative."""
    try:
        value = float(text) if text else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0.0 else None

"""When requests arrive. Times are drawn before the first one is sent, so that no server, however
slow, can hold back the next (Schroeder, Wierman and Harchol-Balter, "Open Versus Closed", 2006)."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from lt_bench.errors import UsageError, did_you_mean
from lt_bench.run.latency.clock import DIGITS
from lt_bench.run.latency.trace import arrivals

MOST_REQUESTS: Final = 1_000_000
DEFAULT_REQUESTS: Final = 100
LONGEST: Final = 30 * 86_400.0
"""Seconds of arrivals. Of a longer window somebody mistook the unit, and the virtual clock would be
no longer exact."""
_KINDS: Final[tuple[Literal["poisson", "constant"], ...]] = ("poisson", "constant")


@dataclass(frozen=True)
class Size:
    """How long a window is: so many requests, or so many seconds of arrivals after the warm-up of
    `warmup` requests. Neither: all of a trace, else `DEFAULT_REQUESTS`."""

    requests: int | None = None
    duration: float | None = None
    warmup: int = 10

    def __post_init__(self) -> None:
        if self.requests is not None and self.duration is not None:
            raise UsageError("--requests and --duration both say how long", "give one of them")
        if self.requests is not None and self.requests < 1:
            raise UsageError(f"--requests {self.requests} sends nothing", "give at least 1")
        if self.duration is not None and not 0 < self.duration < math.inf:
            raise UsageError(f"--duration {self.duration:g} is no time", "give seconds, above 0")
        if self.warmup < 0:
            raise UsageError(f"--warmup {self.warmup} is no number of requests", "give 0 or more")


@dataclass(frozen=True)
class Schedule:
    """Arrivals of one window: seconds after its start, ascending, the first `warmup` of them left out
    of every figure. `rate` is what was asked for, requests a second."""

    rate: float
    times: tuple[float, ...]
    warmup: int


@dataclass(frozen=True)
class Arrivals:
    """The process that requests arrive by. `trace` holds the times of a file, else nothing."""

    kind: Literal["poisson", "constant", "trace"]
    trace: tuple[float, ...] = ()
    source: str = ""

    @property
    def name(self) -> str:
        """As a user writes it."""
        return f"trace:{self.source}" if self.kind == "trace" else self.kind

    @property
    def own_rate(self) -> float | None:
        """Requests a second of a trace as it was recorded; None where its times are one moment."""
        if len(self.trace) < 2 or not self.trace[-1]:
            return None
        rate = (len(self.trace) - 1) / self.trace[-1]
        return rate if rate < math.inf else None

    def schedule(self, rate: float, size: Size, seed: int) -> Schedule:
        """The arrivals of one window at `rate` requests a second. One seed has the same gaps at every
        rate, longer or shorter; a trace is stretched to the rate.

        Raises:
            UsageError: no rate, too many requests, a window of more than `LONGEST`, or a trace too
                short for it.
        """
        if not 0 < rate < math.inf:
            raise UsageError(f"rate {rate:g} is not above 0", "give requests a second, e.g. 2,4,8")
        times = self._measured(self._times(rate, seed), size)
        if len(times) <= size.warmup:
            raise UsageError(
                f"{len(times)} arrivals and {size.warmup} of them warm-up leave none to measure",
                "give a longer window, a longer trace or a smaller --warmup",
            )
        if times[-1] > LONGEST:
            raise UsageError(
                f"at {rate:.4g}/s {len(times):,} requests arrive over {times[-1] / 86_400:.3g} days",
                "give a higher --rate or fewer --requests; a window may last 30 days",
            )
        return Schedule(rate, tuple(round(at, DIGITS) for at in times), size.warmup)

    def _times(self, rate: float, seed: int) -> Iterator[float]:
        """Arrivals without an end, but for those of a trace."""
        if self.kind == "trace":
            stretch = (self.own_rate or rate) / rate
            return (at * stretch for at in self.trace)
        if self.kind == "constant":
            return (number / rate for number in itertools.count())
        rng = random.Random(f"arrivals|{seed}")
        gaps = (rng.expovariate(1.0) / rate for _ in itertools.count())
        return itertools.accumulate(gaps)

    def _measured(self, times: Iterator[float], size: Size) -> list[float]:
        """Warm-up and window."""
        if size.duration is not None:
            return self._within(times, size)
        count = size.requests
        if count is None:
            count = len(self.trace) - size.warmup if self.kind == "trace" else DEFAULT_REQUESTS
        _check_count(count + size.warmup)
        found = list(itertools.islice(times, max(0, count) + size.warmup))
        if size.requests is not None and len(found) < count + size.warmup:
            raise UsageError(
                f"{self.source} holds {len(found)} arrivals, {count} requests and {size.warmup} "
                "for warming up are asked for",
                "ask for fewer, or leave --requests out",
            )
        return found

    def _within(self, times: Iterator[float], size: Size) -> list[float]:
        assert size.duration is not None
        found = list(itertools.islice(times, size.warmup))
        end = (found[-1] if found else 0.0) + size.duration
        for at in times:
            if at > end:
                break
            found.append(at)
            _check_count(len(found))
        return found


def parse_arrivals(text: str) -> Arrivals:
    """`poisson`, `constant` or `trace:FILE`.

    Raises:
        UsageError: something else, or a file that holds no times.
    """
    kind, colon, name = text.partition(":")
    if kind == "trace" and colon:
        return Arrivals("trace", tuple(arrivals(Path(name).expanduser())), name)
    for known_kind in _KINDS:
        if text == known_kind:
            return Arrivals(known_kind)
    known = (*_KINDS, "trace:FILE")
    raise UsageError(
        f"--arrivals {text!r} is no arrival process.{did_you_mean(text, known)}",
        f"known: {', '.join(known)}",
    )


def parse_rates(text: str | None, arrivals: Arrivals) -> tuple[float, ...]:
    """Rates such as `2,4,8`, ascending and without repeats; those of a trace by default its own.

    Raises:
        UsageError: none, or one that is no rate.
    """
    if text is None:
        if arrivals.own_rate is None:
            raise UsageError("no --rate", "give requests a second: --rate 2, or --rate 1,2,4,8")
        return (arrivals.own_rate,)
    try:
        rates = sorted({float(part) for part in text.split(",")})
    except ValueError as error:
        raise UsageError(f"--rate {text!r} is no list of numbers", "e.g. --rate 1,2,4") from error
    if not all(0 < rate < math.inf for rate in rates):
        raise UsageError(f"--rate {text!r}: a rate is above 0", "e.g. --rate 1,2,4")
    return tuple(rates)


def _check_count(count: int) -> None:
    if count > MOST_REQUESTS:
        raise UsageError(
            f"a window of more than {MOST_REQUESTS:,} requests", "ask for fewer, or a shorter one"
        )

"""Delays that are given, not measured: a constant, a distribution, or the values of a file."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from lt_bench.errors import UsageError, did_you_mean
from lt_bench.run.latency.trace import numbers, shown

LONGEST: Final = 86_400.0
"""Seconds; a delay of more than a day is a mistake in the unit."""
_CALL = re.compile(r"\s*([A-Za-z]+)\s*\(([^()]*)\)\s*")
_FORMS = "0.05, normal(mean, sd), lognormal(median, sigma), uniform(low, high), exponential(mean)"


class Duration(Protocol):
    """One kind of delay, in seconds, never negative."""

    def draw(self, rng: random.Random) -> float: ...


@dataclass(frozen=True)
class Drawn:
    """A delay by its formula; draws below 0 are 0."""

    formula: Callable[[random.Random], float]

    def draw(self, rng: random.Random) -> float:
        return min(max(0.0, self.formula(rng)), LONGEST)


@dataclass(frozen=True)
class Observed:
    """A delay as it was measured elsewhere: each draw is one of the values."""

    values: tuple[float, ...]

    def draw(self, rng: random.Random) -> float:
        return self.values[rng.randrange(len(self.values))]


def _constant(seconds: float) -> Drawn:
    return Drawn(lambda _: seconds)


def _normal(mean: float, deviation: float) -> Drawn:
    return Drawn(lambda rng: rng.gauss(mean, deviation))


def _lognormal(median: float, sigma: float) -> Drawn:
    if median == 0:
        return _constant(0.0)
    return Drawn(lambda rng: math.exp(min(rng.gauss(math.log(median), sigma), 700.0)))


def _uniform(low: float, high: float) -> Drawn:
    if high < low:
        raise ValueError("the second is below the first")
    return Drawn(lambda rng: rng.uniform(low, high))


def _exponential(mean: float) -> Drawn:
    return Drawn(lambda rng: rng.expovariate(1.0 / mean) if mean else 0.0)


_MADE: Final[dict[str, tuple[int, Callable[..., Drawn]]]] = {
    "constant": (1, _constant),
    "normal": (2, _normal),
    "lognormal": (2, _lognormal),
    "uniform": (2, _uniform),
    "exponential": (1, _exponential),
}
"""Name -> how many figures it takes, and the delay that they make."""


def duration(text: str, where: str, folder: Path | None = None) -> Duration:
    """The delay that a user wrote: `0.05`, `lognormal(0.05, 0.4)` or `trace:FILE`. Seconds; of a
    lognormal the first figure is the median, the second the deviation of the logarithm.

    folder: where a relative FILE is looked for.

    Raises:
        UsageError: it is none of these, or a figure cannot be.
    """
    kind, colon, name = text.partition(":")
    if colon and kind.strip() == "trace":
        path = (folder or Path()) / Path(name.strip()).expanduser()
        return Observed(tuple(_checked(value, f"{path}") for value in numbers(path)))
    call = _CALL.fullmatch(text)
    if call is None:
        return _constant(_checked(_figure(text, where), where))
    name = call[1].lower()
    if name not in _MADE:
        raise UsageError(
            f"{where}: no distribution {shown(name)}.{did_you_mean(name, _MADE)}", f"write {_FORMS}"
        )
    count, make = _MADE[name]
    figures = [_checked(_figure(part, where), where) for part in call[2].split(",")]
    if len(figures) != count:
        raise UsageError(f"{where}: {name} takes {count} figures: {shown(text)}", f"write {_FORMS}")
    try:
        return make(*figures)
    except ValueError as error:
        raise UsageError(f"{where}: {shown(text)}: {error}", f"write {_FORMS}") from error


def _figure(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise UsageError(
            f"{where}: {shown(text.strip())} is no delay in seconds",
            f"write {_FORMS}, or trace:FILE",
        ) from error


def _checked(value: float, where: str) -> float:
    if not 0.0 <= value <= LONGEST:
        raise UsageError(
            f"{where}: {value:g} is no delay: 0 to {LONGEST:g} seconds", "give seconds"
        )
    return value

"""Whether a server kept up: what it finished against what arrived, and whether waiting grew.

A rate at which most requests failed for reasons of their own tells nothing. Else there are two
signs. *Behind*: over a window as long as that of the arrivals, but later by what an early request
took, fewer were answered than arrived, by more than chance. *Growing*: the time to answer rises over
the window; judged on the medians of stretches of requests, since neighbours in a queue resemble each
other, and only where the rise is large beside what the first ones took.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from lt_bench.errors import FailureKind
from lt_bench.records import Saturation
from lt_bench.run.latency.observations import NEVER, Observation

FEWEST: Final = 20
"""Requests below which nothing is said."""
STRETCHES: Final = 10
"""Parts of a window whose medians show a trend."""
ALPHA: Final = 0.01
"""One-sided level of the slope test."""
GROWTH: Final = 0.5
"""A rise counts from this share of what the first requests took."""
OVERLOADED: Final[frozenset[FailureKind]] = frozenset(("rate_limited", "timeout"))
"""Failures that say "too much", so that they are no answers. Others end a request as an answer does:
a faulty server is not a slow one."""


@dataclass(frozen=True)
class Trend:
    """Seconds by which a time grew over a window, and how likely that is where nothing grows."""

    growth: float
    start: float
    p_value: float

    @property
    def rising(self) -> bool:
        """Beyond chance, and enough to be felt."""
        return self.p_value < ALPHA and self.growth > GROWTH * self.start


def saturation(rate: float, seen: Sequence[Observation]) -> Saturation:
    """The verdict on one window; `seen` are its measured requests."""
    arrived = sorted((one for one in seen if one.counts), key=lambda one: one.planned.at)
    if len(arrived) < FEWEST:
        return Saturation(saturated=None, sentence=f"too few requests to tell ({len(arrived)})")
    trend = _trend(arrived)
    signs = [*_dropped(arrived), *_behind(arrived)]
    if trend and trend.rising:
        signs.append(
            f"the time to answer grew by {trend.growth:.3g} s over the window, "
            f"from {trend.start:.3g} s"
        )
    failed = sum(one.generation is None for one in arrived)
    if not signs and 2 * failed > len(arrived):
        sentence = f"{failed} of {len(arrived)} requests failed: too few answers to tell"
        return Saturation(saturated=None, sentence=sentence)
    where = f"{rate:.4g}/s"
    return Saturation(
        saturated=bool(signs),
        sentence=f"saturated at {where}: {'; '.join(signs)}" if signs else f"kept up with {where}",
        growth=trend.growth if trend else None,
        p_value=trend.p_value if trend else None,
    )


def _dropped(arrived: Sequence[Observation]) -> list[str]:
    count = sum(one.status == "dropped" for one in arrived)
    return [f"{count} requests were dropped, too many were outstanding"] if count else []


def _behind(arrived: Sequence[Observation]) -> list[str]:
    """Whether fewer were answered than arrived, beyond the noise of counting."""
    last, early = arrived[-1].planned.at, arrived[: max(5, len(arrived) // 5)]
    took = [one.ended - one.planned.at for one in early if _handled(one) and one.ended is not None]
    if not took:
        return ["the first requests were not answered"]
    # The slowest of the early ones: with a shorter wait, a steady server would seem behind
    # wherever a window is short beside what a request takes.
    end = last + max(took)
    done = sum(_handled(one) and one.ended is not None and one.ended <= end for one in arrived)
    if len(arrived) - done <= 3.0 + 2.0 * math.sqrt(len(arrived)):
        return []
    return [f"{done} of {len(arrived)} requests were answered while they arrived"]


def _handled(one: Observation) -> bool:
    """Answered, or failed for a reason of its own."""
    if one.failure is not None:
        return one.failure.kind not in OVERLOADED
    return one.generation is not None


def _total(one: Observation) -> float:
    total = one.times["total"]
    return NEVER if total is None else total


def _trend(arrived: Sequence[Observation]) -> Trend | None:
    """A straight line through the medians of equal stretches (Student t on its slope); None where
    too few were answered."""
    points = [(one.planned.at, _total(one)) for one in arrived if _total(one) != NEVER]
    size = len(points) // STRETCHES
    if size < 1:
        return None
    cut = [points[place * size : (place + 1) * size] for place in range(STRETCHES)]
    moments = [math.fsum(at for at, _ in part) / size for part in cut]
    medians = [median(time for _, time in part) for part in cut]
    return _line(moments, medians, points[-1][0] - points[0][0])


def _line(moments: Sequence[float], values: Sequence[float], window: float) -> Trend | None:
    from scipy.special import stdtr

    count = len(moments)
    middle, mean = math.fsum(moments) / count, math.fsum(values) / count
    spread = math.fsum((at - middle) ** 2 for at in moments)
    if not spread:
        return None
    slope = math.fsum((at - middle) * v for at, v in zip(moments, values, strict=True)) / spread
    rest = math.fsum(
        (value - mean - slope * (at - middle)) ** 2
        for at, value in zip(moments, values, strict=True)
    )
    error = math.sqrt(rest / (count - 2) / spread)
    p_value = float(stdtr(count - 2, -slope / error)) if error else float(slope <= 0)
    return Trend(slope * window, median(values[:2]), p_value)

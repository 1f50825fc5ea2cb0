"""Quality against cost: which candidates no other beats in one without losing in the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lt_bench.board.model import Better


@dataclass(frozen=True)
class Front:
    """Names on the front, cheapest first, and those that are beaten."""

    front: tuple[str, ...]
    beaten: tuple[str, ...]


def front(
    quality: Mapping[str, float],
    cost: Mapping[str, float],
    quality_better: Better = "higher",
    cost_better: Better = "lower",
) -> Front:
    """Of the names that have both figures. One is beaten by another that is at least as good in both
    and better in one; equal ones stand on the front together."""
    q_sign = 1.0 if quality_better == "higher" else -1.0
    c_sign = 1.0 if cost_better == "lower" else -1.0
    points = {
        name: (c_sign * cost[name], -q_sign * value)
        for name, value in quality.items()
        if name in cost
    }
    on: list[str] = []
    off: list[str] = []
    best, best_point = float("inf"), (float("inf"), float("inf"))
    for name in sorted(points, key=lambda name: points[name]):
        point = points[name]
        if point[1] < best or point == best_point:
            best, best_point = point[1], point
            on.append(name)
        else:
            off.append(name)
    return Front(tuple(on), tuple(name for name in quality if name in off))

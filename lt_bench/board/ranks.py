"""Places: by value, and the set of places that the tests leave open.

Of p candidates, j may truly stand anywhere from 1 + those that are significantly better than it to
p - those that are significantly worse. With pairs adjusted so that one false finding among all of them is
as rare as 5 %, all sets hold at once with 95 % (Mogstad, Romano, Shaikh and Wilhelm, Rev. Econ. Stud. 91,
2024, section 3). Equal candidates count as holding all of the places they share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from lt_bench.board.model import Better, Ranks
from lt_bench.board.pairwise import Contrast

SAME: Final = 1e-12
"""Relative difference below which two values are one with rounding."""


def order(values: Mapping[str, float], better: Better) -> list[str]:
    """Names from the best to the worst; equal ones as they came."""
    sign = -1.0 if better == "higher" else 1.0
    return sorted(values, key=lambda name: sign * values[name])


def places(values: Mapping[str, float], better: Better) -> dict[str, int]:
    """Name -> place from 1; equal values share the first of theirs."""
    found: dict[str, int] = {}
    before: str | None = None
    for number, name in enumerate(order(values, better), 1):
        tied = before is not None and _same(values[name], values[before])
        found[name] = found[before] if tied and before is not None else number
        before = name
    return found


def rank_sets(count: int, contrasts: Sequence[Contrast], better: Better) -> list[Ranks]:
    """The set of each of `count` candidates, by their places in the contrasts."""
    above, below = [0] * count, [0] * count
    for one in contrasts:
        if one.separated:
            best, worst = winner(one, better)
            below[best] += 1
            above[worst] += 1
    return [Ranks(low=1 + above[i], high=count - below[i]) for i in range(count)]


def winner(one: Contrast, better: Better) -> tuple[int, int]:
    """The better and the worse of the two."""
    first = one.difference > 0 if better == "higher" else one.difference < 0
    return (one.first, one.second) if first else (one.second, one.first)


def ties(ordered: Sequence[int], contrasts: Sequence[Contrast]) -> dict[int, int]:
    """Candidates in order of value -> number of their tie group, from 1: next to each other and not
    separated means the same group."""
    separated = {frozenset((one.first, one.second)) for one in contrasts if one.separated}
    found: dict[int, int] = {}
    group = 0
    for number, place in enumerate(ordered):
        if number == 0 or frozenset((ordered[number - 1], place)) in separated:
            group += 1
        found[place] = group
    return found


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(abs(one), abs(other), 1e-300)

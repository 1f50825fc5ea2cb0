"""Length distributions as small areas, all on one axis."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from lt_bench.board.model import Board, Entry, Lengths
from lt_bench.board.site import figures

WIDTH, HEIGHT = 300.0, 34.0


@dataclass(frozen=True)
class Area:
    """One distribution: an SVG path in a box of WIDTH by HEIGHT, and where its median is on it."""

    entry: Entry
    path: str
    middle: str
    median: str
    p95: str
    samples: int
    sort: tuple[str, str]


@dataclass(frozen=True)
class Areas:
    """All distributions, and what stands at the ends of their axis."""

    areas: tuple[Area, ...]
    low: str
    high: str

    @cached_property
    def by_entry(self) -> dict[str, Area]:
        """Id of an entry -> its distribution."""
        return {area.entry.id: area for area in self.areas}


def areas(board: Board) -> Areas:
    """An area for each entry whose output was counted. The highest bin of each fills its box: what is
    compared is where an entry's answers lie, not how many it has."""
    found = [lengths for lengths in board.lengths if lengths.counts]
    if not found:
        return Areas((), "", "")
    low = min(one.edges[0] for one in found)
    high = max(one.edges[-1] for one in found)
    drawn = tuple(_area(board.by_id[one.entry], one, low, high) for one in found)
    return Areas(drawn, f"{low:.0f}", f"{high:.0f}")


def _area(entry: Entry, one: Lengths, low: float, high: float) -> Area:
    span = (high - low) or 1.0

    def across(tokens: float) -> float:
        return (tokens - low) / span * WIDTH

    return Area(
        entry=entry,
        path=_path(
            zip(map(across, one.edges), map(across, one.edges[1:]), one.counts, strict=False)
        ),
        middle=f"{across(one.median):.1f}",
        median=figures.number(one.median, "tokens"),
        p95=figures.number(one.p95, "tokens"),
        samples=sum(one.counts),
        sort=(repr(one.median), repr(one.p95)),
    )


def _path(bins: Iterable[tuple[float, float, int]]) -> str:
    """Steps from bin to bin, closed along the axis."""
    bins = list(bins)
    highest = max(count for *_, count in bins) or 1
    steps = [f"M{bins[0][0]:.1f} {HEIGHT:.1f}"]
    for _, end, count in bins:
        steps.append(f"V{HEIGHT - count / highest * (HEIGHT - 2):.1f}H{end:.1f}")
    return "".join(steps) + f"V{HEIGHT:.1f}Z"

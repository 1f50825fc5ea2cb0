"""Steady or swayed: what an interval says, and what a probe says in all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lt_bench.records import BiasFigure, Estimate, Sway

MARGIN: Final = 0.10
"""A judge is steady where the whole interval stays within ten points."""
FLOOR: Final = 0.02
"""A share that should be 0 sways a judge where the whole interval lies above two per cent."""
BLIND: Final = 0.50
"""A judge reads where surely less than half of its yes outlive the loss of all documents."""


def of_difference(estimate: Estimate, margin: float = MARGIN, *, upwards: bool = False) -> Sway:
    """Steady within the margin; swayed where 0 is outside and the margin is passed; else unclear.

    upwards: only a gain counts.
    """
    low, high = estimate.low, estimate.high
    if estimate.value is None or low is None or high is None:
        return "unclear"
    if high <= margin and (upwards or low >= -margin):
        return "steady"
    return "sways" if low > 0 or (high < 0 and not upwards) else "unclear"


def of_share(estimate: Estimate, margin: float = MARGIN, floor: float = FLOOR) -> Sway:
    """For a share that should be 0: steady where the whole interval is below the margin, swayed
    where it is above the floor, else unclear."""
    low, high = estimate.low, estimate.high
    if estimate.value is None or low is None or high is None:
        return "unclear"
    if high <= margin:
        return "steady"
    return "sways" if low > floor else "unclear"


def of_figures(figures: Iterable[BiasFigure]) -> Sway:
    """Swayed where one deciding line is, steady where all are."""
    words = [figure.word for figure in figures if figure.word]
    if "sways" in words:
        return "sways"
    return "steady" if words and set(words) == {"steady"} else "unclear"


def points(value: float) -> str:
    """ "12.5 points", "1 point"."""
    text = f"{abs(value) * 100:.1f}".removesuffix(".0")
    return f"{text} point" if text == "1" else f"{text} points"


def percent(value: float) -> str:
    """ "12.5 %"."""
    return f"{value * 100:.1f}".removesuffix(".0") + " %"


def between(estimate: Estimate) -> str:
    """ "[3.1, 21.9]", in points; empty without an interval."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f" [{estimate.low * 100:.1f}, {estimate.high * 100:.1f}]"

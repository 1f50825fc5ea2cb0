"""Figures of a board as text, the same in every form that it takes."""

from __future__ import annotations

from typing import Final

from lt_bench.board.model import Cell, Pair, Ranks
from lt_bench.records import Estimate, Unit

SCALE: Final[dict[Unit, tuple[float, int, str]]] = {
    "share": (100.0, 1, " %"),
    "tokens": (1.0, 1, ""),
    "TFLOP": (1.0, 3, ""),
    "count": (1.0, 2, ""),
    "characters": (1.0, 0, ""),
    "seconds": (1.0, 2, " s"),
    "coefficient": (1.0, 2, ""),
}
"""Unit -> factor, decimals and sign it is shown with."""


def number(value: float, unit: Unit) -> str:
    """ "67.3 %"."""
    factor, decimals, sign = SCALE[unit]
    return f"{value * factor:.{decimals}f}{sign}"


def figure(estimate: Estimate | None) -> str:
    """ "67.3 % [57.1, 76.2]"; a dash where nothing was scored."""
    if estimate is None or estimate.value is None:
        return "–"
    interval = between(estimate.low, estimate.high, estimate.unit)
    return number(estimate.value, estimate.unit) + (f" {interval}" if interval else "")


def between(low: float | None, high: float | None, unit: Unit) -> str:
    """ "[57.1, 76.2]"; empty where there is no interval."""
    if low is None or high is None:
        return ""
    factor, decimals, _ = SCALE[unit]
    return f"[{low * factor:.{decimals}f}, {high * factor:.{decimals}f}]"


def place(cell: Cell) -> str:
    """ "2 (1–4)": the rank by value and the ranks that the tests leave open; empty without a rank."""
    if cell.rank is None:
        return ""
    return f"{cell.rank} ({ranks(cell.ranks)})" if cell.ranks else f"{cell.rank}"


def ranks(found: Ranks) -> str:
    """ "1–4", or "2" where only one is open."""
    return f"{found.low}" if found.low == found.high else f"{found.low}–{found.high}"


def difference(pair: Pair, unit: Unit) -> str:
    """ "+2.5 % [-1.0, 6.1]"."""
    factor, decimals, sign = SCALE[unit]
    value = f"{pair.difference * factor:+.{decimals}f}{sign}"
    interval = between(pair.low, pair.high, unit)
    return f"{value} {interval}" if interval else value


def p_value(value: float) -> str:
    """ "0.034", "< 0.001"; never 0."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"

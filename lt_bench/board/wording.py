"""Figures of a board as text, the same in every form that it takes."""

from __future__ import annotations

from typing import Final

from lt_bench import units
from lt_bench.board.model import Cell, Pair, Ranks
from lt_bench.records import Estimate, Unit

_SIGNED: Final[frozenset[Unit]] = frozenset(("share", "seconds"))
"""Units that stand beside their numbers; the others stand in the heading."""


def number(value: float, unit: Unit) -> str:
    """ "67.3 %"."""
    return units.number(value, unit) + _sign(unit)


def _sign(unit: Unit) -> str:
    return f" {units.SHOWN[unit].sign}" if unit in _SIGNED else ""


def figure(estimate: Estimate | None) -> str:
    """ "67.3 % [57.1, 76.2]"; a dash where nothing was scored."""
    if estimate is None or estimate.value is None:
        return "–"
    interval = between(estimate.low, estimate.high, estimate.unit, estimate.value or estimate.high)
    return number(estimate.value, estimate.unit) + (f" {interval}" if interval else "")


def between(low: float | None, high: float | None, unit: Unit, like: float | None = None) -> str:
    """ "[57.1, 76.2]", with the decimals of `like`; empty where there is no interval."""
    if low is None or high is None:
        return ""
    return f"[{units.number(low, unit, like)}, {units.number(high, unit, like)}]"


def place(cell: Cell) -> str:
    """ "2 (1–4)": the rank by value and the ranks that the tests leave open; empty without a rank."""
    if cell.rank is None:
        return ""
    return f"{cell.rank} ({ranks(cell.ranks)})" if cell.ranks else f"{cell.rank}"


def ranks(found: Ranks) -> str:
    """ "1–4", or "2" where only one is open."""
    return f"{found.low}" if found.low == found.high else f"{found.low}–{found.high}"


def apart(value: float, unit: Unit, like: float | None = None) -> str:
    """How far two values lie apart: "2.5 points" for two shares, whose difference is no share."""
    return units.number(value, unit, like) + (" points" if unit == "share" else _sign(unit))


def difference(pair: Pair, unit: Unit) -> str:
    """ "+2.5 points [-1.0, 6.1]"."""
    largest = max(map(abs, (pair.difference, pair.low or 0.0, pair.high or 0.0)))
    sign = "" if pair.difference < 0 else "+"
    value = sign + apart(pair.difference, unit, largest)
    interval = between(pair.low, pair.high, unit, largest)
    return f"{value} {interval}" if interval else value


def p_value(value: float) -> str:
    """ "0.034", "< 0.001"; never 0."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"

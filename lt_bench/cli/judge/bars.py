"""Intervals of coefficients drawn with characters."""

from __future__ import annotations

from lt_bench.records import Estimate

LOW, HIGH, CELLS = -0.5, 1.0, 31
"""Range and width of a bar; what lies beyond is drawn at its end."""


def bar(estimate: Estimate) -> str:
    """ "          |       [--o--]      ": the interval, its value, and 0."""
    if estimate.value is None:
        return ""
    cells = [" "] * CELLS
    cells[_cell(0.0)] = "|"
    if estimate.low is not None and estimate.high is not None:
        first, last = _cell(estimate.low), _cell(estimate.high)
        cells[first : last + 1] = "-" * (last + 1 - first)
        cells[first], cells[last] = "[", "]"
    cells[_cell(estimate.value)] = "o"
    return "".join(cells).rstrip()


def _cell(value: float) -> int:
    share = (min(max(value, LOW), HIGH) - LOW) / (HIGH - LOW)
    return round(share * (CELLS - 1))


def _axis() -> str:
    cells = [" "] * CELLS
    for value, text in ((LOW, "-0.5"), (0.0, "0"), (0.5, "0.5"), (HIGH, "1")):
        first = min(_cell(value), CELLS - len(text))
        cells[first : first + len(text)] = text
    return "".join(cells)


AXIS = _axis()
"""The scale above the bars."""

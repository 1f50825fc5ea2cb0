"""Numbers of a board in words: values, intervals, places, p-values."""

from __future__ import annotations

from typing import Final

from lt_bench import units
from lt_bench.board.model import Cell
from lt_bench.records import Estimate, Unit

DASH: Final = "–"


def number(value: float, unit: Unit, like: float | None = None) -> str:
    """ "92.3" for a share of 0.923; as many decimals as `like` would have."""
    text = units.number(value, unit, like)
    return f"−{text[1:]}" if value < 0 else text


def signed(value: float, unit: Unit, like: float | None = None) -> str:
    """ "+1.2" or "−1.2"."""
    text = number(value, unit, like)
    return text if text.startswith("−") else f"+{text}"


def value(estimate: Estimate | None) -> str:
    """The mean, without its unit; a dash where nothing was scored."""
    if estimate is None or estimate.value is None:
        return DASH
    return number(estimate.value, estimate.unit)


def valued(estimate: Estimate | None) -> str:
    """The mean with its unit: "92.3 %"."""
    if estimate is None or estimate.value is None:
        return DASH
    return f"{value(estimate)} {units.SHOWN[estimate.unit].sign}".rstrip()


def interval(estimate: Estimate | None) -> str:
    """ "89.1 – 94.8"; empty where there is none."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return ""
    like, unit = estimate.value or estimate.high, estimate.unit
    return f"{number(estimate.low, unit, like)} – {number(estimate.high, unit, like)}"


def stacked(estimate: Estimate | None) -> str:
    """The mean with its interval below it, as markup that holds numbers only."""
    between = interval(estimate)
    below = f'<span class="interval">{between}</span>' if between else ""
    return f"{value(estimate)}{below}"


def unscored(estimate: Estimate | None) -> str:
    """ "2 judge_error, 1 no_answer"."""
    if estimate is None:
        return ""
    return ", ".join(f"{count} {reason}" for reason, count in estimate.unscored.items() if count)


def missing(estimate: Estimate) -> int:
    """Rows that could have had a score and have none."""
    return sum(count for why, count in estimate.unscored.items() if why != "not_applicable")


def bounds(estimate: Estimate | None) -> str:
    """The mean if all unscored rows were wrong, and if they were right."""
    ends = None if estimate is None else estimate.bounds
    if estimate is None or ends is None:
        return ""
    return " – ".join(number(end, estimate.unit) for end in ends)


def places(cell: Cell) -> str:
    """The confidence set of its rank: "1 – 3", or "2"."""
    if cell.ranks is None:
        return ""
    low, high = cell.ranks.low, cell.ranks.high
    return str(low) if low == high else f"{low} – {high}"


def letter(tie: int) -> str:
    """A for 1, B for 2, …, AA for 27."""
    text = ""
    while tie > 0:
        tie, rest = divmod(tie - 1, 26)
        text = chr(ord("A") + rest) + text
    return text

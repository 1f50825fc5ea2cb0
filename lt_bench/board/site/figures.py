"""Numbers of a board in words: values, intervals, places, p-values."""

from __future__ import annotations

import math
from typing import Final

from lt_bench.board.model import Cell
from lt_bench.board.wording import SCALE
from lt_bench.records import Estimate, Unit

DASH: Final = "–"
SIGNS: Final[dict[Unit, str]] = {
    "share": "%",
    "tokens": "tokens",
    "TFLOP": "TFLOP",
    "characters": "chars",
    "seconds": "s",
}


def number(value: float, unit: Unit, like: float | None = None) -> str:
    """ "92.3" for a share of 0.923; as many decimals as `like` would have. Work spans many powers of
    ten, so it is given three digits."""
    factor, decimals, _ = SCALE[unit]
    if unit == "TFLOP":
        decimals = _digits(value if like is None else like)
    text = f"{value * factor:.{decimals}f}"
    return f"−{text[1:]}" if value < 0 else text


def signed(value: float, unit: Unit, like: float | None = None) -> str:
    """ "+1.2" or "−1.2"."""
    text = number(value, unit, like)
    return text if text.startswith("−") else f"+{text}"


def _digits(value: float) -> int:
    """Decimals that show three digits of a value."""
    if not value:
        return 0
    return min(12, max(0, 2 - math.floor(math.log10(abs(value)))))


def value(estimate: Estimate | None) -> str:
    """The mean, without its unit; a dash where nothing was scored."""
    if estimate is None or estimate.value is None:
        return DASH
    return number(estimate.value, estimate.unit)


def valued(estimate: Estimate | None) -> str:
    """The mean with its unit: "92.3 %"."""
    if estimate is None or estimate.value is None:
        return DASH
    return f"{value(estimate)} {SIGNS.get(estimate.unit, '')}".rstrip()


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

"""The true share where people have labelled some of the very rows that the judge judged.

Prediction-powered inference: the mean of the judge over the other rows, put right by how it errs on
the labelled ones. Nothing is assumed of the judge, so that a bad one costs width and never bias; the
labelled rows must be drawn at random from the rows of the test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lt_bench.calibration.correction import Bounds, printed
from lt_bench.calibration.wording import percent
from lt_bench.records import Corrected
from lt_bench.stats import Interval, wilson
from lt_bench.stats.estimates import FEWEST_GROUPS
from lt_bench.stats.normal import Z95

ROUGH = 100
"""Labels under which the normal interval is rough."""
NOTHING = 1e-12


@dataclass(frozen=True)
class JudgedRow:
    """One row of a test: what the judge gave it, what people say, where they were asked."""

    judge: float
    human: float | None
    group: str


@dataclass(frozen=True)
class Powered:
    """`power` is the weight λ of the judge: 1 is plain PPI, 0 the mean of the labels alone. `low` and
    `high` may leave [0, 1]. `error` is 0 where the labelled rows do not vary, which is no certainty."""

    value: float
    error: float
    low: float
    high: float
    power: float
    labelled: int
    unlabelled: int
    groups: int


def prediction_powered(rows: Sequence[JudgedRow], *, tuned: bool = True) -> Powered:
    """PPI (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Science 382, 2023), or with `tuned` PPI++
    (Angelopoulos, Duchi and Zrnic, arXiv 2311.01453), for a mean with its 95 % interval.

    λ is the covariance of judge and people over (1 + n / N) times the variance of the judge, within
    [0, 1]; n rows have labels and N have none. The variance adds up whole groups; with single rows
    it is that of the papers, and with under 20 groups the interval is a Student t interval (endless for one group).

    Raises:
        ValueError: fewer than two rows with labels.
    """
    labelled = [(row.judge, row.human, row.group) for row in rows if row.human is not None]
    others = [(row.judge, row.group) for row in rows if row.human is None]
    if len(labelled) < 2:
        raise ValueError(f"{len(labelled)} rows with labels")
    power = 0.0 if not others else _power(labelled, others) if tuned else 1.0
    rectified = [(human - power * judge, group) for judge, human, group in labelled]
    imputed = [(power * judge, group) for judge, group in others]
    value = _mean(rectified) + _mean(imputed)
    error, groups = _error(rectified, imputed)
    half = _half_width(error, groups, len(rows))
    return Powered(
        value=value,
        error=error,
        low=value - half,
        high=value + half,
        power=power,
        labelled=len(labelled),
        unlabelled=len(others),
        groups=groups,
    )


def corrected_by_labels(rows: Sequence[JudgedRow]) -> Corrected:
    """The same as a card shows it.

    Where people and judge never differ on the labelled rows, or nothing varies there, the normal
    variance says nothing; then it is the Wilson interval of the labels alone.

    Raises:
        ValueError: fewer than two rows with labels.
    """
    found = prediction_powered(rows)
    humans = [row.human for row in rows if row.human is not None]
    raw = math.fsum(row.judge for row in rows) / len(rows)
    alone = found.error < NOTHING or _never_differ(rows)
    value = math.fsum(humans) / len(humans) if alone else found.value
    shown = _wilson(rows) if alone else _printed(found)
    feasible = 0 <= value <= 1
    return Corrected(
        method=_method(found, alone),
        raw=raw,
        unclipped=value,
        value=value if feasible else None,
        low=shown.low,
        high=shown.high,
        standard_error=None if alone else found.error,
        feasible=feasible,
        n=len(rows),
        labels=found.labelled,
        sentence=_sentence(value, shown, feasible, found.labelled, len(rows), raw),
    )


def _power(
    labelled: Sequence[tuple[float, float, str]], others: Sequence[tuple[float, str]]
) -> float:
    n, size = len(labelled), len(others)
    judge = math.fsum(each for each, _, _ in labelled) / n
    human = math.fsum(each for _, each, _ in labelled) / n
    covariance = math.fsum((f - judge) * (y - human) for f, y, _ in labelled) / n
    pooled = [each for each, _, _ in labelled] + [each for each, _ in others]
    middle = math.fsum(pooled) / len(pooled)
    variance = math.fsum((each - middle) ** 2 for each in pooled) / (len(pooled) - 1)
    if variance < NOTHING:
        return 0.0
    return min(1.0, max(0.0, covariance / ((1 + n / size) * variance)))


def _error(
    rectified: Sequence[tuple[float, str]], imputed: Sequence[tuple[float, str]]
) -> tuple[float, int]:
    """Standard error of the sum of the two means over groups, and the number of groups."""
    sums: dict[str, list[float]] = {}
    for part in (rectified, imputed):
        mean = _mean(part)
        for each, group in part:
            sums.setdefault(group, []).append((each - mean) / len(part))
    return math.sqrt(math.fsum(math.fsum(each) ** 2 for each in sums.values())), len(sums)


def _mean(part: Sequence[tuple[float, str]]) -> float:
    return math.fsum(each for each, _ in part) / len(part) if part else 0.0


def _half_width(error: float, groups: int, rows: int) -> float:
    if groups == rows or groups >= FEWEST_GROUPS:
        return Z95 * error
    if groups < 2:
        return math.inf
    from scipy.special import stdtrit

    return math.sqrt(groups / (groups - 1)) * float(stdtrit(groups - 1, 0.975)) * error


def _never_differ(rows: Sequence[JudgedRow]) -> bool:
    return all(row.human is None or abs(row.judge - row.human) < NOTHING for row in rows)


def _wilson(rows: Sequence[JudgedRow]) -> Interval:
    """Of the labels alone, one for each group."""
    humans = [(row.human, row.group) for row in rows if row.human is not None]
    groups = len({group for _, group in humans})
    share = math.fsum(human for human, _ in humans) / len(humans)
    return wilson(min(share * groups, groups), groups)


def _printed(found: Powered) -> Interval:
    error = (found.high - found.low) / 2 / Z95
    return printed(Bounds(found.value, error, found.low, found.high))


def _method(found: Powered, alone: bool) -> str:
    if alone:
        return "labels alone, Wilson: the judge adds nothing that can be measured"
    grouped = found.groups < found.labelled + found.unlabelled
    over = f" over {found.groups} groups" if grouped else ""
    return f"PPI++{over}, weight of the judge {found.power:.2f}"


def _sentence(
    value: float, shown: Interval, feasible: bool, labels: int, rows: int, raw: float
) -> str:
    counts = f"{labels:,} labels among these {rows:,} rows"
    if not feasible:
        return f"infeasible: the estimate from {counts} is {value:.2f}; label more of them"
    rough = "; the interval is rough under 100 labels" if labels < ROUGH else ""
    return (
        f"people would call {percent(value)} % right [{percent(shown.low)}, {percent(shown.high)}], "
        f"not {percent(raw)} %, by {counts}{rough}"
    )

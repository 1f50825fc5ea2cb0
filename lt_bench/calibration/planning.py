"""How many labels and rows a wanted precision of a corrected score needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from lt_bench.calibration.correction import Evidence, lang_reiczigel
from lt_bench.calibration.difference import detectable
from lt_bench.stats.normal import Z95

MANY = 1e15
"""So many labels are as good as endlessly many."""
MOST = 10**9
"""More labels than anybody will have."""


@dataclass(frozen=True)
class Outlook:
    """What is expected: the true `rate`, the judge, `rows` judged rows, and the share `right` of the
    labels that falls on replies which people call right."""

    rate: float
    sensitivity: float
    specificity: float
    rows: float
    right: float = 0.5

    def evidence(self, labels: float) -> Evidence[float]:
        """The counts that are expected with so many labels."""
        right, wrong = labels * self.right, labels * (1 - self.right)
        observed = self.rate * self.sensitivity + (1 - self.rate) * (1 - self.specificity)
        return Evidence(
            yes=observed * self.rows,
            rows=self.rows,
            hits=self.sensitivity * right,
            right=right,
            rejections=self.specificity * wrong,
            wrong=wrong,
        )


def half_width(outlook: Outlook, labels: float) -> float:
    """Half of the Lang-Reiczigel interval that is to be expected, before it is cut to [0, 1]."""
    try:
        return Z95 * lang_reiczigel(outlook.evidence(labels)).error
    except ZeroDivisionError:  # so few labels that the judge cannot be told from chance
        return math.inf


def floor(outlook: Outlook) -> float:
    """The half-width that no number of labels can get below with these rows."""
    return half_width(outlook, MANY)


def labels_needed(outlook: Outlook, precision: float) -> int | None:
    """The fewest labels with a half-width of `precision` or less; None where more rows are needed."""
    return _fewest(lambda labels: half_width(outlook, labels), precision)


def rows_needed(outlook: Outlook, precision: float) -> int | None:
    """The fewest rows with which some number of labels reaches `precision`; those of `outlook` do not
    count."""
    return _fewest(lambda rows: floor(replace(outlook, rows=float(rows))), precision)


def _fewest(width: Callable[[int], float], precision: float) -> int | None:
    """The smallest number, from 2, for which the width is `precision` or less."""
    enough = 2
    while width(enough) > precision:
        enough *= 2
        if enough > MOST:
            return None
    few = 1 if enough == 2 else enough // 2
    while enough - few > 1:
        middle = (enough + few) // 2
        few, enough = (middle, enough) if width(middle) > precision else (few, middle)
    return enough


def best_split(outlook: Outlook) -> float:
    """The share of labels on replies that people call right which gives the narrowest interval.

    Each kind of label counts by what its error does to the estimate (Neyman's allocation): the true
    rate times the standard deviation of a hit, and the rest times that of a rejection.
    """
    hit = outlook.rate * math.sqrt(outlook.sensitivity * (1 - outlook.sensitivity))
    rejection = (1 - outlook.rate) * math.sqrt(outlook.specificity * (1 - outlook.specificity))
    return hit / (hit + rejection) if hit + rejection else 0.5


def detectable_difference(outlook: Outlook, labels: float) -> float | None:
    """The smallest true difference between two models that would be found (see `detectable`)."""
    return detectable(outlook.evidence(labels))

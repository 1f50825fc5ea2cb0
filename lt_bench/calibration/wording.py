"""The sentences that go with a corrected share."""

from __future__ import annotations

from dataclasses import dataclass

from lt_bench.calibration.correction import Bounds, Evidence
from lt_bench.stats import Interval


@dataclass(frozen=True)
class Finding:
    """A corrected share before it is put into words. `least` is the smallest difference that can be
    found; `rows` and `labels` are those there are, grouped or not."""

    found: Evidence[float]
    share: float
    bounds: Bounds[float]
    shown: Interval
    least: float | None
    rows: int
    labels: int

    @property
    def feasible(self) -> bool:
        """Whether the plain estimate is a share at all."""
        return 0 <= self.share <= 1


def sentence(finding: Finding) -> str:
    """What a reader needs to know of the share."""
    return _feasible(finding) if finding.feasible else _infeasible(finding)


def _feasible(finding: Finding) -> str:
    """The share, and which differences it can carry."""
    shown = finding.shown
    return (
        f"people would call {percent(finding.share)} % right "
        f"[{percent(shown.low)}, {percent(shown.high)}], not {percent(finding.found.observed)} %; "
        f"{limit(finding.least, finding.rows, finding.labels)}"
    )


def _infeasible(finding: Finding) -> str:
    """Why the plain estimate cannot be, and whether chance explains it."""
    above, bounds = finding.share > 1, finding.bounds
    verdict = (
        "which may be chance: the interval reaches shares that can be"
        if (bounds.low <= 1 if above else bounds.high >= 0)
        else "so rows and labels contradict each other: is this the judge, and are these the replies, "
        "that people labelled?"
    )
    found = finding.found
    figure, best, most = (
        ("sensitivity", "right", found.sensitivity)
        if above
        else ("specificity", "wrong", 1 - found.specificity)
    )
    return (
        f"infeasible: the estimate is {finding.share:.2f}; with {figure} "
        f"{percent(found.sensitivity if above else found.specificity)} % even a model that is always "
        f"{best} would get {percent(most)} %, and this one got {percent(found.observed)} %, {verdict}"
    )


def chance_sentence(sensitivity: float, specificity: float) -> str:
    """The judge is not shown to do better than a coin."""
    return (
        f"infeasible: sensitivity {sensitivity:.3f} and specificity {specificity:.3f} add up to "
        f"{sensitivity + specificity:.3f}; at 1 or less, or too near for so few labels, a judge tells "
        "nothing, and any share may be true"
    )


def lack_sentence(kind: str) -> str:
    """The labels hold one class only."""
    figure = "sensitivity" if kind == "right" else "specificity"
    return (
        f"infeasible: people call no labelled reply {kind}, so the judge's {figure} is unknown, and "
        "any share may be true"
    )


def limit(least: float | None, rows: int, labels: int) -> str:
    """Which differences between two models these rows and labels cannot tell."""
    base = f"with {rows:,} rows and {labels:,} labels"
    if least is None:
        return f"{base} this judge cannot separate any two models"
    return (
        f"{base} this judge cannot reliably separate models less than {percent(least)} points apart"
    )


def separation(one: float, other: float, rows: tuple[int, int], labels: int, separate: bool) -> str:
    """Whether two observed shares, of so many rows each, stand for two different true ones."""
    can = "separates" if separate else "cannot separate"
    counts = f"{rows[0]:,}" if rows[0] == rows[1] else f"{rows[0]:,} and {rows[1]:,}"
    return (
        f"this judge {can} {percent(one)} from {percent(other)} "
        f"with {counts} rows and {labels:,} labels"
    )


def percent(share: float) -> str:
    """0.923 as "92.3"."""
    text = f"{100 * share:.1f}"
    return "0.0" if text == "-0.0" else text

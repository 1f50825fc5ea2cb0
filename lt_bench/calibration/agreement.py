"""How far two raters agree over some replies, with intervals over groups of replies."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from lt_bench.calibration.coefficients import Coefficient, Table, ac1, kappa
from lt_bench.calibration.pairs import Pair, confusion
from lt_bench.records import Agreement, Confusion, Estimate, Reason
from lt_bench.stats import Observation, estimate
from lt_bench.stats.estimates import FEWEST_GROUPS
from lt_bench.stats.normal import Z95

__all__ = ["Pair", "agreement", "coefficient"]

NOTHING = 1e-12
"""A standard error below this is 0, up to the last bits of a float."""


def agreement(pairs: Sequence[Pair], unscored: Mapping[Reason, int] | None = None) -> Agreement:
    """The judge of each pair against its human. `unscored` counts replies without a verdict.

    Shares get the interval that `stats.estimate` gives to every metric. Kappa and AC1 get the
    large-sample interval, widened for groups of several replies; with under 20 groups it is a
    Student t interval over the groups.
    """
    counts = confusion(pairs)
    right = [pair for pair in pairs if pair.human]
    wrong = [pair for pair in pairs if not pair.human]
    return Agreement(
        counts=counts,
        agreement=_share(pairs, lambda pair: pair.judge == pair.human, "no labelled replies"),
        base_rate=_share(pairs, lambda pair: pair.human, "no labelled replies"),
        sensitivity=_share(right, lambda pair: pair.judge, "no replies that people call right"),
        specificity=_share(wrong, lambda pair: not pair.judge, "no replies that people call wrong"),
        kappa=coefficient(kappa, pairs),
        ac1=coefficient(ac1, pairs),
        unscored=dict(unscored or {}),
    )


def _share(pairs: Iterable[Pair], says: Callable[[Pair], bool], lack: str) -> Estimate:
    """The share of the pairs for which `says` holds; every reply is an example of its own."""
    seen = [
        Observation(str(place), pair.group, float(says(pair))) for place, pair in enumerate(pairs)
    ]
    return estimate(seen) if seen else _undefined(f"not defined: {lack}", "share")


def coefficient(measure: Callable[[Table], Coefficient | None], pairs: Sequence[Pair]) -> Estimate:
    """Kappa or AC1 of the pairs, with its interval over groups."""
    counts = confusion(pairs)
    found = measure(_table(counts))
    if found is None:
        lack = "both always give the same answer" if pairs else "no labelled replies"
        return _undefined(f"not defined: {lack}", "coefficient", len(pairs))
    half, method = _half_width(found, pairs, counts)
    return Estimate(
        value=found.value,
        low=None if half is None else max(-1.0, found.value - half),
        high=None if half is None else min(1.0, found.value + half),
        n=len(pairs),
        method=method,
        unit="coefficient",
    )


def _table(counts: Confusion) -> Table:
    """Judge by human; no comes first, so that a bool is its own place."""
    return (
        (counts.true_negative, counts.false_negative),
        (counts.false_positive, counts.true_positive),
    )


def _half_width(
    found: Coefficient, pairs: Sequence[Pair], counts: Confusion
) -> tuple[float | None, str]:
    """Half of the 95 % interval and its name; None and the reason where there is none."""
    sums: dict[str, list[float]] = {}
    for pair in pairs:
        sums.setdefault(pair.group, []).append(found.influence[pair.judge][pair.human])
    groups = len(sums)
    error = math.sqrt(math.fsum(math.fsum(each) ** 2 for each in sums.values())) / len(pairs)
    if error < NOTHING:
        return _no_spread(found, counts)
    if groups == len(pairs):
        return Z95 * error, "large sample"
    if groups >= FEWEST_GROUPS:
        return Z95 * error, f"large sample over {groups} groups"
    from scipy.special import stdtrit

    spread = math.sqrt(groups / (groups - 1)) * float(stdtrit(groups - 1, 0.975))
    return spread * error, f"Student t over {groups} groups"


def _no_spread(found: Coefficient, counts: Confusion) -> tuple[float | None, str]:
    """A variance of 0 is certainty only where the value could not have been another."""
    if abs(found.value) < NOTHING and _constant(counts):
        return 0.0, f"0 by definition: {_constant(counts)} the same answer"
    if not counts.false_positive and not counts.false_negative:
        return None, "no interval: the two never disagree"
    return None, "no interval: the groups do not differ"


def _constant(counts: Confusion) -> str:
    """Who gives one answer throughout; empty where neither does."""
    if counts.true_positive + counts.false_positive in (0, counts.n):
        return "the judge always gives"
    return "people always give" if counts.positives in (0, counts.n) else ""


def _undefined(method: str, unit: str, n: int = 0) -> Estimate:
    return Estimate.model_validate(
        {"value": None, "low": None, "high": None, "n": n, "method": method, "unit": unit}
    )

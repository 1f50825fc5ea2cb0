"""The same replies judged twice: how much the judge's yes moved, with a paired interval."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lt_bench.records import Estimate, Reason
from lt_bench.run.judging.bias.answers import Answer
from lt_bench.stats import Observation, cluster_bootstrap, estimate, mcnemar
from lt_bench.stats.estimates import FEWEST_GROUPS
from lt_bench.stats.intervals import Interval, clustered
from lt_bench.stats.normal import Z95


@dataclass(frozen=True)
class Pair:
    """One reply, or one change of it, before and after. `group` holds what is not independent."""

    id: str
    group: str
    before: Answer
    after: Answer


@dataclass(frozen=True)
class Moved:
    """`before` and `after` are shares over the pairs with both answers; `difference` is the second
    less the first. `gained`, `lost` and `p_value` (McNemar, exact) are None where an answer of a
    pair is a mean of several."""

    before: Estimate
    after: Estimate
    difference: Estimate
    gained: int | None
    lost: int | None
    p_value: float | None


def moved(pairs: Sequence[Pair]) -> Moved:
    """What changed between the two sides; a pair of which one side is silent counts as unscored."""
    reasons = [pair.before.reason or pair.after.reason for pair in pairs]
    whole = [pair for pair, reason in zip(pairs, reasons, strict=True) if reason is None]
    missing: Counter[Reason] = Counter(reason for reason in reasons if reason)
    befores, afters = (_values(whole, after=side) for side in (False, True))
    gained = lost = p = None
    if all(value in (0.0, 1.0) for value in (*befores, *afters)):
        gained = sum(b < a for b, a in zip(befores, afters, strict=True))
        lost = sum(b > a for b, a in zip(befores, afters, strict=True))
        p = mcnemar(gained, lost)
    return Moved(
        before=share(pairs, after=False),
        after=share(pairs, after=True),
        difference=_difference(whole, befores, afters, dict(sorted(missing.items()))),
        gained=gained,
        lost=lost,
        p_value=p,
    )


def share(pairs: Sequence[Pair], *, after: bool) -> Estimate:
    """One side alone, over the pairs that have both."""
    found = []
    for pair in pairs:
        reason = pair.before.reason or pair.after.reason
        value = (pair.after if after else pair.before).value
        found.append(Observation(pair.id, pair.group, None if reason else value, reason))
    return estimate(found)


def rate(items: Sequence[tuple[str, str, Answer]]) -> Estimate:
    """The share of answers that are 1; items are (id, group, answer)."""
    return estimate([Observation(id_, group, a.value, a.reason) for id_, group, a in items])


def _values(pairs: Sequence[Pair], *, after: bool) -> list[float]:
    sides = (pair.after if after else pair.before for pair in pairs)
    return [side.value for side in sides if side.value is not None]


def _difference(
    pairs: Sequence[Pair],
    befores: Sequence[float],
    afters: Sequence[float],
    unscored: dict[Reason, int],
) -> Estimate:
    if not pairs:
        return Estimate(
            value=None, low=None, high=None, n=0, unscored=unscored, method="nothing scored"
        )
    changes = [after - before for before, after in zip(befores, afters, strict=True)]
    interval, method = _interval(changes, [pair.group for pair in pairs])
    return Estimate(
        value=math.fsum(changes) / len(changes),
        low=interval.low,
        high=interval.high,
        n=len(changes),
        unscored=unscored,
        method=method,
    )


def _interval(changes: Sequence[float], groups: Sequence[str]) -> tuple[Interval, str]:
    """Bonett and Price for independent pairs of yes and no, and where there are too few groups to
    redraw them; else a cluster bootstrap."""
    clusters = clustered(changes, groups)
    count = len(clusters)
    binary = all(change in (-1.0, 0.0, 1.0) for change in changes)
    if binary and count == len(changes):
        return bonett_price(_up(changes), _up([-c for c in changes]), count), "Bonett-Price"
    if count >= FEWEST_GROUPS and not clusters.equal:
        drawn = cluster_bootstrap(changes, groups)
        return drawn, f"cluster bootstrap ({count} groups)"
    scale = count / len(changes)
    up, down = _up(changes) * scale, _up([-c for c in changes]) * scale
    return bonett_price(up, down, count), f"Bonett-Price over {count} groups"


def bonett_price(gained: float, lost: float, n: int) -> Interval:
    """Adjusted Wald interval of a paired difference of proportions (Bonett and Price, Journal of
    Educational and Behavioral Statistics 37, 2012), within [-1, 1]. It keeps a width where nothing
    changed at all. The counts need not be whole.

    Raises:
        ValueError: no pairs, or more changes than pairs.
    """
    if n <= 0 or min(gained, lost) < 0 or gained + lost > n + 1e-9:
        raise ValueError(f"{gained} gained and {lost} lost of {n}")
    up, down = (gained + 1) / (n + 2), (lost + 1) / (n + 2)
    half = Z95 * math.sqrt((up + down - (up - down) ** 2) / (n + 2))
    return Interval(max(-1.0, up - down - half), min(1.0, up - down + half))


def _up(changes: Sequence[float]) -> float:
    return math.fsum(change for change in changes if change > 0)

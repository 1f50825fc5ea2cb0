"""p50, p95 and p99 of what was felt, with what they are worth."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from lt_bench.records import LatencyFigures, Quantile
from lt_bench.run.latency.observations import NEVER, Time
from lt_bench.stats.quantiles import fewest, quantile_rank, quantile_ranks

SHARES: Final = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


def figures(times: Iterable[Time]) -> LatencyFigures:
    """The figures of one time; each request gives one entry, those cancelled are left out."""
    all_times = list(times)
    told = sorted(time for time in all_times if time is not None)
    came = [time for time in told if time != NEVER]
    return LatencyFigures(
        n=len(came),
        never=len(told) - len(came),
        unmeasured=len(all_times) - len(told),
        mean=math.fsum(came) / len(came) if came else None,
        quantiles=_quantiles(told, untold=len(all_times) - len(told)),
        answered=_quantiles(came) if len(came) < len(told) else {},
    )


def _quantiles(ordered: Sequence[float], untold: int = 0) -> dict[str, Quantile]:
    return {name: quantile(ordered, share, name, untold) for name, share in SHARES.items()}


def quantile(ordered: Sequence[float], share: float, name: str, untold: int = 0) -> Quantile:
    """One quantile of times in ascending order, `NEVER` last. Its value is one that was observed.

    The value needs 1 / (1 - share) requests: with fewer it would be the slowest one, whatever that
    was. The interval needs more still.
    """
    n = len(ordered)
    if not n:
        return Quantile(reason="nobody tells this time" if untold else "no request")
    wanted = math.ceil(1 / (1 - share) - 1e-9)
    if n < wanted:
        return Quantile(reason=f"{name} takes {wanted} requests, these are {n}")
    value = ordered[quantile_rank(n, share) - 1]
    ranks = quantile_ranks(n, share)
    if value == NEVER:
        low = ordered[ranks.low - 1] if ranks else NEVER
        return Quantile(low=_finite(low), reason=_too_many_never(ordered))
    if ranks is None:
        reason = f"an interval of {name} takes {fewest(share)} requests, these are {n}"
        return Quantile(value=value, reason=reason)
    low, high = ordered[ranks.low - 1], ordered[ranks.high - 1]
    reason = "no upper end: it lies among the requests that never came" if high == NEVER else ""
    return Quantile(value=value, low=low, high=_finite(high), reason=reason)


def _finite(time: float) -> float | None:
    return None if time == NEVER else time


def _too_many_never(ordered: Sequence[float]) -> str:
    never = sum(time == NEVER for time in ordered)
    return f"never: {never} of {len(ordered)} did not come"

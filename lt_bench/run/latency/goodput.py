"""Deadline goodput: the share of requests that were any use to somebody who waits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lt_bench.records import Goodput, Score
from lt_bench.run.latency.observations import NEVER, Observation, Time
from lt_bench.stats import wilson


def in_time(observation: Observation, heard: Time, deadline: float) -> bool | None:
    """Whether a reply came, and by the deadline. None: cancelled, or nobody can tell the time.

    heard: seconds to what the deadline is about. A request that failed is late for ever, and so is an
    answer that says nothing.
    """
    if not observation.counts:
        return None
    if not observation.spoke or heard == NEVER:
        return False
    return None if heard is None else heard <= deadline


def good(early: bool | None, score: Score | None) -> bool | None:
    """Whether a reply came in time and is right. What is late is a miss whatever it says; what is in
    time and has no score cannot be told."""
    if not early:
        return early
    return None if score is None or score.value is None else score.value >= 1.0


def goodput(verdicts: Iterable[bool | None], observations: Sequence[Observation]) -> Goodput:
    """The share of hits among hits and misses, one verdict for each observation."""
    told = list(verdicts)
    cancelled = sum(not observation.counts for observation in observations)
    counted = [verdict for verdict in told if verdict is not None]
    hits, n = sum(counted), len(counted)
    interval = wilson(hits, n) if n else None
    return Goodput(
        good=hits,
        n=n,
        value=hits / n if n else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        unmeasured=len(told) - n - cancelled,
        cancelled=cancelled,
    )

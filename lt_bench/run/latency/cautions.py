"""What a reader must know before believing the figures of a load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from lt_bench.records import RateReport
from lt_bench.run.cautions import TRUNCATED_WARNING
from lt_bench.run.latency.observations import Observation
from lt_bench.run.latency.quality import Scores

LATE: Final = 0.02
"""Share of the deadline by which the measuring machine may be late itself."""

WORDLESS: Final = 0.02
"""Share of answers without a word of reply that a reader should know of."""


def cautions(
    seen: Sequence[Observation], rates: Sequence[RateReport], deadline: float, rows: int
) -> Iterator[str]:
    """Of the measured requests of a sweep over `rows` rows of data, loudest first."""
    yield from _failures(seen)
    yield from _own_lateness(rates, deadline)
    yield from _wordless(seen)
    yield from _untimed(seen)
    yield from _truncated(seen)
    uses = Counter(one.planned.example.id for one in seen)
    if uses and max(uses.values()) > 1:
        yield (
            f"{len(seen)} requests over {rows} rows: prompts come again, and a server that caches "
            "them seems faster (--data FILE with more rows)"
        )


def _failures(seen: Sequence[Observation]) -> Iterator[str]:
    failures = [one.failure for one in seen if one.failure and one.counts]
    if failures:
        kind, count = Counter(failure.kind for failure in failures).most_common(1)[0]
        first = next(failure for failure in failures if failure.kind == kind)
        yield (
            f"{len(failures)} of {len(seen)} requests failed, {count} by {kind}: {first.message}"
        )


def _wordless(seen: Sequence[Observation]) -> Iterator[str]:
    answered = [one for one in seen if one.generation is not None]
    empty = sum(not one.spoke for one in answered)
    if empty > WORDLESS * len(answered):
        yield f"{empty} of {len(answered)} answers say nothing: they count as misses"


def _own_lateness(rates: Sequence[RateReport], deadline: float) -> Iterator[str]:
    for one in rates:
        lag = one.measured["lag"].quantiles["p95"].value
        if lag is not None and lag > LATE * deadline:
            yield (
                f"{one.rate:.4g}/s: this machine sent 5 % of the requests {lag:.3g} s late or more; "
                "the times hold that too (send from an idle machine)"
            )


def _untimed(seen: Sequence[Observation]) -> Iterator[str]:
    answered = [one for one in seen if one.generation is not None]
    untimed = sum(one.times["first_spoken"] is None for one in answered)
    if untimed:
        yield (
            f"{untimed} of {len(answered)} answers tell no time of the first word: they did not come "
            "as a stream"
        )
    uncounted = sum(one.generation.usage is None for one in answered if one.generation)
    if uncounted:
        yield f"{uncounted} of {len(answered)} answers have no token count: no time per token"


def _truncated(seen: Sequence[Observation]) -> Iterator[str]:
    cut = sum(one.status == "truncated" for one in seen)
    if cut > TRUNCATED_WARNING * len(seen):
        yield (
            f"{cut} of {len(seen)} answers are truncated: their times are those of the cap "
            "(--set sampling.max_tokens)"
        )


def judge_cautions(model: str, asked_for: str, scores: Scores) -> Iterator[str]:
    """Of those who scored the replies of `model`."""
    if any(not row.scores for row in scores.rows):
        yield "the replies were not scored, so goodput cannot be told"
        return
    found = (row.scores[asked_for] for row in scores.rows)
    silent = sum(score.reason is not None and score.reason.startswith("judge_") for score in found)
    if silent:
        yield f"{asked_for}: no verdict on {silent} of {len(scores.rows)} replies"
    if any(model in stamp.models for stamp in scores.judges.values()):
        yield f"{model} judges itself: name a judge of another family"
    stamp = scores.judges.get(asked_for)
    if stamp and stamp.models:
        yield f"{asked_for}: nobody has measured this judge against people (lt-bench judge calibrate)"

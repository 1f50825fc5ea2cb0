"""What each request of a sweep comes to: its times on the whole path, whether it was in time and good."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, get_args

from lt_bench.records import Heard, Score, TimedRequest
from lt_bench.run.latency.goodput import good, in_time
from lt_bench.run.latency.measurement import Measurement
from lt_bench.run.latency.observations import NEVER, Observation, Time
from lt_bench.run.latency.path_model import end_to_end
from lt_bench.run.latency.quality import Scores
from lt_bench.run.latency.sweep import Sweep

HEARD: Final[tuple[Heard, ...]] = get_args(Heard)


@dataclass(frozen=True)
class Verdict:
    """One request with all that is made of it; `quality` names the score that must be 1."""

    seen: Observation
    asked: Measurement
    quality: str
    scores: Mapping[str, Score] = field(default_factory=dict)

    @cached_property
    def delays(self) -> dict[str, float]:
        """Seconds of each stage of the path, drawn for this request."""
        return self.asked.path.draws(self.seen.planned.index)

    @cached_property
    def heard(self) -> dict[Heard, Time]:
        """Seconds from the question to both ends of the reply."""
        return end_to_end(self.seen.times, self.delays)

    @cached_property
    def in_time(self) -> bool | None:
        """Whether the deadline was met; None: not counted."""
        due = self.heard["first_audio" if self.asked.start_by else "finished"]
        return in_time(self.seen, due, self.asked.deadline)

    @property
    def score(self) -> Score | None:
        """The score that is asked for; None where nobody scored."""
        return self.scores.get(self.quality)

    @cached_property
    def good(self) -> bool | None:
        """Whether it was in time and right; None: not counted."""
        return good(self.in_time, self.score)

    def record(self, rate: float) -> TimedRequest:
        """The line that is written of it. One of the warm-up has no verdict."""
        seen, request = self.seen, self.seen.planned.request
        counted = not seen.planned.warmup
        return TimedRequest(
            rate=rate,
            index=seen.planned.index,
            warmup=seen.planned.warmup,
            example_id=request.example_id,
            sample_index=request.sample_index,
            arrived=seen.planned.at,
            sent=seen.sent,
            ended=seen.ended,
            status=seen.status,
            failure=seen.failure,
            generation=seen.generation,
            times={what: _finite(time) for what, time in seen.times.items()},
            delays=self.delays,
            end_to_end={what: _finite(time) for what, time in self.heard.items()},
            in_time=self.in_time if counted else None,
            good=self.good if counted else None,
            scores=tuple(self.scores.values()),
        )


def verdicts_of(asked: Measurement, sweep: Sweep, scores: Scores) -> list[list[Verdict]]:
    """The verdicts on the measured requests of each window."""
    quality, rows = asked.asked_for, iter(scores.rows)
    return [
        [Verdict(one, asked, quality, next(rows).scores) for one in window.seen]
        for window in sweep.windows
    ]


def timed_requests(
    asked: Measurement, sweep: Sweep, verdicts: list[list[Verdict]]
) -> Iterator[TimedRequest]:
    """A line for each request, window after window, those of its warm-up first."""
    for window, found in zip(sweep.windows, verdicts, strict=True):
        warm = (Verdict(one, asked, "") for one in window.warm)
        for verdict in (*warm, *found):
            yield verdict.record(window.schedule.rate)


def _finite(time: Time) -> float | None:
    return None if time is None or time == NEVER else time

"""A measurement from its first request to its report, whatever ends it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from lt_bench.errors import Interrupted, LtBenchError
from lt_bench.records import LatencyReport, TimedRequest
from lt_bench.run.latency.clock import run_virtually
from lt_bench.run.latency.measurement import Measurement
from lt_bench.run.latency.quality import Scores, unscored
from lt_bench.run.latency.report import build_report
from lt_bench.run.latency.sweep import Sweep, Watcher
from lt_bench.run.latency.verdicts import Verdict, timed_requests, verdicts_of
from lt_bench.run.loop import run


@dataclass(frozen=True)
class Session:
    """What came of a measurement. `error`: how it was broken off, to be told after the report."""

    asked: Measurement
    sweep: Sweep
    scores: Scores
    error: LtBenchError | None = None

    @classmethod
    def run(cls, asked: Measurement, watcher: Watcher) -> Self:
        """Measures, then scores. Ctrl-C ends the load and keeps what was seen; it is scored where
        that asks no model.

        Raises:
            UsageError: something asked for cannot be; nothing was sent.
            LtBenchError: it was broken off before anything was measured.
        """
        assert asked.asked_for
        sweep = asked.sweep()
        error = _load(asked, sweep, watcher)
        if error is not None and not any(one.counts for one in sweep.seen):
            raise error
        try:
            hurried = isinstance(error, Interrupted) and asked.asks_a_judge
            scores = unscored(sweep.seen) if hurried else run(asked.scores(sweep))
        except KeyboardInterrupt:
            scores, error = unscored(sweep.seen), _interrupted("interrupted before all was scored")
        except LtBenchError as broken:
            scores, error = unscored(sweep.seen), error or broken
        return cls(asked, sweep, scores, error)

    @cached_property
    def verdicts(self) -> list[list[Verdict]]:
        """Of each window."""
        return verdicts_of(self.asked, self.sweep, self.scores)

    @cached_property
    def report(self) -> LatencyReport:
        """The report of what was measured."""
        assert self.sweep.facts is not None
        return build_report(
            self.asked,
            self.sweep,
            self.scores,
            self.verdicts,
            self.sweep.facts,
            interrupted=isinstance(self.error, Interrupted),
        )

    @property
    def requests(self) -> Iterator[TimedRequest]:
        """A line for each request that was sent or dropped."""
        return timed_requests(self.asked, self.sweep, self.verdicts)


def _load(asked: Measurement, sweep: Sweep, watcher: Watcher) -> LtBenchError | None:
    """Sends the load; what broke it off."""
    try:
        if asked.virtual:
            run_virtually(asked.load(sweep, watcher))
        else:
            run(asked.load(sweep, watcher))
    except KeyboardInterrupt:
        return _interrupted(
            "interrupted; requests that were outstanding are left out of all figures"
        )
    except LtBenchError as error:
        return error
    return None


def _interrupted(cause: str) -> Interrupted:
    return Interrupted(cause, "repeat the command for a whole measurement")

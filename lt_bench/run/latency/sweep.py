"""A sweep over rates: a fresh window for each, the next only when the last request is answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from lt_bench.backends import Backend, ModelFacts
from lt_bench.run.latency.arrivals import Schedule
from lt_bench.run.latency.clock import Clock
from lt_bench.run.latency.load import Load
from lt_bench.run.latency.observations import Observation
from lt_bench.run.latency.plan import Deck
from lt_bench.run.latency.saturation import saturation

ENOUGH: Final = 2
"""Saturated rates in a row after which higher ones tell nothing new."""


@dataclass(frozen=True)
class Window:
    """One rate, measured. `seen` are its requests in order of arrival, the warm-up left out; `warm`
    those of the warm-up."""

    schedule: Schedule
    seen: tuple[Observation, ...]
    warm: tuple[Observation, ...]
    most_outstanding: int


class Watcher(Protocol):
    """Who is told how a sweep goes on."""

    def begin(self, schedule: Schedule) -> None: ...

    def done(self, window: Window) -> None: ...


@dataclass
class Sweep:
    """What is measured, and what was: `windows` fills as rates are finished, and holds the one that
    was broken off too, so that an interrupted sweep still tells all that it saw."""

    deck: Deck
    schedules: Sequence[Schedule]
    clock: Clock
    bound: int
    timeout: float
    keep_going: bool = False
    windows: list[Window] = field(default_factory=list)
    stopped: str = ""
    facts: ModelFacts | None = None

    @property
    def seen(self) -> list[Observation]:
        """All measured requests, window after window."""
        return [one for window in self.windows for one in window.seen]

    async def run(self, backend: Backend, watcher: Watcher) -> None:
        """Measures rate after rate.

        Raises:
            LtBenchError: no request can succeed; `windows` holds what was measured before.
        """
        self.facts, saturated = backend.facts, 0
        # Rendered now: a window may not wait for it.
        plans = [self.deck.plan(schedule) for schedule in self.schedules]
        for place, (schedule, plan) in enumerate(zip(self.schedules, plans, strict=True)):
            load = Load(backend, self.clock, self.bound, self.timeout)
            watcher.begin(schedule)
            try:
                await load.run(plan)
            finally:
                self.windows.append(_window(schedule, load))
                self.facts = backend.facts
            watcher.done(self.windows[-1])
            full = saturation(schedule.rate, self.windows[-1].seen).saturated
            saturated = saturated + 1 if full else 0
            left = self.schedules[place + 1 :]
            if saturated >= ENOUGH and left and not self.keep_going:
                rates = ", ".join(f"{one.rate:.4g}" for one in left)
                self.stopped = f"{saturated} rates in a row are saturated: {rates}/s not measured"
                return


def _window(schedule: Schedule, load: Load) -> Window:
    ordered = sorted(load.seen, key=lambda one: one.planned.index)
    return Window(
        schedule,
        tuple(one for one in ordered if not one.planned.warmup),
        tuple(one for one in ordered if one.planned.warmup),
        load.most_outstanding,
    )

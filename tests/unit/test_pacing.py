"""Adaptive concurrency on a virtual clock: where it settles, how it gets there, who is served."""

from __future__ import annotations

import asyncio
import itertools
import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from lt_bench.backends.pacing import FIRST, MOST, STEP, AdaptiveCap, Pace, Paced
from lt_bench.backends.retry import Fault, Retries
from lt_bench.errors import RowError
from lt_bench.run.latency.clock import run_virtually

TRIP = 0.2
"""Seconds from a request to its answer."""


@dataclass
class Crowd:
    """A server that refuses what is beyond `room`, and rows that are asked of it."""

    room: int
    pace: Pace = field(default_factory=Pace)
    wait: float = 0.05
    inside: int = 0
    requests: int = 0
    refusals: list[tuple[float, int]] = field(default_factory=list)
    entries: list[tuple[float, int]] = field(default_factory=list)
    exits: list[tuple[float, int]] = field(default_factory=list)
    caps: list[tuple[float, int]] = field(default_factory=list)
    early: int = 0

    async def ask(self, row: int) -> int:
        """One attempt."""
        now = asyncio.get_running_loop().time()
        self.requests += 1
        if any(who == row and now < at + self.wait for at, who in self.refusals[-200:]):
            self.early += 1
        if not self.caps or self.caps[-1][1] != self.pace.adaptive.cap:
            self.caps.append((now, self.pace.adaptive.cap))
        if self.inside >= self.room:
            self.refusals.append((now, row))
            raise Fault("rate_limited", "HTTP 429", self.wait)
        self.inside += 1
        self.entries.append((now, self.inside))
        await asyncio.sleep(TRIP)
        self.inside -= 1
        self.exits.append((asyncio.get_running_loop().time(), self.inside))
        return row

    async def run(self, rows: int) -> list[Any]:
        retries, queue = Retries(), iter(range(rows))
        found: list[Any] = []

        async def worker() -> None:
            for row in queue:
                paced = Paced(self.pace, self.ask)
                try:
                    answer, _ = await retries.run(
                        lambda row=row, paced=paced: paced.attempt(row),  # type: ignore[misc]
                        random.Random(row),
                    )
                except RowError as error:
                    answer = error
                found.append(answer)

        await asyncio.gather(*(worker() for _ in range(MOST)))
        return found

    def settled(self) -> float:
        """Mean number inside, over time, in the second half of the run but its end."""
        start, end = 0.5 * self.entries[-1][0], 0.95 * self.entries[-1][0]
        changes = sorted([(at, 1) for at, _ in self.entries] + [(at, -1) for at, _ in self.exits])
        area, inside, before = 0.0, 0, start
        for at, change in changes:
            if start <= at <= end:
                area += inside * (at - before)
                before = at
            inside += change
        return area / (before - start)


def test_it_settles_within_a_quarter_of_what_a_server_takes() -> None:
    for room in (8, 16, 50):
        crowd = Crowd(room)
        found = run_virtually(crowd.run(room * 150))
        assert sorted(found) == list(range(room * 150))
        late = [cap for at, cap in crowd.caps if at >= crowd.entries[-1][0] / 2]
        caps = late or [crowd.pace.adaptive.cap]
        assert all(0.75 * room <= cap <= 1.25 * room for cap in caps), caps
        assert 0.75 * room <= crowd.settled() <= room


def test_few_requests_are_refused_where_it_has_settled() -> None:
    crowd = Crowd(16)
    run_virtually(crowd.run(2000))
    assert 0 < len(crowd.refusals) < 0.2 * 2000


def test_a_refused_row_waits_as_told_and_is_then_served_before_new_ones() -> None:
    crowd = Crowd(16, wait=0.7)
    found = run_virtually(crowd.run(1000))
    assert crowd.refusals
    assert crowd.early == 0
    assert sorted(found) == list(range(1000))


def test_it_starts_slowly_and_grows_by_a_step_a_round_trip() -> None:
    crowd = Crowd(10_000)
    run_virtually(crowd.run(3000))
    assert sum(at < TRIP for at, _ in crowd.entries) == FIRST
    steps = [cap for _, cap in crowd.caps]
    assert steps == list(range(FIRST, FIRST + STEP * len(steps), STEP))
    times = [at for at, _ in crowd.caps]
    assert all(b - a >= 0.9 * TRIP for a, b in itertools.pairwise(times))


def test_it_never_grows_beyond_its_bound() -> None:
    crowd = Crowd(10_000, Pace(AdaptiveCap(most=10)))
    run_virtually(crowd.run(600))
    assert max(inside for _, inside in crowd.entries) == 10


def test_a_server_that_shrinks_is_followed_down_once_a_round_trip() -> None:
    crowd = Crowd(64)

    async def shrink() -> list[Any]:
        async def later() -> None:
            await asyncio.sleep(12.0)
            crowd.room = 8

        task = asyncio.create_task(later())
        found = await crowd.run(4000)
        await task
        return found

    found = run_virtually(shrink())
    assert len(found) == 4000
    downs = [at for (_, before), (at, after) in itertools.pairwise(crowd.caps) if after < before]
    assert len(downs) >= 2
    assert all(b - a >= 0.9 * TRIP for a, b in itertools.pairwise(downs))
    assert 0.75 * 8 <= crowd.pace.adaptive.cap <= 1.25 * 8


@pytest.mark.parametrize(("refused", "cap"), [(0, 18), (1, 16), (4, 16), (5, 11), (16, 8)])
def test_only_more_than_a_quarter_of_a_round_lowers_the_cap(refused: int, cap: int) -> None:
    adaptive = AdaptiveCap(first=16, step=2)
    numbers = [adaptive.sent() for _ in range(16)]
    for number in numbers:
        adaptive.ended(number, number, "refused" if number <= refused else "answered")
    assert adaptive.cap == cap


def test_the_cap_is_not_raised_where_it_was_not_used_up() -> None:
    adaptive = AdaptiveCap(first=8)
    for _ in range(40):
        number = adaptive.sent()
        adaptive.ended(number, number, "answered")
    assert adaptive.cap == 8


def test_other_faults_neither_raise_nor_lower_the_cap() -> None:
    adaptive = AdaptiveCap(first=4)
    for number in [adaptive.sent() for _ in range(4)]:
        adaptive.ended(number, number, "failed")
    assert adaptive.cap == 4


def test_one_row_that_is_refused_again_and_again_counts_once_a_round() -> None:
    adaptive = AdaptiveCap(first=8)
    for _ in range(20):
        adaptive.ended(adaptive.sent(), "stubborn", "refused")
    assert adaptive.cap == 8


def test_what_was_sent_before_the_cap_was_lowered_does_not_lower_it_again() -> None:
    adaptive = AdaptiveCap(first=8)
    old = [adaptive.sent() for _ in range(16)]
    for number in old:
        adaptive.ended(number, number, "refused")
    assert adaptive.cap == 4


def test_a_row_that_is_given_up_leaves_its_place_to_the_next() -> None:
    async def work() -> list[str]:
        pace, served = Pace(AdaptiveCap(first=1)), []

        async def row(name: str) -> None:
            number = await pace.enter(again=False)
            served.append(name)
            await asyncio.sleep(1.0)
            pace.leave(number, name, "failed")

        first, second, third = (asyncio.create_task(row(name)) for name in "abc")
        await asyncio.sleep(0.5)
        second.cancel()
        await asyncio.gather(first, third)
        assert pace.active == 0
        return served

    assert run_virtually(work()) == ["a", "c"]

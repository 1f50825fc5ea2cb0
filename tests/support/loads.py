"""Loads on a virtual clock: backends with known delays, and what they were seen to do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Self

from lt_bench.backends import ModelFacts, Request
from lt_bench.config import Sampling
from lt_bench.errors import RowError
from lt_bench.records import Example, Generation, Message, Prompt, Timings, Turn, Usage
from lt_bench.run.latency.clock import LoopClock, run_virtually
from lt_bench.run.latency.load import Load
from lt_bench.run.latency.observations import Observation, Planned

Delay = Callable[[int, float], float]
"""Number and time of a request -> seconds that it takes; a RowError raised in it is its failure."""


def generation(reply: str = "It is 99 yuan.", timings: Timings | None = None) -> Generation:
    usage = Usage(prompt=10, output=11, counted_by="provider")
    turn = Turn(
        reasoning="hm", reply=reply, finish_reason="stop", usage=usage, timings=timings or Timings()
    )
    return Generation(turns=(turn,))


class Parallel:
    """Answers any number of requests at once, each after its own delay."""

    concurrency = 1

    def __init__(self, delay: Delay, first: float = 0.0, spoken: float = 0.0) -> None:
        self.delay, self.first, self.spoken = delay, first, spoken
        self.count = 0

    @property
    def facts(self) -> ModelFacts:
        return ModelFacts(name="x", backend="test", fingerprint="x", counted_by=None)

    async def generate(self, request: Request) -> Generation:
        self.count += 1
        seconds = self.delay(self.count - 1, asyncio.get_running_loop().time())
        await asyncio.sleep(seconds)
        timings = Timings(first_token=self.first, first_reply_token=self.spoken, total=seconds)
        return generation(timings=timings)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None: ...


class OneByOne(Parallel):
    """Answers one request at a time, in the order in which they came."""

    def __init__(self, service: float) -> None:
        super().__init__(lambda number, now: service)
        self.service, self.free_at = service, 0.0

    async def generate(self, request: Request) -> Generation:
        now = asyncio.get_running_loop().time()
        start = max(now, self.free_at)
        self.free_at = round(start + self.service, 9)
        seconds = self.free_at - now
        await asyncio.sleep(seconds)
        return generation(timings=Timings(queued=start - now, total=seconds))


def planned(index: int, at: float) -> Planned:
    example = Example(id=f"e{index}", task="t", question="?", group=f"e{index}")
    prompt = Prompt(messages=(Message(role="user", content="?"),))
    return Planned(index, at, False, example, Request(prompt, Sampling(), example.id, 0))


def under_load(
    backend: Parallel, times: Sequence[float], *, bound: int = 10_000, timeout: float = 1e6
) -> Load:
    """The load of these arrivals, run to its end in virtual time."""
    load = Load(backend, LoopClock(), bound, timeout)
    run_virtually(load.run([planned(index, at) for index, at in enumerate(times)]))
    load.seen.sort(key=lambda one: one.planned.index)
    return load


def seen(seconds: float, at: float = 0.0, *, reply: str = "yes", kind: str = "") -> Observation:
    """One request that took so long, or failed."""
    if kind == "cancelled" or kind == "dropped":
        return Observation(planned(0, at), kind, at if kind == "cancelled" else None, None)
    if kind:
        from lt_bench.records import Failure

        failure = Failure(kind=kind, message="no")
        return Observation(planned(0, at), "error", at, at + seconds, failure=failure)
    made = generation(reply, Timings(first_token=0.0, first_reply_token=0.0, total=seconds))
    return Observation(planned(0, at), "ok", at, at + seconds, made)


def failing(error: RowError) -> float:
    """For a delay that is none."""
    raise error

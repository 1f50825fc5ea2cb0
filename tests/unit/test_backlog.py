"""Answers waiting for their scores: how many at once, in which order, and what stops them."""

from __future__ import annotations

import asyncio
import time

import pytest

from lt_bench.run.backlog import ROOM, TURN, Backlog
from lt_bench.run.latency.clock import run_virtually


@pytest.mark.parametrize("size", [1, 3, 64])
def test_so_many_run_at_once_and_all_of_them_run(size: int) -> None:
    running, most, done = 0, 0, []

    async def job(number: int) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(1.0)
        running -= 1
        done.append(number)

    async def work() -> None:
        async with Backlog(size) as backlog:
            for number in range(3 * ROOM):
                await backlog.add(job, number)

    run_virtually(work())
    assert most == size
    assert sorted(done) == list(range(3 * ROOM))


def test_one_at_a_time_keeps_the_order() -> None:
    done = []

    async def job(number: int) -> None:
        await asyncio.sleep(0.01 * (7 * number % 5))
        done.append(number)

    async def work() -> None:
        async with Backlog(1) as backlog:
            for number in range(200):
                await backlog.add(job, number)

    run_virtually(work())
    assert done == list(range(200))


def test_no_more_than_its_room_are_held_back() -> None:
    added = 0

    async def work() -> None:
        nonlocal added
        go = asyncio.Event()

        async def job() -> None:
            await go.wait()

        async def fill(backlog: Backlog) -> None:
            nonlocal added
            for _ in range(5 * ROOM):
                await backlog.add(job)
                added += 1

        async with Backlog(2) as backlog:
            filling = asyncio.create_task(fill(backlog))
            await asyncio.sleep(1.0)
            assert added == ROOM + 2
            go.set()
            await filling

    run_virtually(work())
    assert added == 5 * ROOM


def test_other_work_goes_on_between_jobs_that_take_long() -> None:
    told = []

    async def job(number: int) -> None:
        until = time.perf_counter() + 2 * TURN
        while time.perf_counter() < until:
            pass
        told.append(f"job {number}")

    async def work() -> None:
        async with Backlog(1) as backlog:
            for number in range(4):
                await backlog.add(job, number)
            for number in range(3):
                await asyncio.sleep(0)
                told.append(f"other {number}")

    asyncio.run(work())
    assert told.index("other 1") < told.index("job 3")


def test_the_first_error_ends_the_block_and_the_others() -> None:
    ended = []

    async def job(number: int) -> None:
        try:
            await asyncio.sleep(1.0 + number)
            if number == 1:
                raise ValueError("broken")
        finally:
            ended.append(number)

    async def work() -> None:
        async with Backlog(4) as backlog:
            for number in range(4):
                await backlog.add(job, number)

    with pytest.raises(ValueError, match="broken"):
        run_virtually(work())
    assert sorted(ended) == [0, 1, 2, 3]

"""How long an attempt is waited for, on a virtual clock."""

from __future__ import annotations

import asyncio

import pytest

from lt_bench.backends.openai.patience import Patience
from lt_bench.run.latency.clock import run_virtually


async def listen(patience: Patience, pauses: list[tuple[float, float]]) -> tuple[float, bool]:
    """Hears a piece after each pause, and names how long it waits for the next; then for ever.
    When it ended, and whether it was for silence."""
    loop = asyncio.get_running_loop()
    try:
        async with patience:
            for pause, wait in pauses:
                await asyncio.sleep(pause)
                patience.heard(wait)
            await asyncio.sleep(1e6)
    except TimeoutError:
        return loop.time(), patience.silent
    raise AssertionError("it never ended")


@pytest.mark.parametrize(
    ("total", "idle", "pauses", "end", "silent"),
    [
        (600.0, 300.0, [], 600.0, False),
        (10.0, 300.0, [], 10.0, False),
        (600.0, 300.0, [(5.0, 300.0)], 305.0, True),
        (600.0, 300.0, [(5.0, 300.0), (299.0, 300.0)], 600.0, False),
        (600.0, 20.0, [(100.0, 20.0), (19.0, 20.0), (19.0, 20.0)], 158.0, True),
        (600.0, 300.0, [(5.0, 300.0), (1.0, 2.0)], 8.0, True),
        (600.0, 300.0, [(5.0, 2.0), (1.0, 300.0)], 306.0, True),
    ],
)
def test_it_ends_at_the_first_of_both(
    total: float, idle: float, pauses: list[tuple[float, float]], end: float, silent: bool
) -> None:
    async def run() -> tuple[float, bool]:
        return await listen(Patience(total, idle), pauses)

    assert run_virtually(run()) == (pytest.approx(end), silent)


def test_who_is_done_in_time_is_not_disturbed_later() -> None:
    async def run() -> str:
        async with Patience(5.0, 1.0) as patience:
            await asyncio.sleep(0.5)
            patience.heard(1.0)
            await asyncio.sleep(0.9)
        await asyncio.sleep(100.0)
        return "done"

    assert run_virtually(run()) == "done"


def test_a_cancellation_from_outside_is_no_time_out() -> None:
    async def run() -> None:
        async with Patience(5.0, 1.0):
            await asyncio.sleep(3.0)

    async def outside() -> str:
        task = asyncio.create_task(run())
        await asyncio.sleep(1.0)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return "cancelled"
        raise AssertionError("it went on")

    assert run_virtually(outside()) == "cancelled"

"""The open-loop driver on a virtual clock: exact times, coordinated omission, drops, failures."""

from __future__ import annotations

import asyncio
import time
from statistics import median

import pytest
from support.loads import OneByOne, Parallel, failing, planned, under_load

from lt_bench.errors import RowError, RunError
from lt_bench.run.latency.clock import LoopClock, VirtualLoop, WallClock, run_virtually
from lt_bench.run.latency.load import Load
from lt_bench.run.latency.percentiles import figures


def test_hours_pass_at_once_and_times_are_exact() -> None:
    async def sleeper() -> list[float]:
        loop, moments = asyncio.get_running_loop(), []
        for _ in range(3):
            await asyncio.sleep(3600.1)
            moments.append(loop.time())
        return moments

    began = time.process_time()
    assert run_virtually(sleeper()) == [3600.1, 7200.2, 10800.3]
    assert time.process_time() - began < 1


def test_virtual_time_stands_still_while_anybody_works() -> None:
    async def worker() -> float:
        for _ in range(1000):
            await asyncio.sleep(0)
        return asyncio.get_running_loop().time()

    assert run_virtually(worker()) == 0.0
    assert VirtualLoop().time() == 0.0


def test_a_virtual_timeout_and_an_event_meet_in_the_right_order() -> None:
    async def race() -> tuple[str, float]:
        try:
            async with asyncio.timeout(0.3):
                await asyncio.sleep(0.1)
                await asyncio.sleep(0.3)
        except TimeoutError:
            return "timeout", asyncio.get_running_loop().time()
        return "slept", 0.0

    assert run_virtually(race()) == ("timeout", 0.3)


def test_every_statistic_of_a_single_server_queue_is_exact() -> None:
    """Arrivals each second, two seconds of work each: request k waits k seconds and takes k + 2."""
    load = under_load(OneByOne(2.0), [float(k) for k in range(400)])
    totals = figures(one.times["total"] for one in load.seen)
    assert [one.times["queueing"] for one in load.seen] == [float(k) for k in range(400)]
    assert totals.n == 400
    assert totals.mean == 199.5 + 2
    assert totals.quantiles["p50"].value == 199 + 2
    assert totals.quantiles["p95"].value == 379 + 2
    assert totals.quantiles["p99"].value == 395 + 2
    assert load.most_outstanding == 201


def test_each_time_is_what_the_backend_was_made_to_take() -> None:
    load = under_load(Parallel(lambda *_: 1.2, first=0.2, spoken=0.7), [0.1 * k for k in range(9)])
    for one in load.seen:
        assert one.times["lag"] == 0.0
        assert one.times["first_token"] == 0.2
        assert one.times["first_spoken"] == 0.7
        assert one.times["total"] == 1.2
        assert one.times["per_token"] == pytest.approx(0.1)


def test_a_stall_is_felt_by_all_who_arrived_in_it() -> None:
    """Ten requests a second; from 5 s to 10 s nothing is answered. A client that waits for each answer
    before it asks again would have sent one request into the stall, and p95 would hide it."""

    def delay(_: int, now: float) -> float:
        return (10.0 - now if 5.0 <= now < 10.0 else 0.0) + 0.01

    arrivals = [k / 10 for k in range(200)]
    felt = figures(one.times["total"] for one in under_load(Parallel(delay), arrivals).seen)
    assert felt.quantiles["p95"].value == pytest.approx(4.01)
    assert felt.quantiles["p50"].value == pytest.approx(0.01)
    closed = [delay(0, at) for at in arrivals if not 5.0 < at < 10.0]
    assert figures(closed).quantiles["p95"].value == pytest.approx(0.01)


def test_requests_go_out_on_time_whatever_is_outstanding() -> None:
    load = under_load(Parallel(lambda *_: 1000.0), [k / 100 for k in range(500)])
    assert load.most_outstanding == 500
    assert all(one.times["lag"] == 0.0 for one in load.seen)


def test_a_client_that_is_late_itself_counts_from_the_intended_arrival() -> None:
    """The process is busy for 0.2 s; the requests that were due meanwhile waited that long."""

    class Busy(Parallel):
        async def generate(self, request):
            if not self.count:
                time.sleep(0.2)  # noqa: ASYNC251
            return await super().generate(request)

    load = Load(Busy(lambda *_: 0.0), WallClock(), 100, 60.0)
    asyncio.run(load.run([planned(k, k / 100) for k in range(10)]))
    lags = sorted(one.times["lag"] or 0.0 for one in load.seen)
    assert lags[-1] > 0.15
    assert median(lags) > 0.1
    for one in load.seen:
        assert one.times["total"] >= one.times["lag"]


def test_requests_beyond_the_bound_are_dropped_and_told() -> None:
    load = under_load(Parallel(lambda *_: 10.0), [float(k) for k in range(20)], bound=5)
    dropped = [one.planned.index for one in load.seen if one.status == "dropped"]
    # Five are sent, five find no room; at 10 s the first answer is there.
    assert dropped == [5, 6, 7, 8, 9, 15, 16, 17, 18, 19]
    assert all(one.counts and not one.spoke for one in load.seen if one.status == "dropped")


def test_a_request_is_given_up_at_its_timeout() -> None:
    load = under_load(Parallel(lambda k, _: 1.0 if k else 99.0), [0.0, 1.0, 2.0], timeout=5.0)
    first = load.seen[0]
    assert first.failure
    assert first.failure.kind == "timeout"
    assert first.ended == 5.0
    assert [one.status for one in load.seen] == ["error", "ok", "ok"]


def test_a_failure_is_a_row_and_the_others_go_on() -> None:
    def delay(number: int, _: float) -> float:
        if number == 1:
            return failing(RowError("server", "HTTP 500", 2))
        return failing(RowError("content_filter", "no")) if number == 2 else 1.0

    load = under_load(Parallel(delay), [0.0, 1.0, 2.0, 3.0])
    assert [one.status for one in load.seen] == ["ok", "error", "refused", "ok"]
    assert load.seen[1].failure
    assert load.seen[1].failure.attempts == 2


def test_a_dead_server_ends_the_load_and_keeps_what_was_seen() -> None:
    def delay(number: int, _: float) -> float:
        if number == 3:
            raise RunError("nobody listens", "start it")
        return 0.5 if number < 2 else 99.0

    load = Load(Parallel(delay), LoopClock(), 100, 1e6)
    with pytest.raises(RunError, match="nobody listens"):
        run_virtually(load.run([planned(k, float(k)) for k in range(9)]))
    assert [one.status for one in load.seen] == ["ok", "ok", "error", "cancelled"]


def test_a_cancelled_load_tells_finished_from_outstanding() -> None:
    async def broken_off(load: Load) -> None:
        task = asyncio.create_task(load.run([planned(k, float(k)) for k in range(9)]))
        await asyncio.sleep(4.5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    load = Load(Parallel(lambda *_: 2.0), LoopClock(), 100, 1e6)
    run_virtually(broken_off(load))
    fates = [one.status for one in load.seen]
    assert (fates.count("ok"), fates.count("cancelled"), len(fates)) == (3, 2, 5)


def test_a_backend_that_tells_no_times_is_timed_from_outside() -> None:
    class Untimed(Parallel):
        async def generate(self, request):
            await asyncio.sleep(0.75)
            from support.loads import generation

            return generation()

    (one,) = under_load(Untimed(lambda *_: 0.0), [0.0]).seen
    assert one.times["total"] == 0.75
    assert one.times["first_token"] is None
    assert one.times["first_spoken"] is None

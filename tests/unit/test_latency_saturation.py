"""Whether a server keeps up: told from queues that grow, and not told from those that do not."""

from __future__ import annotations

from support.loads import OneByOne, Parallel, failing, seen, under_load

from lt_bench.errors import RowError
from lt_bench.run.latency.arrivals import Arrivals, Size
from lt_bench.run.latency.saturation import saturation


def arrivals(rate: float, requests: int, seed: int) -> tuple[float, ...]:
    return Arrivals("poisson").schedule(rate, Size(requests=requests, warmup=0), seed).times


def test_a_queue_beyond_its_capacity_is_saturated() -> None:
    for rate in (6.0, 8.0, 16.0):
        for seed in range(5):
            load = under_load(OneByOne(0.25), arrivals(rate, 100, seed))
            found = saturation(rate, load.seen)
            assert found.saturated, (rate, seed, found)
            assert f"saturated at {rate:g}/s" in found.sentence
            assert found.growth is not None
            assert found.growth > 0


def test_a_queue_a_quarter_beyond_is_told_in_most_windows_of_a_hundred() -> None:
    told = [
        bool(saturation(5.0, under_load(OneByOne(0.25), arrivals(5.0, 100, seed)).seen).saturated)
        for seed in range(30)
    ]
    assert sum(told) >= 24


def test_a_queue_below_its_capacity_is_not() -> None:
    """Load 0.25 and 0.5 in a hundred windows each: alarms must be rare although waits come in runs."""
    for load, allowed in ((0.25, 2), (0.5, 5)):
        alarms = sum(
            bool(
                saturation(
                    load / 0.25, under_load(OneByOne(0.25), arrivals(load / 0.25, 100, seed)).seen
                ).saturated
            )
            for seed in range(100)
        )
        assert alarms <= allowed, (load, alarms)


def test_long_answers_in_a_short_window_are_no_sign_of_saturation() -> None:
    """A window of a second, answers of five to seven: nothing is answered while requests arrive."""
    for seed in range(20):
        load = under_load(
            Parallel(lambda number, _: 5.0 + (number * 7 % 20) / 10), arrivals(100.0, 100, seed)
        )
        assert not saturation(100.0, load.seen).saturated


def test_drops_and_refusals_for_load_are_signs_of_it_and_faults_are_not() -> None:
    dropped = under_load(Parallel(lambda *_: 50.0), [k / 10 for k in range(100)], bound=60)
    assert "40 requests were dropped" in saturation(10.0, dropped.seen).sentence

    def refusing(kind: str):
        def delay(number: int, _: float) -> float:
            return failing(RowError(kind, "no")) if number % 3 else 0.1  # type: ignore[arg-type]

        return delay

    times = [k / 10 for k in range(100)]
    busy = saturation(10.0, under_load(Parallel(refusing("rate_limited")), times).seen)
    assert busy.saturated
    assert "34 of 100 requests were answered" in busy.sentence
    faulty = saturation(10.0, under_load(Parallel(refusing("server")), times).seen)
    assert faulty.saturated is None
    assert faulty.sentence == "66 of 100 requests failed: too few answers to tell"

    def now_and_then(number: int, _: float) -> float:
        return 0.1 if number % 3 else failing(RowError("server", "no"))

    assert saturation(10.0, under_load(Parallel(now_and_then), times).seen).saturated is False


def test_few_requests_tell_nothing() -> None:
    found = saturation(1.0, [seen(0.1, float(k)) for k in range(19)])
    assert found.saturated is None
    assert "too few requests" in found.sentence
    assert saturation(1.0, []).saturated is None


def test_equal_times_are_no_trend() -> None:
    assert saturation(1.0, [seen(0.1, float(k)) for k in range(60)]).saturated is False
    assert saturation(1.0, [seen(0.1, 0.0) for _ in range(60)]).saturated is False

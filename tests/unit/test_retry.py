"""Bounded retries: what is tried again, how often, and after how long."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from lt_bench.backends.retry import RETRIED, Fault, Retries, retry_after
from lt_bench.errors import FailureKind, RowError

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


class Clock:
    """Counts the sleeps instead of sleeping."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def run(faults: list[Fault], clock: Clock | None = None, **settings: float) -> tuple[str, int]:
    """Fail once with each fault, then answer."""
    left: Iterator[Fault] = iter(faults)

    async def attempt() -> str:
        fault = next(left, None)
        if fault is not None:
            raise fault
        return "answer"

    retries = Retries(sleep=(clock or Clock()).sleep, **settings)  # type: ignore[arg-type]
    return asyncio.run(retries.run(attempt, random.Random(7)))


def test_first_answer_counts_one_attempt() -> None:
    assert run([]) == ("answer", 1)


@pytest.mark.parametrize("kind", sorted(RETRIED))
def test_f63_passing_faults_are_retried(kind: FailureKind) -> None:
    assert run([Fault(kind, "x"), Fault(kind, "y")]) == ("answer", 3)


@pytest.mark.parametrize("kind", ["bad_request", "auth", "content_filter"])
def test_refusals_are_not_retried(kind: FailureKind) -> None:
    clock = Clock()
    with pytest.raises(RowError) as caught:
        run([Fault(kind, "no")], clock)
    assert (caught.value.kind, caught.value.attempts, clock.slept) == (kind, 1, [])


def test_f63_retries_are_bounded_and_the_attempts_are_told() -> None:
    clock = Clock()
    with pytest.raises(RowError, match="HTTP 500") as caught:
        run([Fault("server", f"HTTP 500 no. {n}") for n in range(9)], clock, max_attempts=4)
    assert caught.value.attempts == 4
    assert str(caught.value) == "HTTP 500 no. 3"
    assert len(clock.slept) == 3


def test_one_attempt_means_no_retry() -> None:
    clock = Clock()
    with pytest.raises(RowError):
        run([Fault("server", "x")], clock, max_attempts=1)
    assert clock.slept == []


def test_pauses_grow_exponentially_within_full_jitter_and_a_ceiling() -> None:
    retries = Retries(base=1.0, ceiling=8.0)
    rng = random.Random(0)
    for failures, top in enumerate([1.0, 2.0, 4.0, 8.0, 8.0], start=1):
        drawn = [retries.pause(failures, None, rng) for _ in range(400)]
        assert 0.0 <= min(drawn) < 0.05 * top
        assert 0.95 * top < max(drawn) <= top


def test_pauses_are_the_same_for_the_same_seed() -> None:
    first, second = Clock(), Clock()
    for clock in (first, second):
        run([Fault("server", "x")] * 4, clock)
    assert first.slept == second.slept
    assert len(set(first.slept)) == 4


def test_hundreds_of_failures_do_not_overflow() -> None:
    assert Retries(ceiling=5.0).pause(5000, None, random.Random(0)) <= 5.0


def test_f65_retry_after_is_never_undercut() -> None:
    clock = Clock()
    assert run([Fault("rate_limited", "429", wait=2.0)], clock) == ("answer", 2)
    assert 2.0 <= clock.slept[0] <= 3.0


def test_f65_a_wait_beyond_reason_fails_the_row_and_says_so() -> None:
    clock = Clock()
    with pytest.raises(RowError, match=r"asks to wait 3600 s, more than backend\.max_wait=60") as e:
        run([Fault("rate_limited", "HTTP 429", wait=3600.0)], clock, max_wait=60.0)
    assert (e.value.kind, e.value.attempts, clock.slept) == ("rate_limited", 1, [])


def test_other_exceptions_pass_at_once() -> None:
    async def attempt() -> None:
        raise KeyError("bug")

    with pytest.raises(KeyError):
        asyncio.run(Retries(sleep=Clock().sleep).run(attempt, random.Random(0)))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "2"}, 2.0),
        ({"Retry-After": " 0.5 "}, 0.5),
        ({"Retry-After": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30.0),
        ({"Retry-After": "Sunday, 01-Mar-26 12:00:30 GMT"}, 30.0),
        ({"Retry-After": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"Retry-After": "Sun, 01 Mar 2026 13:00:30 +0100"}, 30.0),
        ({"retry-after-ms": "250", "Retry-After": "1"}, 0.25),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "Sun, 99 Foo 2026 99:99:99 GMT"}, None),
        ({"Retry-After": ""}, None),
        ({}, None),
    ],
)
def test_f65_retry_after_as_seconds_or_date(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


def test_faults_of_a_server_that_answers_others_do_not_lengthen_the_pauses() -> None:
    def pauses(*, passing: bool) -> float:
        faults = [Fault("server", "500") for _ in range(5)]
        for fault in faults:
            fault.passing = passing
        clock = Clock()
        run(faults, clock, base=1.0, growth=4.0, ceiling=1000.0)
        return max(clock.slept)

    assert pauses(passing=True) <= 1.0
    assert pauses(passing=False) > 4.0

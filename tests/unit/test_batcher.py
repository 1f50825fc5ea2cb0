"""The batcher: who shares a batch, whose failure is whose, and what cancelling does."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lt_bench.backends.batcher import Batch, Batcher, Ticket, pick
from lt_bench.errors import LtBenchError, RowError, RunError


class Recorder:
    """Doubles numbers and remembers the batches they came in."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.batches: list[list[int]] = []
        self.seconds = seconds

    def __call__(self, batch: Sequence[Ticket[int, int]]) -> list[int | LtBenchError]:
        self.batches.append([ticket.item for ticket in batch])
        time.sleep(self.seconds)
        return [ticket.item * 2 for ticket in batch]


async def ask_all(batcher: Batcher[int, int], items: Sequence[int], key: Any = "k") -> list[Any]:
    asks = (batcher.submit(item, key=key, length=item) for item in items)
    answers = await asyncio.gather(*asks, return_exceptions=True)
    await batcher.close()
    return list(answers)


def tickets(rows: Sequence[tuple[str, int]]) -> list[Ticket[int, int]]:
    return [Ticket(index, key, length, None) for index, (key, length) in enumerate(rows)]  # type: ignore[arg-type]


def test_every_caller_gets_its_own_answer_from_length_sorted_batches() -> None:
    work = Recorder()
    items = [7, 1, 5, 3, 8, 2, 6, 4]
    answers = asyncio.run(ask_all(Batcher(work, size=4), items))
    assert answers == [item * 2 for item in items]
    assert sorted(map(sorted, work.batches)) == [[1, 2, 3, 4], [5, 6, 7, 8]]


def test_only_equal_keys_share_a_batch() -> None:
    seen: list[set[str]] = []

    def work(batch: Sequence[Ticket[str, str]]) -> list[str | LtBenchError]:
        seen.append({str(ticket.key) for ticket in batch})
        return [ticket.item for ticket in batch]

    async def main() -> None:
        batcher = Batcher(work, size=8)
        await asyncio.gather(*(batcher.submit("x", key=f"k{i % 3}", length=i) for i in range(12)))
        await batcher.close()

    asyncio.run(main())
    assert sorted(map(tuple, seen)) == [("k0",), ("k1",), ("k2",)]


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 9)), min_size=1, max_size=40),
    st.integers(1, 8),
)
def test_pick_takes_the_oldest_its_key_only_and_neighbours_in_length(
    rows: list[tuple[str, int]], size: int
) -> None:
    waiting = tickets(rows)
    batch = pick(waiting, size)
    group = [ticket for ticket in waiting if ticket.key == waiting[0].key]
    assert waiting[0] in batch
    assert len(batch) == min(size, len(group))
    assert {ticket.key for ticket in batch} == {waiting[0].key}
    inside = [ticket.length for ticket in batch]
    rest = [ticket.length for ticket in group if ticket not in batch]
    assert not any(min(inside) < length < max(inside) for length in rest)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60), st.integers(1, 8))
def test_pick_leaves_at_most_one_short_batch(lengths: list[int], size: int) -> None:
    waiting = tickets([("k", length) for length in lengths])
    sizes = []
    while waiting:
        batch = pick(waiting, size)
        sizes.append(len(batch))
        waiting = [ticket for ticket in waiting if ticket not in batch]
    assert sum(count < size for count in sizes) <= 1


def test_f63_a_failing_batch_fails_only_its_rows() -> None:
    def work(batch: Sequence[Ticket[int, int]]) -> list[int | LtBenchError]:
        if any(ticket.item == 3 for ticket in batch):
            raise ValueError("bad weights")
        return [ticket.item for ticket in batch]

    answers = asyncio.run(ask_all(Batcher(work, size=2), [1, 2, 3, 4, 5, 6]))
    failed = [item for item, answer in enumerate(answers, 1) if isinstance(answer, RowError)]
    assert failed == [3, 4]
    assert {answer.kind for answer in answers if isinstance(answer, RowError)} == {"model"}
    assert len({id(answers[2]), id(answers[3])}) == 2


def test_an_error_in_an_answers_place_fails_that_row_alone() -> None:
    def work(batch: Sequence[Ticket[int, int]]) -> list[int | LtBenchError]:
        return [
            RowError("bad_request", "too long") if ticket.item == 2 else ticket.item
            for ticket in batch
        ]

    answers = asyncio.run(ask_all(Batcher(work, size=4), [1, 2, 3]))
    assert (answers[0], answers[2]) == (1, 3)
    assert isinstance(answers[1], RowError)
    assert answers[1].kind == "bad_request"


def test_a_run_error_reaches_every_row_of_its_batch_with_its_fix() -> None:
    def work(batch: Sequence[Ticket[int, int]]) -> list[int | LtBenchError]:
        raise RunError("the device failed", "restart it")

    answers = asyncio.run(ask_all(Batcher(work, size=4), [1, 2]))
    assert [str(answer) for answer in answers] == ["the device failed\nfix: restart it"] * 2
    assert all(isinstance(answer, RunError) for answer in answers)


def test_cancelled_rows_are_skipped_and_the_others_answered() -> None:
    work = Recorder(seconds=0.05)

    async def main() -> list[Any]:
        batcher = Batcher(work, size=2)
        tasks = [
            asyncio.create_task(batcher.submit(item, key="k", length=item)) for item in range(6)
        ]
        await asyncio.sleep(0.03)
        tasks[4].cancel()
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        await batcher.close()
        return answers

    answers = asyncio.run(main())
    assert 4 not in [item for batch in work.batches for item in batch]
    assert isinstance(answers[4], asyncio.CancelledError)
    assert [answers[item] for item in (0, 1, 2, 3, 5)] == [0, 2, 4, 6, 10]


def test_the_event_loop_stays_alive_while_a_batch_runs() -> None:
    async def main() -> int:
        batcher = Batcher(Recorder(seconds=0.2), size=2)
        ask = asyncio.create_task(batcher.submit(1, key="k", length=1))
        ticks = 0
        while not ask.done():
            await asyncio.sleep(0.01)
            ticks += 1
        await batcher.close()
        return ticks

    assert asyncio.run(main()) >= 5


def test_close_cancels_running_rows_so_that_the_engine_can_stop_early() -> None:
    stopped = threading.Event()

    def work(batch: Sequence[Ticket[int, int]]) -> list[int | LtBenchError]:
        for _ in range(500):
            if all(ticket.settled for ticket in batch):
                stopped.set()
                break
            time.sleep(0.01)
        return [0 for _ in batch]

    async def main() -> float:
        batcher = Batcher(work, size=2)
        tasks = [
            asyncio.create_task(batcher.submit(item, key="k", length=item)) for item in range(5)
        ]
        await asyncio.sleep(0.05)
        start = time.perf_counter()
        await batcher.close()
        assert all(
            isinstance(each, asyncio.CancelledError)
            for each in await asyncio.gather(*tasks, return_exceptions=True)
        )
        return time.perf_counter() - start

    assert asyncio.run(main()) < 1.0
    assert stopped.is_set()


def test_submitting_after_close_is_refused() -> None:
    async def main() -> None:
        batcher = Batcher(Recorder(), size=2)
        await batcher.close()
        with pytest.raises(RuntimeError, match="closed"):
            await batcher.submit(1, key="k", length=1)

    asyncio.run(main())


def test_late_callers_are_served_after_an_idle_time() -> None:
    async def main() -> list[int]:
        batcher = Batcher(Recorder(), size=2)
        first = await batcher.submit(1, key="k", length=1)
        await asyncio.sleep(0.05)
        second = await batcher.submit(2, key="k", length=1)
        await batcher.close()
        return [first, second]

    assert asyncio.run(main()) == [2, 4]


def test_a_finished_row_is_answered_while_its_batch_goes_on() -> None:
    release = threading.Event()

    def work(tickets: Sequence[Ticket[str, str]]) -> list[str]:
        tickets[0].answer("early")
        assert release.wait(10)
        return [f"late {ticket.item}" for ticket in tickets]

    async def main() -> tuple[str, str]:
        batcher: Batcher[str, str] = Batcher(work, size=2)
        first = asyncio.create_task(batcher.submit("a", key=0, length=1))
        second = asyncio.create_task(batcher.submit("b", key=0, length=2))
        early = await asyncio.wait_for(first, 10)
        assert not second.done()
        release.set()
        late = await second
        await batcher.close()
        return early, late

    assert asyncio.run(main()) == ("early", "late b")


# --- joining a running batch ------------------------------------------------------------------


class Joining:
    """Answers its batch, then everything that `more` brings, `size` at a time; the batches of
    other keys are only recorded."""

    def __init__(self, size: int, seconds: float = 0.02) -> None:
        self.size, self.seconds = size, seconds
        self.runs: list[list[str]] = []

    def __call__(self, batch: Batch[str, str]) -> list[str | LtBenchError]:
        run = [ticket.item for ticket in batch]
        self.runs.append(run)
        time.sleep(self.seconds)
        while joined := batch.more(self.size):
            for ticket in joined:
                run.append(ticket.item)
                ticket.answer(ticket.item.upper())
            time.sleep(self.seconds)
        return [ticket.item.upper() for ticket in batch]


async def submit_all(batcher: Batcher[str, str], items: Sequence[tuple[str, str]]) -> list[Any]:
    asks = [batcher.submit(item, key=key, length=len(item)) for item, key in items]
    answers = await asyncio.gather(*asks, return_exceptions=True)
    await batcher.close()
    return list(answers)


def test_waiting_tickets_join_the_running_batch_and_are_answered() -> None:
    work = Joining(3)
    items = [(f"row{index}", "k") for index in range(20)]
    answers = asyncio.run(submit_all(Batcher(work, size=4), items))
    assert answers == [item.upper() for item, _ in items]
    assert len(work.runs) == 1
    assert sorted(work.runs[0]) == sorted(item for item, _ in items)


def test_nobody_joins_while_an_older_ticket_of_another_key_waits() -> None:
    work = Joining(1)
    items = [("a1", "a"), ("b1", "b"), ("a2", "a"), ("a3", "a"), ("b2", "b")]
    answers = asyncio.run(submit_all(Batcher(work, size=1), items))
    assert answers == [item.upper() for item, _ in items]
    assert work.runs[0] == ["a1"]
    assert work.runs[1][0] == "b1"


def test_late_callers_join_too() -> None:
    seen = threading.Event()

    def work(batch: Batch[str, str]) -> list[str | LtBenchError]:
        for _ in range(500):
            for ticket in batch.more(1):
                ticket.answer("joined")
                seen.set()
            if seen.is_set():
                break
            time.sleep(0.01)
        return ["first"]

    async def main() -> list[str]:
        batcher: Batcher[str, str] = Batcher(work, size=8)
        first = asyncio.create_task(batcher.submit("a", key="k", length=1))
        await asyncio.sleep(0.05)
        late = await batcher.submit("b", key="k", length=1)
        answers = [await first, late]
        await batcher.close()
        return answers

    assert asyncio.run(main()) == ["first", "joined"]


@pytest.mark.parametrize("error", [ValueError("bad weights"), RunError("device", "restart it")])
def test_a_failing_run_fails_those_who_joined_it_too(error: Exception) -> None:
    def work(batch: Batch[str, str]) -> list[str | LtBenchError]:
        joined = batch.more(2)
        if joined:
            joined[0].answer("in time")
            raise error
        return ["alone" for _ in batch]

    items = [(str(index), "k") for index in range(3)]
    answers = asyncio.run(submit_all(Batcher(work, size=1), items))
    assert answers.count("in time") == 1
    failed = [answer for answer in answers if isinstance(answer, LtBenchError)]
    assert len(failed) == 2
    assert len({id(answer) for answer in failed}) == 2


def test_a_joined_ticket_that_nobody_answers_is_an_error_and_no_hang() -> None:
    def work(batch: Batch[str, str]) -> list[str | LtBenchError]:
        batch.more(5)
        return ["first" for _ in batch]

    async def main() -> list[Any]:
        asked = submit_all(Batcher(work, size=1), [("a", "k"), ("b", "k")])
        return await asyncio.wait_for(asked, 10)

    answers = asyncio.run(main())
    assert answers.count("first") == 1
    assert sum(isinstance(answer, RowError) for answer in answers) == 1


def test_cancelled_tickets_never_join_and_close_cancels_those_that_did() -> None:
    joined: list[str] = []
    stopped = threading.Event()

    def work(batch: Batch[str, str]) -> list[str | LtBenchError]:
        time.sleep(0.05)
        tickets = batch.more(10)
        joined.extend(ticket.item for ticket in tickets)
        for _ in range(500):
            if all(ticket.settled for ticket in tickets):
                stopped.set()
                break
            time.sleep(0.01)
        return ["" for _ in batch]

    async def main() -> None:
        batcher: Batcher[str, str] = Batcher(work, size=1)
        tasks = [
            asyncio.create_task(batcher.submit(str(place), key="k", length=1)) for place in range(4)
        ]
        await asyncio.sleep(0.03)
        tasks[2].cancel()
        await asyncio.sleep(0.1)
        await batcher.close()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())
    assert "2" not in joined
    assert len(joined) == 2
    assert stopped.is_set()

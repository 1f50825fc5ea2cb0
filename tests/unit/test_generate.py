"""Asking for what is owed: as many at once as there are rows, and never more than the backend takes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from lt_bench.backends import Request
from lt_bench.config import Sampling
from lt_bench.errors import RowError, RunError
from lt_bench.records import Generation, Sample
from lt_bench.run.generate import Work, generate, plan
from lt_bench.run.journal import Journal
from lt_bench.task import Task


class Counting:
    """Counts who is asked at once, and the tasks that there are meanwhile."""

    def __init__(self, concurrency: int, *, dead: bool = False) -> None:
        self.concurrency, self.dead = concurrency, dead
        self.now = self.most = self.tasks = 0

    async def generate(self, request: Request) -> Generation:
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(100):  # turns, not seconds: whoever may ask has had one by then
            await asyncio.sleep(0)
        self.tasks = max(self.tasks, len(asyncio.all_tasks()))
        self.now -= 1
        raise RowError("server" if self.dead else "content_filter", "no")


def works(rows: int) -> Iterator[Work]:
    task = Task.load("musique", ())
    examples = list(task.stream(task.sample, rows)) if rows else []
    return plan(task, examples, 4, Sampling(), "f")


def asked(backend: Counting, rows: int, folder: Path) -> list[Sample]:
    done = list[Sample]()

    async def finished(work: Work, sample: Sample) -> None:
        done.append(sample)

    with Journal(folder / "generations.jsonl", Sample) as journal:
        asyncio.run(generate(backend, works(rows), journal, finished))  # type: ignore[arg-type]
    return done


@pytest.mark.parametrize(
    ("concurrency", "rows", "most"), [(50_000, 5, 20), (20, 5, 20), (7, 5, 7), (1, 1, 1), (9, 0, 0)]
)
def test_as_many_are_asked_at_once_as_there_is_work_for(
    concurrency: int, rows: int, most: int, tmp_path: Path
) -> None:
    backend = Counting(concurrency)
    done = asked(backend, rows, tmp_path)
    assert (
        len({(one.key.example_id, one.key.sample_index) for one in done}) == len(done) == 4 * rows
    )
    assert backend.most == most
    assert backend.tasks <= most + 4


def test_a_server_that_has_died_ends_all_of_them(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="the last 32 requests all failed: no"):
        asked(Counting(3, dead=True), 20, tmp_path)

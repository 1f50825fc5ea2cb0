"""Asks the model for every sample that the journal does not hold yet."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from lt_bench.backends import Backend, Request
from lt_bench.config import Sampling, digest
from lt_bench.errors import RowError, RunError
from lt_bench.records import Example, Failure, Sample, SampleKey, Status
from lt_bench.run.journal import GROUP_SECONDS, Journal
from lt_bench.task import Task


@dataclass(frozen=True)
class Work:
    """One sample to be had."""

    key: SampleKey
    example: Example
    request: Request


def plan(
    task: Task, examples: Iterable[Example], samples: int, sampling: Sampling, fingerprint: str
) -> list[Work]:
    """Every sample of a run in order: what is asked, and the key it is filed under."""
    return [
        work
        for example in examples
        for work in _samples_of(task, example, samples, sampling, fingerprint)
    ]


def _samples_of(
    task: Task, example: Example, samples: int, sampling: Sampling, fingerprint: str
) -> Iterator[Work]:
    prompt = task.prompt(example)
    for index in range(samples):
        own = sampling.model_copy(update={"seed": sample_seed(sampling.seed, example.id, index)})
        sha = digest([prompt.model_dump(mode="json"), own.model_dump(mode="json"), fingerprint])
        key = SampleKey(example_id=example.id, sample_index=index, request_sha=sha)
        yield Work(key, example, Request(prompt, own, example.id, index))


def sample_seed(seed: int, example_id: str, index: int) -> int:
    """The seed of one sample (31 bits), so that its draws do not depend on the rows beside it."""
    return int(sha256(f"{seed}|{example_id}|{index}".encode()).hexdigest()[:8], 16) >> 1


async def generate(
    backend: Backend,
    owed: Iterable[Work],
    journal: Journal[Sample],
    finished: Callable[[Work, Sample], Awaitable[None]],
) -> None:
    """Journals one Sample for each piece of work, then hands it to `finished`.

    A row that fails becomes a Failure and the others go on.

    Raises:
        RunError: no request can succeed, or the disk is full. Finished rows are in the journal.
    """
    queue, breaker = iter(owed), _Breaker(max(32, 2 * backend.concurrency))

    async def worker() -> None:
        for work in queue:
            sample = await _ask(backend, work)
            journal.append(sample)
            await finished(work, sample)
            breaker.saw(sample)

    async def sync_now_and_then() -> None:
        while True:
            await asyncio.sleep(GROUP_SECONDS)
            await asyncio.to_thread(journal.sync)

    syncing = asyncio.create_task(sync_now_and_then())
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(backend.concurrency):
                group.create_task(worker())
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    finally:
        syncing.cancel()
        journal.sync()


async def _ask(backend: Backend, work: Work) -> Sample:
    try:
        generation = await backend.generate(work.request)
    except RowError as error:
        failure = Failure(kind=error.kind, message=error.cause, attempts=error.attempts)
        status: Status = "refused" if error.kind == "content_filter" else "error"
        return Sample(key=work.key, status=status, failure=failure)
    return Sample(key=work.key, status=generation.status, generation=generation)


class _Breaker:
    """Stops a run whose requests have all failed for a long while: the server has died."""

    def __init__(self, patience: int) -> None:
        self.patience, self.failed = patience, 0

    def saw(self, sample: Sample) -> None:
        self.failed = self.failed + 1 if sample.status == "error" else 0
        if self.failed >= self.patience and sample.failure:
            raise RunError(
                f"the last {self.failed} requests all failed: {sample.failure.message}",
                "mend the cause, then run the same command again: it goes on where it stopped",
            )


def owed(work: Iterable[Work], done: Mapping[SampleKey, Sample]) -> list[Work]:
    """What has no outcome yet, or only an infrastructure error."""
    return [w for w in work if w.key not in done or done[w.key].status == "error"]

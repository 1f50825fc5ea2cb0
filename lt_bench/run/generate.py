"""Asks the model for every sample that the journal does not hold yet."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import Final

import orjson

from lt_bench.backends import Backend, Request
from lt_bench.config import Sampling
from lt_bench.errors import RowError, RunError
from lt_bench.records import Example, Failure, Generation, Prompt, Sample, SampleKey, Status
from lt_bench.run.dialogue import converse
from lt_bench.run.journal import Journal
from lt_bench.task import MAX_TURNS, Task

AHEAD: Final = 2048
"""Pieces of work that are made before they are needed: all of a small run before the first request,
so that a prompt that does not fill in is found while nothing is paid yet."""


@dataclass(slots=True)
class Work:
    """One sample to be had. `again` reads its row once more, where rows can be read by number;
    `max_turns` bounds a dialogue with tools."""

    key: SampleKey
    held: Example | None
    request: Request
    again: Callable[[], Example] | None = None
    max_turns: int = MAX_TURNS

    @property
    def example(self) -> Example:
        if self.held is not None:
            return self.held
        assert self.again is not None
        return self.again()

    def put_aside(self) -> None:
        """Leaves the row where it can be read again: many that wait at once take too much memory."""
        if self.again is not None:
            self.held = None


def plan(
    task: Task,
    examples: Iterable[Example],
    samples: int,
    sampling: Sampling,
    fingerprint: str,
    wanted: Callable[[str, int], bool] | None = None,
) -> Iterator[Work]:
    """The samples of a run in order, one at a time: what is asked, and the key it is filed under.

    That key has a hash of everything that determines the answer: `config.digest` of prompt, sampling
    and fingerprint, and of a row's world and the cap of its turns where it has one. `wanted` tells of an example's id and a sample's index whether that sample is owed (None: all).
    """
    by_number = examples.__getitem__ if isinstance(examples, Sequence) else None
    for number, example in enumerate(examples):
        indices = range(samples)
        owed = [index for index in indices if wanted is None or wanted(example.id, index)]
        if owed:
            again = partial(by_number, number) if by_number else None
            yield from _samples_of(task, example, owed, sampling, fingerprint, again)


def _samples_of(
    task: Task,
    example: Example,
    indices: Iterable[int],
    sampling: Sampling,
    fingerprint: str,
    again: Callable[[], Example] | None,
) -> Iterator[Work]:
    prompt = task.prompt(example)
    asked = _canonical_prompt(prompt)
    turns = task.max_turns if example.world is not None else 1
    world = [] if example.world is None else [example.world.model_dump(mode="json"), turns]
    for index in indices:
        own = sampling.model_copy(update={"seed": sample_seed(sampling.seed, example.id, index)})
        rest = _canonical([own.model_dump(mode="json"), fingerprint, *world])
        sha = sha256(b"[" + asked + b"," + rest[1:]).hexdigest()
        key = SampleKey(example_id=example.id, sample_index=index, request_sha=sha)
        yield Work(key, example, Request(prompt, own, example.id, index), again, turns)


def _canonical_prompt(prompt: Prompt) -> bytes:
    """Its canonical JSON. Without tools a prompt is strings alone, which orjson writes in the same way
    as the standard library, and sooner."""
    fields = prompt.model_dump(mode="json")
    if prompt.tools or any(message.tool_calls for message in prompt.messages):
        return _canonical(fields)
    try:
        return orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # half a surrogate pair
        return _canonical(fields)


_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _canonical(value: object) -> bytes:
    """The text that `digest` hashes."""
    return _ENCODER.encode(value).encode("utf-8", "surrogatepass")


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
    queue = _Ahead(owed, AHEAD)
    breaker = _Breaker(max(32, 2 * min(backend.concurrency, 64)))

    many = backend.concurrency > AHEAD
    workers: list[asyncio.Task[None]] = []

    async def worker() -> None:
        while (work := queue.next()) is not None:
            # As many as there is work for: who finds some sees to it that another one looks.
            if len(workers) < backend.concurrency:
                workers.append(group.create_task(worker()))
            if many:
                work.put_aside()
            sample = journal.append(await ask(backend, work))
            await finished(work, sample)
            breaker.saw(sample)

    try:
        async with asyncio.TaskGroup() as group:
            filling = group.create_task(queue.fill())
            workers.append(group.create_task(worker()))
            while busy := [one for one in workers if not one.done()]:
                await asyncio.wait(busy)
            filling.cancel()
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    finally:
        journal.sync()


class _Ahead:
    """Work that is made while the loop has nothing better to do; whoever finds none makes it."""

    def __init__(self, work: Iterable[Work], size: int) -> None:
        self._rest, self._size = iter(work), size
        self._made = deque(islice(self._rest, size))
        self._low = asyncio.Event()

    def next(self) -> Work | None:
        """The next piece, None at the end."""
        if len(self._made) < self._size // 2:
            self._low.set()
        return self._made.popleft() if self._made else next(self._rest, None)

    async def fill(self) -> None:
        """Keeps as many pieces ready, one at a time between other things."""
        while True:
            await self._low.wait()
            for work in self._rest:
                self._made.append(work)
                await asyncio.sleep(0)
                if len(self._made) >= self._size:
                    break
            else:
                return
            self._low.clear()


async def ask(backend: Backend, work: Work) -> Sample:
    """What came of one piece of work; a row that failed is a Failure.

    Raises:
        RunError: no request can succeed.
    """
    try:
        generation = await _answer(backend, work)
    except RowError as error:
        failure = Failure(kind=error.kind, message=error.cause, attempts=error.attempts)
        status: Status = "refused" if error.kind == "content_filter" else "error"
        return Sample(key=work.key, status=status, failure=failure)
    return Sample(key=work.key, status=generation.status, generation=generation)


def _answer(backend: Backend, work: Work) -> Awaitable[Generation]:
    """One answer, or a dialogue where there are tools to call."""
    if not work.request.prompt.tools:
        return backend.generate(work.request)
    return converse(backend, work.request, work.example.world, work.max_turns)


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

"""Which requests a sweep sends: the rows of the data in a shuffled round, each use with a seed of its
own, all prompts rendered before the clock runs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from lt_bench.backends import Request
from lt_bench.records import Example, Prompt
from lt_bench.run.evaluation import Evaluation
from lt_bench.run.generate import sample_seed
from lt_bench.run.latency.arrivals import Schedule
from lt_bench.run.latency.observations import Planned


class Deck:
    """The rows of an evaluation, dealt on and on. A row comes again only when all others have been
    dealt, so that a server's cache of prompts helps as little as the data allows."""

    def __init__(self, evaluation: Evaluation, seed: int) -> None:
        self.evaluation = evaluation
        self._used: Counter[str] = Counter()
        self._dealt = self._deal(seed)

    @cached_property
    def prompts(self) -> dict[str, Prompt]:
        """Example id -> what is sent."""
        task = self.evaluation.task
        return {example.id: task.prompt(example) for example in self.evaluation.examples}

    def plan(self, schedule: Schedule) -> list[Planned]:
        """One request for each arrival. Measured ones are numbered from 0, warm-up ones before."""
        return [
            self._planned(number - schedule.warmup, at) for number, at in enumerate(schedule.times)
        ]

    def _planned(self, index: int, at: float) -> Planned:
        example = next(self._dealt)
        sample = self._used[example.id]
        self._used[example.id] += 1
        sampling = self.evaluation.sampling
        own = sampling.model_copy(update={"seed": sample_seed(sampling.seed, example.id, sample)})
        request = Request(self.prompts[example.id], own, example.id, sample)
        return Planned(index, at, index < 0, example, request)

    def _deal(self, seed: int) -> Iterator[Example]:
        order: Sequence[Example] = self.evaluation.examples
        shuffled = random.Random(f"deck|{seed}").sample(order, len(order))
        while True:
            yield from shuffled

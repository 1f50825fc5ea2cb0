"""Labelled replies as a scorer sees them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lt_bench.records import Generation, Labelled, Sample, SampleKey, Score, Turn
from lt_bench.scorers import Scorer, score_sample

LABEL_OF = {
    "correctness": "correct",
    "tool_answer_correctness": "correct",
    "helpfulness": "helpful",
}
"""Metric -> the field of a HumanLabel that people fill in for it."""


@dataclass(frozen=True)
class Rated:
    """One labelled reply with the scores it was given, by metric."""

    row: Labelled
    scores: Mapping[str, Score]


async def rate(
    scorer: Scorer,
    rows: Sequence[Labelled],
    concurrency: int,
    finished: Callable[[Rated], None] | None = None,
) -> list[Rated]:
    """The scores of every row, in the order of the rows; at most `concurrency` at a time.

    Raises:
        RunError: no request of the judge can succeed.
    """
    results: list[Rated | None] = [None] * len(rows)
    queue = iter(enumerate(rows))

    async def worker() -> None:
        for place, row in queue:
            scores = await score_sample(scorer, row.example, sample_of(row))
            results[place] = rated = Rated(row, {score.name: score for score in scores})
            if finished:
                finished(rated)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(rows))):
                group.create_task(worker())
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [rated for rated in results if rated is not None]


def sample_of(row: Labelled) -> Sample:
    """A labelled reply as if a model had just said it."""
    turn = Turn(reasoning=None, reply=row.reply, finish_reason="stop", usage=None)
    key = SampleKey(example_id=row.example.id, sample_index=0, request_sha="")
    return Sample(key=key, status="ok", generation=Generation(turns=(turn,)))

"""What the replies of a load are worth, scored when the load is over so that no judge disturbs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from lt_bench.config import digest
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Failure, JudgeStamp, Sample, SampleKey, Score, Status
from lt_bench.run.backlog import Backlog
from lt_bench.run.latency.observations import Observation
from lt_bench.run.row import Row
from lt_bench.run.score import judges_of
from lt_bench.scorers import Judging, Scorer, score_sample

PREFERRED: Final = ("correct_and_helpful", "correctness", "em")
"""Scores that say whether a reply was right, the strictest first."""


def metric_asked_for(
    scorers: Sequence[Scorer], headline: Sequence[str], name: str | None = None
) -> str:
    """The score that must be 1 for a reply to be good: `name`, else the first of `PREFERRED` that the
    task has, else its first headline score of quality.

    Raises:
        UsageError: there is no such score.
    """
    known = [
        metric.name
        for scorer in scorers
        for metric in scorer.metrics
        if metric.kind in ("quality", "official") and metric.unit == "share"
    ]
    if name is not None:
        if name not in known:
            raise UsageError(
                f"--quality {name!r} is no score of quality here.{did_you_mean(name, known)}",
                f"known: {', '.join(known) or 'none'}",
            )
        return name
    wanted = [*(one for one in PREFERRED if one in known), *(h for h in headline if h in known)]
    if not wanted:
        raise UsageError("this task has no score of quality", "name another task")
    return wanted[0]


@dataclass(frozen=True)
class Scores:
    """A row for each observation, in their order, and who judged. Without a judge the rows have no
    scores."""

    rows: Sequence[Row]
    judges: Mapping[str, JudgeStamp] = field(default_factory=dict)


async def score_all(
    seen: Sequence[Observation], scorers: Sequence[Scorer], judging: Judging
) -> Scores:
    """Scores every reply; a request without one has the scores that its status gives.

    Raises:
        LtBenchError: the judge cannot be asked.
    """
    rows: dict[int, Row] = {}

    async def score(place: int, one: Observation) -> None:
        example, sample = one.planned.example, sample_of(one)
        scores: list[Score] = []
        for scorer in scorers:
            scores.extend(await score_sample(scorer, example, sample))
        rows[place] = Row(example, sample, {score.name: score for score in scores})

    async with Backlog(judging.panel.concurrency if judging.panel else 1) as backlog:
        for place, one in enumerate(seen):
            await backlog.add(score, place, one)
    return Scores([rows[place] for place in range(len(seen))], judges_of(scorers))


def unscored(seen: Sequence[Observation]) -> Scores:
    """What there is when no time was left to score."""
    return Scores([Row(one.planned.example, sample_of(one), {}) for one in seen])


def sample_of(one: Observation) -> Sample:
    """An observation as scorers know it."""
    request = one.planned.request
    asked = [request.prompt.model_dump(mode="json"), request.sampling.model_dump(mode="json")]
    key = SampleKey(
        example_id=request.example_id,
        sample_index=request.sample_index,
        request_sha=digest(asked),
    )
    if one.generation is not None:
        return Sample(key=key, status=one.generation.status, generation=one.generation)
    status: Status = "refused" if one.status == "refused" else "error"
    failure = one.failure or _UNSENT[one.status]
    return Sample(key=key, status=status, failure=failure)


_UNSENT: Final[Mapping[str, Failure]] = {
    "dropped": Failure(kind="rate_limited", message="too many were outstanding", attempts=0),
    "cancelled": Failure(kind="timeout", message="the measurement was ended", attempts=0),
}

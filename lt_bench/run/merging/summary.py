"""The card of a joined run, by the scores that its shards have."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from lt_bench.errors import UsageError
from lt_bench.records import (
    Example,
    Generation,
    JudgeStamp,
    ResultCard,
    Sample,
    Score,
    Scored,
)
from lt_bench.run.card import build_card, tally_of
from lt_bench.run.judgements import joined
from lt_bench.run.log import log_to
from lt_bench.run.merging.shards import FinishedShard
from lt_bench.run.merging.whole import Whole
from lt_bench.run.places import Answers, Verdicts
from lt_bench.run.row import Row
from lt_bench.run.rundir import RunDir
from lt_bench.run.trust import trust_of
from lt_bench.scorers import Metric, Scorer, score_sample

log = logging.getLogger("lt_bench.run.merging")


def scorers_of(whole: Whole, shards: Sequence[FinishedShard]) -> tuple[Scorer, ...]:
    """What gave the scores of these shards. Models that judged stay closed.

    Raises:
        UsageError: the task scores otherwise by now.
    """
    card, model = shards[0].card, whole.file.model
    judged = JudgedElsewhere.of(card)
    made = whole.task.scorers(model.name, model.architecture, whole.file.active_params)
    scorers: tuple[Scorer, ...] = (judged, *made) if judged.metrics else made
    known = {metric.name for scorer in scorers for metric in scorer.metrics}
    for shard in shards:
        if set(shard.card.metrics) != known:
            raise UsageError(
                f"{shard.run.path} was scored by another version of its task",
                f"score every shard again: lt-bench score {shard.run.path}",
            )
    return scorers


@dataclass(frozen=True)
class JudgedElsewhere:
    """Judges whose models are not at hand: what they said is read, and nothing more is asked."""

    metrics: tuple[Metric, ...]
    judges: dict[str, JudgeStamp]
    remarks: dict[str, str]
    sha: str = ""

    @classmethod
    def of(cls, card: ResultCard) -> Self:
        asked = {metric: stamp for metric, stamp in card.judges.items() if stamp.models}
        return cls(
            tuple(Metric(name, "quality", card.metrics[name].unit) for name in asked),
            asked,
            {name: text for name, text in card.remarks.items() if name in asked},
        )

    def applies(self, metric: Metric, example: Example) -> bool:  # noqa: ARG002
        """Every reply can be judged."""
        return True

    async def score(
        self,
        example: Example,  # noqa: ARG002
        generation: Generation,  # noqa: ARG002
    ) -> tuple[Score, ...]:
        raise AssertionError("every answer of a finished shard has its scores")


async def sum_up(
    whole: Whole, shards: Sequence[FinishedShard], scorers: Sequence[Scorer], folder: RunDir
) -> None:
    """Writes the card of all rows, by the scores they have."""
    sha, rows = shards[0].card.stamp.scorers_sha, whole.rows
    judges = {
        metric: stamp.model_copy(update={"calibration": None})
        for shard in shards
        for metric, stamp in shard.card.judges.items()
    }
    trust = trust_of(folder, judges)
    tally = tally_of(whole.task, scorers, trust)
    answers, scores = Answers(folder.generations, rows), Verdicts(folder.scores, rows, sha)
    with answers, scores:
        for number in answers.numbers():
            example, sample = rows.example(number), answers.read(number)
            scored = scores.read(number) if scores.has(number) else None
            scored = scored or await _failed(scorers, example, sample, sha)
            tally.add(Row.of(example, sample, scored))
    paid = joined(shard.card.bill for shard in shards)
    card = build_card(whole.task, folder.load(), scorers, sha, tally, trust, paid, judged_by=judges)
    with log_to(folder.path / "log.txt"):
        names = ", ".join(shard.run.path.name for shard in shards)
        log.info("merged from %s", names)
    folder.save_card(card)


async def _failed(scorers: Sequence[Scorer], example: Example, sample: Sample, sha: str) -> Scored:
    """The scores of a failed request, which are not journalled: nothing is asked for them."""
    found = [score for scorer in scorers for score in await score_sample(scorer, example, sample)]
    return Scored(key=sample.key, scorers_sha=sha, scores=tuple(found))

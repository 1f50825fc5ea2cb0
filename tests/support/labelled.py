"""Labelled replies and a judge without a model, for tests of calibration."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lt_bench.records import (
    Calibration,
    Example,
    Generation,
    HumanLabel,
    JudgeStamp,
    Labelled,
    Reason,
    Score,
)
from lt_bench.run.judging.calibrate import calibration_of, plan
from lt_bench.run.judging.drawing import Draw
from lt_bench.run.judging.rating import rate
from lt_bench.scorers import Metric

Says = Callable[[Example, str], "bool | Reason"]


def labelled(
    id_: str, reply: str, *labels: tuple[str, bool | None, bool | None], **example: Any
) -> Labelled:
    """A reply, and what each (annotator, correct, helpful) says of it."""
    given = {"task": "commerce_qa", "question": "What does it cost?", "group": id_, **example}
    return Labelled(
        id=id_,
        example=Example(id=id_, **given),
        reply=reply,
        labels=tuple(
            HumanLabel(annotator=name, correct=correct, helpful=helpful)
            for name, correct, helpful in labels
        ),
    )


def one_label(id_: str, reply: str, correct: bool, **example: Any) -> Labelled:
    """A reply that one person judged."""
    return labelled(id_, reply, ("ann", correct, None), **example)


class PlainJudge:
    """A scorer of `metrics` that says what a function says: yes, no, or why it is silent."""

    def __init__(self, says: Says, metrics: Sequence[str] = ("correctness",)) -> None:
        self.says = says
        self.metrics = tuple(Metric(name, "quality") for name in metrics)
        self.sha = "5a" * 32
        self.asked: list[str] = []

    @property
    def judges(self) -> dict[str, JudgeStamp]:
        stamp = JudgeStamp(name="plain", version=3, judge_sha=self.sha, votes=1)
        return {metric.name: stamp for metric in self.metrics}

    @property
    def remarks(self) -> Mapping[str, str]:
        return {}

    def applies(self, metric: Metric, example: Example) -> bool:
        return True

    async def score(self, example: Example, generation: Generation) -> tuple[Score, ...]:
        self.asked.append(example.id)
        said = self.says(example, generation.reply)
        if isinstance(said, str):
            return tuple(Score(name=m.name, value=None, reason=said) for m in self.metrics)
        return tuple(Score(name=m.name, value=float(said)) for m in self.metrics)


def calibrated(
    rows: Sequence[Labelled],
    says: Says,
    how: Draw | None = None,
    prefixes: Sequence[str] = (),
    metrics: Sequence[str] = ("correctness",),
) -> Calibration:
    """The calibration of such a judge on these rows."""
    planned = plan("plain", PlainJudge(says, metrics), rows, "rows", how or Draw(), prefixes)
    return calibration_of(planned, asyncio.run(rate(planned.scorer, planned.drawn.rows, 2)))

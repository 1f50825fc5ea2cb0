"""A scorer: did the reply repeat the question?"""

from __future__ import annotations

from typing import Any, ClassVar

from lt_bench.config import Config, digest, validate
from lt_bench.records import Example, Generation, JudgeStamp, Score
from lt_bench.scorers import Metric, ScoringContext


class EchoOptions(Config):
    """What an entry `use: echo` of task.yaml may set."""

    ignore_case: bool = True


class EchoScorer:
    """1 if the reply holds the question, else 0."""

    metrics = (Metric("echoed", kind="quality"),)
    judges: ClassVar[dict[str, JudgeStamp]] = {}

    def __init__(self, context: ScoringContext, options: dict[str, Any]) -> None:
        self.options = validate(EchoOptions, options, "scorer echo")
        self.remarks: dict[str, str] = {}

    def applies(self, metric: Metric, example: Example) -> bool:
        return True

    @property
    def sha(self) -> str:
        return digest(["echo", 1, self.options.model_dump()])

    async def score(self, example: Example, generation: Generation) -> tuple[Score, ...]:
        question, reply = example.question, generation.reply
        if self.options.ignore_case:
            question, reply = question.lower(), reply.lower()
        return (Score(name="echoed", value=float(question in reply)),)

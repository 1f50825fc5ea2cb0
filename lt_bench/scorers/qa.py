"""Exact match, F1 and support F1 of short answers: the scorer of MuSiQue and of any `answers` gold."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from lt_bench.config import Config, digest, validate
from lt_bench.records import AnswersGold, Example, Generation, JudgeStamp, Score
from lt_bench.scorers.base import Metric, ScoringContext, measured, not_applicable
from lt_bench.scorers.extract import Extract, answer_in, support_in
from lt_bench.scorers.overlap import Mode, match

VERSION = 1
"""Raised whenever a score of some reply changes."""


class AnswerOptions(Config):
    """How the answer is found in the reply, and how it is compared."""

    extract: Extract = "answer"
    mode: Mode = "official"


class AnswerScorer:
    """`em`, `f1` and `support_f1` against `answers` gold.

    The task's options `extract` and `mode` count before those of the scorer's own entry. Cited
    documents are read from the last `Support:` line of the reply, numbered from 1 in the order of
    the example's documents; no line cites nothing. Not applicable: gold of another kind; rows
    marked unanswerable (the official script, too, takes answer and support scores over answerable
    rows only; its paired sufficiency scores are not computed); for support, rows whose gold marks
    no document, and `extract: none`, where the whole reply is the answer.

    Raises:
        UsageError: an unknown option or value.
    """

    def __init__(self, context: ScoringContext, options: dict[str, Any]) -> None:
        validate(AnswerOptions, options, "scorer answers")
        task: dict[str, Any] = {
            key: context.options[key] for key in ("extract", "mode") if key in context.options
        }
        self.options = validate(
            AnswerOptions, {**options, **task}, "task options of scorer answers"
        )
        self.metrics = (
            Metric("em", "official"),
            Metric("f1", "official"),
            Metric("support_f1", "official"),
        )

    def applies(self, metric: Metric, example: Example) -> bool:
        """Answerable rows of `answers` gold; for support, those that mark documents."""
        gold = example.gold
        if not isinstance(gold, AnswersGold) or not _answerable(gold):
            return False
        return metric.name != "support_f1" or self._has_support(gold)

    def _has_support(self, gold: AnswersGold) -> bool:
        return bool(gold.supporting) and self.options.extract != "none"

    async def score(self, example: Example, generation: Generation) -> tuple[Score, ...]:
        gold = example.gold
        if not isinstance(gold, AnswersGold) or not _answerable(gold):
            return tuple(not_applicable(metric.name) for metric in self.metrics)
        reply = generation.reply
        answer = answer_in(reply, self.options.extract)
        found = match(answer, gold.answers, self.options.mode)
        return (
            measured("em", found.em),
            measured("f1", found.f1),
            self._support(example, gold, reply),
        )

    def _support(self, example: Example, gold: AnswersGold, reply: str) -> Score:
        if not self._has_support(gold):
            return not_applicable("support_f1")
        ids = [document.id for document in example.documents]
        cited = [
            ids[number - 1] if 0 < number <= len(ids) else f"no document {number}"
            for number in support_in(reply)
        ]
        return measured("support_f1", support_f1(cited, gold.supporting))

    @property
    def sha(self) -> str:
        return digest({"scorer": "answers", "rules": VERSION, **self.options.model_dump()})

    @property
    def judges(self) -> dict[str, JudgeStamp]:
        return {}

    @property
    def remarks(self) -> dict[str, str]:
        """The mode, which decides what an exact match is, and what of the reply was compared."""
        how = f"mode {self.options.mode}, extract {self.options.extract}"
        return {"em": how, "f1": how}


def support_f1(predicted: Collection[str], gold: Collection[str]) -> float:
    """F1 of two sets of documents; 1 when both are empty (MuSiQue's `SupportMetric`)."""
    cited, true = set(predicted), set(gold)
    if not cited and not true:
        return 1.0
    hits = len(cited & true)
    if not hits:
        return 0.0
    precision, recall = hits / len(cited), hits / len(true)
    return (2 * precision * recall) / (precision + recall)


def _answerable(gold: AnswersGold) -> bool:
    return gold.answerable and bool(gold.answers)

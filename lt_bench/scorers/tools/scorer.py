"""The scorer `tools`: calls, the state they leave and the answer after them, against `calls` gold."""

from __future__ import annotations

from typing import Any, Final

from lt_bench.config import Config, digest, validate
from lt_bench.records import CallsGold, Example, Generation, JudgeStamp, Score
from lt_bench.scorers.base import Metric, ScoringContext, measured, not_applicable
from lt_bench.scorers.tools.bfcl import parameters_of
from lt_bench.scorers.tools.dialogue import Dialogue, measurable

VERSION: Final = 2
"""Raised whenever a score of some dialogue changes."""

METRICS: Final = (
    Metric("task_success", "action"),
    Metric("pass_k", "action", pooling="every"),
    Metric("bfcl", "action"),
    Metric("tool_precision", "action"),
    Metric("tool_recall", "action"),
    Metric("tool_f1", "action"),
    Metric("argument_accuracy", "action"),
    Metric("over_calling", "action", higher_is_better=False),
    Metric("under_calling", "action", higher_is_better=False),
    Metric("no_call_accuracy", "quality"),
    Metric("clarify_accuracy", "quality"),
    Metric("answer_correctness", "quality"),
    Metric("state_match", "action"),
)
TOOLRL: Final = Metric("toolrl", "action", "coefficient")


class ToolOptions(Config):
    """`toolrl` adds the correctness part of ToolRL's reward, in [-3, 3], as a score; unless it is given
    here, the task's option of that name says so."""

    toolrl: bool = False


class ToolScorer:
    """All metrics of a tool agent; nothing is scored on gold of another kind.

    A row without gold calls is of type no_call, clarify or answer: silence there is no virtue, so that
    an answer that neither says nor calls anything is 0 in `tool_f1`, and in `bfcl` when it was cut.
    `tool_precision` and `tool_recall` are measured on rows that need a call.

    Raises:
        UsageError: an unknown option or value.
    """

    def __init__(self, context: ScoringContext, options: dict[str, Any]) -> None:
        given = {"toolrl": context.options["toolrl"]} if "toolrl" in context.options else {}
        self.options = validate(ToolOptions, {**given, **options}, "scorer tools")
        self.metrics = (*METRICS, TOOLRL) if self.options.toolrl else METRICS

    def applies(self, metric: Metric, example: Example) -> bool:
        """By the type of the row, and by what its gold says."""
        gold = example.gold
        return isinstance(gold, CallsGold) and measurable(metric.name, example, gold)

    async def score(self, example: Example, generation: Generation) -> tuple[Score, ...]:
        gold = example.gold
        if not isinstance(gold, CallsGold):
            return tuple(not_applicable(metric.name) for metric in self.metrics)
        dialogue = Dialogue(example, gold, generation, parameters_of(example.tools))
        return tuple(
            measured(metric.name, dialogue.value(metric.name))
            if measurable(metric.name, example, gold)
            else not_applicable(metric.name)
            for metric in self.metrics
        )

    @property
    def sha(self) -> str:
        return digest({"scorer": "tools", "rules": VERSION, **self.options.model_dump()})

    @property
    def judges(self) -> dict[str, JudgeStamp]:
        return {}

    @property
    def remarks(self) -> dict[str, str]:
        """What a number does not say of itself."""
        return {
            "tool_f1": "1 where no call is needed and none is made",
            "argument_accuracy": "over gold calls that have a call of their name",
        }

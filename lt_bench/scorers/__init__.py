"""Scorers turn (Example, Generation) into Scores. Evaluation and training use the same ones."""

from lt_bench.registry import Registry
from lt_bench.scorers.base import (
    Judging,
    Metric,
    Scorer,
    ScorerFactory,
    ScoringContext,
    measured,
    not_applicable,
    score_sample,
)

SCORERS: Registry[ScorerFactory] = Registry(
    "scorer",
    group="lt_bench.scorers",
    builtin={
        "answers": "lt_bench.scorers.qa:AnswerScorer",
        "facts": "lt_bench.scorers.facts:FactsScorer",
        "tools": "lt_bench.scorers.tools:ToolScorer",
        "judged": "lt_bench.scorers.judged:JudgedScorer",
        "length": "lt_bench.scorers.length:LengthScorer",
        "cost": "lt_bench.scorers.cost:CostScorer",
    },
)

__all__ = [
    "SCORERS",
    "Judging",
    "Metric",
    "Scorer",
    "ScorerFactory",
    "ScoringContext",
    "measured",
    "not_applicable",
    "score_sample",
]

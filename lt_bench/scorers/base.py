"""What a scorer is, and the rules that hold for all of them.

A scorer turns (Example, Generation) into Scores. Evaluation, rejection sampling and GRPO rewards
all go through `score_sample`, so that a silent judge, a truncated answer and a failed request
mean the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from lt_bench.records import Example, Generation, JudgeStamp, Reason, Sample, Score, Unit


@dataclass(frozen=True)
class Metric:
    """One number that a scorer gives.

    kind: `quality` is 0 for an answer without a reply (the model's fault, no judge is asked);
    `official` also, but an empty reply that was not cut is scored by the official rule (EM/F1);
    `fault` is something only a reply can do wrong, so not applicable without one;
    `cost` is measured on every generation.
    """

    name: str
    kind: Literal["quality", "official", "fault", "cost"]
    unit: Unit = "share"
    higher_is_better: bool = True


@dataclass(frozen=True)
class ScoringContext:
    """What a scorer may need beyond the example: what is known of the model, the task's options."""

    architecture: dict[str, Any] | None = None
    active_params: float | None = None
    options: dict[str, Any] = field(default_factory=dict)


class Scorer(Protocol):
    @property
    def metrics(self) -> tuple[Metric, ...]: ...

    async def score(self, example: Example, generation: Generation) -> tuple[Score, ...]:
        """One Score for each of `metrics`, in order."""
        ...

    @property
    def sha(self) -> str:
        """Changes when the scores may change: settings, judge, version of the rules."""
        ...

    @property
    def judge(self) -> JudgeStamp | None:
        """Who judged; None for scores that are measured, not judged."""
        ...

    @property
    def remarks(self) -> dict[str, str]:
        """How a metric was computed, where a reader of the card must know."""
        ...


class ScorerFactory(Protocol):
    """`options` are the scorer's entry in task.yaml without `use`; unknown keys are refused."""

    def __call__(self, context: ScoringContext, options: dict[str, Any]) -> Scorer: ...


async def score_sample(scorer: Scorer, example: Example, sample: Sample) -> tuple[Score, ...]:
    """The scores of one sample under the rules above, exactly one for each metric."""
    if sample.generation is None:
        return tuple(_unscored(metric, "no_answer") for metric in scorer.metrics)
    generation = sample.generation
    silent = not generation.reply.strip()
    if not silent:
        return await scorer.score(example, generation)
    cut = sample.status == "truncated"
    asked = any(m.kind == "cost" or (m.kind == "official" and not cut) for m in scorer.metrics)
    scored = {s.name: s for s in await scorer.score(example, generation)} if asked else {}
    return tuple(_silent(metric, cut, scored) for metric in scorer.metrics)


def _silent(metric: Metric, cut: bool, scored: dict[str, Score]) -> Score:
    """The score of an answer without a reply; `cut` if it was truncated."""
    if metric.kind == "cost" or (metric.kind == "official" and not cut):
        return scored[metric.name]
    if metric.kind == "fault":
        return _unscored(metric, "not_applicable")
    return Score(name=metric.name, value=0.0)


def _unscored(metric: Metric, reason: Reason) -> Score:
    return Score(name=metric.name, value=None, reason=reason)

"""What a scorer is, and the rules that hold for all of them.

A scorer turns (Example, Generation) into Scores. Evaluation, rejection sampling and GRPO rewards
all go through `score_sample`, so that a silent judge, a truncated answer and a failed request
mean the same everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from lt_bench.records import Example, Generation, JudgeStamp, Reason, Sample, Score, Unit

if TYPE_CHECKING:
    from lt_bench.judge import Panel


@dataclass(frozen=True)
class Metric:
    """One number that a scorer gives.

    kind: `quality` is 0 for an answer without a reply (the model's fault, no judge is asked);
    `official` also, but an empty reply that was not cut is scored by the official rule (EM/F1);
    `fault` is something only a reply can do wrong, so not applicable without one;
    `action` is about what the model called, said or not, so measured on every generation;
    `cost` is measured on every generation.
    pooling: how the samples of one example become its one number. `every` is the unbiased estimate of
    the chance that all of as many samples as the run draws are right (pass^k), of 0/1 scores.
    """

    name: str
    kind: Literal["quality", "official", "fault", "action", "cost"]
    unit: Unit = "share"
    higher_is_better: bool = True
    pooling: Literal["mean", "every"] = "mean"


@dataclass(frozen=True)
class ScoringContext:
    """What a scorer may need beyond the example: what is known of the model (its name, its
    config.json, its size as the user gave it), the task's options, and who judges."""

    model: str = ""
    architecture: dict[str, Any] | None = None
    active_params: float | None = None
    options: dict[str, Any] = field(default_factory=dict)
    judging: Judging = field(default_factory=lambda: Judging())


@dataclass(frozen=True)
class Judging:
    """Who judges: the models (None: no model is at hand), how they are asked (changes to the
    sampling that the judges declare), and the folders that may declare further judges."""

    panel: Panel | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    catalogs: tuple[Path, ...] = ()


class Scorer(Protocol):
    @property
    def metrics(self) -> tuple[Metric, ...]: ...

    def applies(self, metric: Metric, example: Example) -> bool:
        """Whether this row can have this score, whatever is replied; else it is not applicable."""
        ...

    async def score(self, example: Example, generation: Generation) -> tuple[Score, ...]:
        """One Score for each of `metrics`, in order."""
        ...

    @property
    def sha(self) -> str:
        """Changes when the scores may change: settings, judge, version of the rules."""
        ...

    @property
    def judges(self) -> dict[str, JudgeStamp]:
        """Metric -> who judged it; empty for scores that are measured, not judged."""
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
    generation = sample.generation
    if generation is None:
        return tuple(_lacking(scorer, metric, example, "no_answer") for metric in scorer.metrics)
    if generation.reply.strip():
        return await scorer.score(example, generation)
    measured = [m for m in scorer.metrics if _is_measured(m, sample)]
    scored = {s.name: s for s in await scorer.score(example, generation)} if measured else {}
    return tuple(
        scored[metric.name] if metric in measured else _silent(scorer, metric, example)
        for metric in scorer.metrics
    )


def _is_measured(metric: Metric, sample: Sample) -> bool:
    """Whether an answer without a reply still goes to the scorer."""
    official = metric.kind == "official" and sample.status != "truncated"
    return metric.kind in ("action", "cost") or official


def _silent(scorer: Scorer, metric: Metric, example: Example) -> Score:
    """The score of an answer without a reply: the model's fault, where the row can be scored."""
    if metric.kind == "fault" or not scorer.applies(metric, example):
        return not_applicable(metric.name)
    return measured(metric.name, 0.0)


def _lacking(scorer: Scorer, metric: Metric, example: Example, reason: Reason) -> Score:
    applies = scorer.applies(metric, example)
    return Score(name=metric.name, value=None, reason=reason if applies else "not_applicable")


def measured(name: str, value: float | None) -> Score:
    """A measurement as a score; what nobody counted is not applicable."""
    return not_applicable(name) if value is None else _plain(name, float(value))


@lru_cache(maxsize=1 << 14)
def _plain(name: str, value: float) -> Score:
    """A value and nothing else. Scores do not change, and most rows share theirs with others."""
    return Score(name=name, value=value)


@lru_cache(maxsize=256)
def not_applicable(name: str) -> Score:
    """The score of a row that cannot have it."""
    return Score(name=name, value=None, reason="not_applicable")

"""What an answer costs: output tokens (TPR) whole and in parts, and work in TFLOP.

The means of these scores over a run are the metrics: TPR is tokens per response. Nothing here is
guessed: without a count or a size a score is not applicable, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from lt_bench.config import NoOptions, digest, validate
from lt_bench.errors import UsageError
from lt_bench.flops import Work, flop_paper, parameters, published, work
from lt_bench.records import Example, Generation, JudgeStamp, Score, Usage
from lt_bench.scorers.base import Metric, ScoringContext, measured
from lt_bench.text import leaked_markup

VERSION = 1
METRICS = (
    Metric("tpr", "cost", "tokens", higher_is_better=False),
    Metric("tpr_reasoning", "cost", "tokens", higher_is_better=False),
    Metric("tpr_reply", "cost", "tokens", higher_is_better=False),
    Metric("tpr_markup", "cost", "tokens", higher_is_better=False),
    Metric("tflop_paper", "cost", "TFLOP", higher_is_better=False),
    Metric("tflop_exact", "cost", "TFLOP", higher_is_better=False),
    Metric("truncated", "cost", "share", higher_is_better=False),
    Metric("trace_leak", "fault", "share", higher_is_better=False),
)


@dataclass(frozen=True)
class ModelSize:
    """What is known of a model's size, and from where. `active`: parameters that one token
    multiplies, the N of 2 N T; `work`: the formula of `exact`, known from a config.json only."""

    active: float | None
    work: Work | None
    source: Literal["config.json", "given", "published", "unknown"]
    unknown_why: str = ""


def model_size(context: ScoringContext) -> ModelSize:
    """The size by the model's config.json, else as the user gave it, else as published under the
    model's name, else unknown."""
    why = "no config.json and no published size"
    if context.architecture is not None:
        try:
            counted = parameters(context.architecture)
        except UsageError as error:
            why = error.cause
        else:
            matmul = float(counted.active_matmul)
            return ModelSize(matmul, work(context.architecture), "config.json")
    if context.active_params is not None:
        return ModelSize(context.active_params, None, "given", why)
    if found := published(context.model.partition("/")[2]):
        return ModelSize(found.active, None, "published", why)
    return ModelSize(None, None, "unknown", why)


class CostScorer:
    """Tokens and work of one generation; a dialogue's are the sums over its turns."""

    metrics = METRICS
    judges: ClassVar[dict[str, JudgeStamp]] = {}

    def __init__(self, context: ScoringContext, options: dict[str, Any]) -> None:
        validate(NoOptions, options, "scorer cost")
        self.size = model_size(context)

    def applies(self, metric: Metric, example: Example) -> bool:
        """Every row has these."""
        return True

    @property
    def sha(self) -> str:
        """Changes with the size that the work is computed from."""
        formula = repr(self.size.work) if self.size.work else None
        return digest(["cost", VERSION, self.size.active, formula])

    @property
    def remarks(self) -> dict[str, str]:
        """Which N and which convention the TFLOP columns use."""
        return {"tflop_paper": self._paper_remark(), "tflop_exact": self._exact_remark()}

    async def score(self, example: Example, generation: Generation) -> tuple[Score, ...]:
        """All of `metrics`, in order."""
        usage = generation.usage
        values = {
            "tpr": usage.output if usage else None,
            "tpr_reasoning": usage.reasoning if usage else None,
            "tpr_reply": usage.reply if usage else None,
            "tpr_markup": usage.markup if usage else None,
            "tflop_paper": self._paper(usage),
            "tflop_exact": self._exact(generation),
            "truncated": _truncated(generation),
            "trace_leak": float(any(leaked_markup(turn.reply) for turn in generation.turns)),
        }
        return tuple(measured(metric.name, values[metric.name]) for metric in self.metrics)

    def _paper(self, usage: Usage | None) -> float | None:
        if usage is None or self.size.active is None:
            return None
        return flop_paper(self.size.active, usage.output)

    def _exact(self, generation: Generation) -> float | None:
        """Each turn reads its whole prompt and writes its output; nothing is kept in between."""
        if self.size.work is None:
            return None
        total = 0
        for turn in generation.turns:
            if turn.usage is None or turn.usage.prompt is None:
                return None
            total += self.size.work.flops(turn.usage.prompt, turn.usage.output).total
        return total / 1e12

    def _paper_remark(self) -> str:
        if self.size.active is None:
            return f"unknown: {self.size.unknown_why}"
        named = {
            "config.json": "active_matmul_params from config.json",
            "given": "active_params as given",
            "published": "active_params as published",
        }
        return f"2 N T, N = {self.size.active:.6g} ({named[self.size.source]})"

    def _exact_remark(self) -> str:
        if self.size.work is None:
            return f"unknown: {self.size.unknown_why}"
        return "prefill + decode from config.json, dense attention, embedding lookup excluded"


def _truncated(generation: Generation) -> float | None:
    """Whether it was cut; None where only a log of somebody else's could tell, and does not."""
    cut = generation.status == "truncated"
    untold = any("end_unknown" in turn.notes for turn in generation.turns)
    return None if untold and not cut else float(cut)

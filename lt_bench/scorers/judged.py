"""The scorer `judged`: what declared judges say of a reply, asked of a model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, TypeVar

from pydantic import Field

from lt_bench.config import Config, digest, validate
from lt_bench.errors import UsageError
from lt_bench.judge import Judge, Judgement, Subject
from lt_bench.judge.injection import suspicious
from lt_bench.records import Example, Generation, JudgeStamp, Note, Score
from lt_bench.scorers.base import Metric, ScoringContext

VERSION = 1
INJECTION: Final = "injection_suspected"
LONG: Final = 2_000
"""Characters above which looking at a reply takes long enough to be noticed."""

Found = TypeVar("Found")


class JudgedOptions(Config):
    """`ask`: names of the judges; each gives its own metric."""

    ask: tuple[str, ...] = Field(min_length=1)


class JudgedScorer:
    """One score for each judge asked, and `correct_and_helpful` where both are.

    A judge that gave no verdict leaves its score without a value, with the reason; the verdict
    then holds what it said instead. All judges are asked at once.

    Raises:
        UsageError: no model to ask, an unknown judge, two judges of one metric, or an unknown
            option.
    """

    def __init__(self, context: ScoringContext, options: dict[str, Any]) -> None:
        asked = validate(JudgedOptions, options, "scorer judged").ask
        judging = context.judging
        if judging.panel is None:
            raise UsageError(
                f"judge {', '.join(asked)} asks a model", "name one: --judge-model openai/NAME"
            )
        self.panel = judging.panel
        self.asked = tuple(Judge.load(name, judging.catalogs, judging.sampling) for name in asked)
        names = [judge.spec.metric for judge in self.asked]
        self._both = {"correctness", "helpfulness"} <= set(names)
        metrics = [*names, *(("correct_and_helpful",) if self._both else ())]
        if len(set(metrics)) != len(metrics):
            raise UsageError(f"{', '.join(asked)} give one metric twice", "ask one of them")
        self.metrics = tuple(Metric(name, "quality") for name in metrics)

    @property
    def sha(self) -> str:
        """Hash of this scorer, its judges and their models."""
        return digest(["judged", VERSION, [self.panel.sha(judge) for judge in self.asked]])

    @property
    def judges(self) -> dict[str, JudgeStamp]:
        """Metric -> the judge that gives it."""
        stamps = {
            judge.spec.metric: JudgeStamp(
                name=judge.spec.name,
                version=judge.spec.version,
                judge_sha=self.panel.sha(judge),
                models=self.panel.models,
                votes=self.panel.votes,
            )
            for judge in self.asked
        }
        if self._both:
            stamps["correct_and_helpful"] = JudgeStamp(
                name=" + ".join(stamp.name for stamp in stamps.values()),
                version=1,
                judge_sha=digest([stamp.judge_sha for stamp in stamps.values()]),
                models=self.panel.models,
                votes=self.panel.votes,
            )
        return stamps

    @property
    def remarks(self) -> dict[str, str]:
        """Which rubric and which models."""
        models = ", ".join(self.panel.models)
        return {
            judge.spec.metric: f"{judge.spec.name}, version {judge.spec.version}, asked of {models}"
            for judge in self.asked
        }

    def applies(self, metric: Metric, example: Example) -> bool:
        """Every reply can be judged."""
        return True

    async def score(self, example: Example, generation: Generation) -> tuple[Score, ...]:
        """One Score for each metric; what no judge decided has a reason."""
        reply = generation.reply
        claims = await _aside(_statements, reply) if self._keeps_ledger() else ()
        subject = Subject.of(example, generation, claims)
        given = await asyncio.gather(
            *(self.panel.judge(judge, subject, example.id) for judge in self.asked)
        )
        pairs = zip(self.asked, given, strict=True)
        notes: tuple[Note, ...] = (INJECTION,) if await _aside(suspicious, reply) else ()
        scores = [_score(judge.spec.metric, judgement, notes) for judge, judgement in pairs]
        return (*scores, *([_both(scores)] if self._both else []))

    def _keeps_ledger(self) -> bool:
        return any(judge.spec.answer.form == "ledger" for judge in self.asked)


async def _aside(look: Callable[[str], Found], reply: str) -> Found:
    """What comes of looking at a reply; at a long one in a thread, so that other rows go on."""
    return look(reply) if len(reply) <= LONG else await asyncio.to_thread(look, reply)


def _statements(reply: str) -> tuple[str, ...]:
    # Only a ledger needs the word tables of two languages, which are slow to load.
    from lt_bench.claims.split import split

    return split(reply)


def _score(metric: str, judgement: Judgement, notes: tuple[Note, ...]) -> Score:
    return Score(
        name=metric,
        value=judgement.value,
        reason=judgement.reason,
        verdict=judgement.verdict,
        notes=(*judgement.notes, *notes),
    )


def _both(scores: list[Score]) -> Score:
    """1 when both are; without a value where one of the two has none and the other is no 0."""
    parts = {score.name: score for score in scores}
    values = [parts[name].value for name in ("correctness", "helpfulness")]
    if 0.0 in values:
        return Score(name="correct_and_helpful", value=0.0)
    reason = next(
        (parts[n].reason for n in ("correctness", "helpfulness") if parts[n].reason), None
    )
    if reason is not None:
        return Score(name="correct_and_helpful", value=None, reason=reason)
    return Score(name="correct_and_helpful", value=float(min(v for v in values if v is not None)))

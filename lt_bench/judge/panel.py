"""The models that judge: one or several, each with one or several votes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from lt_bench.judge.cache import AnswerCache
from lt_bench.judge.judge import Judge
from lt_bench.judge.subject import Subject
from lt_bench.records import Note, Reason, Verdict


@dataclass(frozen=True)
class Judgement:
    """What came of asking. `value` None: `reason` says why."""

    verdict: Verdict
    value: float | None
    reason: Reason | None
    notes: tuple[Note, ...] = ()


class Panel:
    """Judge models, asked together: `votes` of each, of which at least `min_votes` must be valid.

    Raises:
        UsageError: an unknown model, or votes that cannot decide.
    """

    def __init__(
        self,
        models: Sequence[str],
        *,
        votes: int = 1,
        min_votes: int | None = None,
        options: Mapping[str, Any] | None = None,
        cache: AnswerCache | None = None,
    ) -> None:
        raise NotImplementedError

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models as the user gave them."""
        raise NotImplementedError

    @property
    def votes(self) -> int:
        """Votes a reply: those of each model times the models."""
        raise NotImplementedError

    @property
    def concurrency(self) -> int:
        """Judgements in flight that keep every model busy."""
        raise NotImplementedError

    def sha(self, judge: Judge) -> str:
        """Changes when this panel may judge differently: judge, models, votes. Known once entered."""
        raise NotImplementedError

    async def judge(self, judge: Judge, subject: Subject, row: str) -> Judgement:
        """The panel's judgement; `row` is the id of the example, for models that look answers up.

        Raises:
            RunError: no request can succeed.
        """
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        raise NotImplementedError

    async def __aexit__(self, *exc: object) -> None:
        raise NotImplementedError

"""One reply put to one judge, with everything that was sent and said on the way."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from lt_bench.backends import Backend, ModelFacts, Request
from lt_bench.claims.split import split
from lt_bench.errors import RowError
from lt_bench.judge import Judge, Reading, Subject
from lt_bench.judge.injection import suspicious
from lt_bench.judge.vote import Vote
from lt_bench.records import Example, Failure, Generation, Prompt, Sample, Score, Usage
from lt_bench.run.judging.choice import JudgeChoice, judge_names, scorer_of
from lt_bench.scorers import score_sample


@dataclass(frozen=True)
class Exchange:
    """One request to a judge model, and its answer or failure; `seconds` is how long it took."""

    model: str
    request: Request
    answer: Generation | Failure
    seconds: float


class Recorded:
    """A backend that writes down every exchange."""

    def __init__(self, model: str, backend: Backend, log: list[Exchange]) -> None:
        self._model, self._backend, self._log = model, backend, log
        self.concurrency = backend.concurrency

    @property
    def facts(self) -> ModelFacts:
        return self._backend.facts

    async def generate(self, request: Request) -> Generation:
        began = time.monotonic()
        try:
            generation = await self._backend.generate(request)
        except RowError as error:
            failure = Failure(kind=error.kind, message=error.cause, attempts=error.attempts)
            self._record(request, failure, began)
            raise
        self._record(request, generation, began)
        return generation

    def _record(self, request: Request, answer: Generation | Failure, began: float) -> None:
        seconds = time.monotonic() - began
        self._log.append(Exchange(self._model, request, answer, seconds))

    async def __aenter__(self) -> Self:
        await self._backend.__aenter__()
        self.concurrency = self._backend.concurrency
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._backend.__aexit__(*exc)


@dataclass(frozen=True)
class Trial:
    """What came of it. `judge` is None for rules, `scores` where there was no model to ask;
    `exchanges` stand by model, then by vote, then in order of time."""

    judge: Judge | None
    example: Example
    sample: Sample
    models: tuple[str, ...]
    scores: tuple[Score, ...] | None = None
    exchanges: tuple[Exchange, ...] = ()

    @property
    def reply(self) -> str:
        """The reply that was judged; empty where there was no answer at all."""
        return self.sample.generation.reply if self.sample.generation else ""

    @property
    def injection(self) -> bool:
        """Whether the reply looks as if it spoke to the judge."""
        return suspicious(self.reply)

    @property
    def silent(self) -> bool:
        """Whether some score was not to be had."""
        given = self.scores or ()
        return any(score.reason not in (None, "not_applicable") for score in given)

    @cached_property
    def subject(self) -> Subject | None:
        """What the judge may see; None where there is no answer."""
        if self.judge is None or self.sample.generation is None:
            return None
        ledger = self.judge.spec.answer.form == "ledger"
        claims = split(self.reply) if ledger else ()
        return Subject.of(self.example, self.sample.generation, claims)

    @cached_property
    def prompt(self) -> Prompt | None:
        """What a judge model is sent first."""
        subject, judge = self.subject, self.judge
        return judge.prompt(subject) if judge is not None and subject is not None else None

    def read(self, exchange: Exchange) -> Reading:
        """The verdict in one answer, as the panel reads it.

        Raises:
            Unreadable: there is none.
        """
        assert self.judge is not None
        assert self.subject is not None
        assert isinstance(exchange.answer, Generation)
        request = exchange.request
        vote = Vote(self.judge, self.subject, request.prompt, self.example.id, request.sample_index)
        return vote.verdict(exchange.answer)

    @property
    def usage(self) -> Usage | None:
        """Tokens of all answers; None as soon as one was not counted, or where there is none."""
        total: Usage | None = None
        for exchange in self.exchanges:
            if isinstance(exchange.answer, Failure):
                continue
            if exchange.answer.usage is None:
                return None
            total = exchange.answer.usage if total is None else total + exchange.answer.usage
        return total


def declared(choice: JudgeChoice) -> Judge | None:
    """The declared judge that a choice names; None: rules.

    Raises:
        UsageError: an unknown judge, or models and settings that do not fit it.
    """
    folder = judge_names(choice.catalogs).get(choice.name or "")
    if folder is None or choice.judging.panel is not None:
        scorer_of(choice)
    return None if folder is None else Judge(folder, choice.sampling)


async def try_judge(choice: JudgeChoice, example: Example, sample: Sample) -> Trial:
    """The trial of one reply. A declared judge without a model is shown, not asked.

    Raises:
        UsageError: as `declared`.
        RunError: the model cannot be asked.
    """
    judge, panel, log = declared(choice), choice.judging.panel, list[Exchange]()
    if judge is not None and panel is None:
        return Trial(judge, example, sample, ())
    if panel is not None:
        panel.watch(lambda name, backend: Recorded(name, backend, log))
    async with choice.opened():
        scores = await score_sample(scorer_of(choice), example, sample)
    return Trial(judge, example, sample, choice.models, scores, _sorted(choice.models, log))


def _sorted(models: Sequence[str], log: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """By model and vote; those of one vote came one after the other."""
    return tuple(sorted(log, key=lambda one: (models.index(one.model), one.request.sample_index)))

"""The models that judge: one or several, each with one or several votes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, Self

from lt_bench.backends import Backend
from lt_bench.backends.choose import open_model
from lt_bench.backends.endpoint_flags import FLAGS, EndpointFlagError, refuse_batch
from lt_bench.config import digest
from lt_bench.errors import UsageError
from lt_bench.judge.asking import Asker
from lt_bench.judge.ballots import Judgement, decide
from lt_bench.judge.cache import AnswerCache
from lt_bench.judge.judge import Judge
from lt_bench.judge.subject import Subject
from lt_bench.judge.vote import Vote
from lt_bench.records import Ballot

__all__ = ["Judgement", "Panel"]

ENDPOINT = "openai/"
LOOKED_UP = ("scripted/", "replay/")
"""Models whose votes differ although nothing is drawn."""


class Panel:
    """Judge models, asked together: `votes` of each, of which at least `min_votes` must be valid
    (default: more than half of all).

    `options` are those of the backends and go to every model; what only means something to an
    endpoint (address, key, concurrency, fingerprint) goes to the openai/ models alone where there
    are any. An even number of votes may tie, and a tie is no verdict.

    Raises:
        UsageError: an unknown model or option, or votes that cannot decide.
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
        _check(models, votes, min_votes)
        self._models, self._each, self._cache = tuple(models), votes, cache
        self._min = min_votes or self.votes // 2 + 1
        self._askers = [
            Asker(name, _opened(name, _options(name, models, options or {})), cache)
            for name in models
        ]
        self._stack = AsyncExitStack()

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models as the user gave them."""
        return self._models

    @property
    def votes(self) -> int:
        """Votes a reply: those of each model times the models."""
        return self._each * len(self._models)

    @property
    def concurrency(self) -> int:
        """Judgements in flight that keep every model busy."""
        return max(-(-asker.backend.concurrency // self._each) for asker in self._askers)

    def watch(self, around: Callable[[str, Backend], Backend]) -> None:
        """Puts something around each model, given its name and backend: a recorder, for one who
        wants to see what is sent and said. To be called before the models are entered."""
        for asker in self._askers:
            asker.backend = around(asker.name, asker.backend)

    def sha(self, judge: Judge) -> str:
        """Changes when this panel may judge differently: judge, models, votes. Known once entered.

        Raises:
            UsageError: several votes of one model that are always the same.
        """
        self._check_draws(judge)
        models = [asker.identity for asker in self._askers]
        return digest([judge.sha, models, self._each, self._min])

    async def judge(self, judge: Judge, subject: Subject, row: str) -> Judgement:
        """The panel's judgement; `row` is the id of the example, for models that look answers up.

        Raises:
            RunError: no request can succeed.
            UsageError: the judge's prompt does not fill in, or its votes are always the same.
        """
        sha, prompt = self.sha(judge), judge.prompt(subject)
        votes = [Vote(judge, subject, prompt, row, index) for index in range(self._each)]
        ballots = await _together([(asker, vote) for asker in self._askers for vote in votes])
        return decide(judge, sha, ballots, self._min)

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            for asker in self._askers:
                await stack.enter_async_context(asker)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._stack.aclose()
        if self._cache is not None:
            self._cache.close()

    def _check_draws(self, judge: Judge) -> None:
        drawn = judge.sampling.temperature > 0 or self._each == 1
        same = [name for name in self._models if not drawn and not name.startswith(LOOKED_UP)]
        if same:
            raise UsageError(
                f"judge {judge.spec.name}: at temperature 0 {self._each} votes of {same[0]} "
                "are one vote",
                "set a temperature (--set judge.temperature=0.7), or name several --judge-model",
            )


def _opened(name: str, options: Mapping[str, Any]) -> Backend:
    try:
        refuse_batch(options, "a judge is asked as soon as an answer is there")
        return open_model(name, options)
    except EndpointFlagError as error:
        raise error.for_judges() from None


async def _together(votes: Sequence[tuple[Asker, Vote]]) -> list[Ballot]:
    """The ballots, in order; one that ends the run ends the others."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(asker.ballot(vote)) for asker, vote in votes]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


def _check(models: Sequence[str], votes: int, min_votes: int | None) -> None:
    """Raises UsageError for a panel that cannot decide."""
    total = votes * len(models)
    if not models:
        raise UsageError("a panel needs a judge model", "name one: --judge-model openai/NAME")
    twice = [name for name, count in Counter(models).items() if count > 1]
    if twice:
        raise UsageError(f"judge model {twice[0]} is named twice", "ask for --judge-votes 2 of it")
    if votes < 1:
        raise UsageError(f"{votes} votes of a judge decide nothing", "ask for --judge-votes 1")
    if min_votes is not None and not 1 <= min_votes <= total:
        raise UsageError(
            f"{min_votes} valid votes are asked for, of {total}",
            f"set --judge-min-votes between 1 and {total}",
        )


def _options(name: str, models: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that this model of the panel takes."""
    elsewhere = not name.startswith(ENDPOINT) and any(m.startswith(ENDPOINT) for m in models)
    return {key: value for key, value in options.items() if not (elsewhere and key in FLAGS)}

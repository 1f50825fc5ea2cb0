"""One vote of one judge model: asked, read, and asked again where the answer is no verdict."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Self

from lt_bench.backends import Backend, Request
from lt_bench.errors import RowError, first_line
from lt_bench.judge.cache import AnswerCache, Kept, identity, request_key
from lt_bench.judge.flights import Flights
from lt_bench.judge.judge import PROTOCOL
from lt_bench.judge.reading import Reading, Unreadable
from lt_bench.judge.reminder import again
from lt_bench.judge.vote import Vote
from lt_bench.records import Ballot, Generation, Reason, Usage

REQUESTS = 3
"""Requests that one vote may take."""

EXCERPT = 300
"""Characters kept of what a model said instead of a verdict."""

RATIONALE = 2000
"""Characters kept of the reason that a model gives for its verdict."""


class Asker:
    """One model that judges; at most as many requests in flight as its backend takes.

    With a cache, answers of earlier runs are read again instead of asked, and a vote that is
    wanted twice at the same time is asked once; such ballots count no requests and no tokens.
    """

    def __init__(self, name: str, backend: Backend, cache: AnswerCache | None = None) -> None:
        self.name, self.backend, self._cache = name, backend, cache
        self._flights: Flights[Ballot] = Flights()
        self._slots = asyncio.Semaphore(backend.concurrency)

    @property
    def identity(self) -> list[object]:
        """What makes this model judge differently from another; known once entered."""
        return identity(self.backend.facts)

    async def __aenter__(self) -> Self:
        await self.backend.__aenter__()
        self._slots = asyncio.Semaphore(self.backend.concurrency)
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.backend.__aexit__(*exc)

    async def ballot(self, vote: Vote) -> Ballot:
        """The vote, or the reason why there is none.

        Raises:
            RunError: no request can succeed.
        """
        if self._cache is None:
            ballot, _ = await self._ask(vote)
            return ballot
        cache, key = self._cache, request_key(vote.request, self.backend.facts, PROTOCOL)
        ballot, asked = await self._flights.share(
            f"{vote.judge.sha} {key}", lambda: self._known_or_asked(vote, cache, key)
        )
        return ballot if asked else ballot.model_copy(update={"usage": None, "requests": 0})

    async def _known_or_asked(self, vote: Vote, cache: AnswerCache, key: str) -> Ballot:
        kept = await cache.get(key)
        known = self._known(vote, kept) if kept is not None else None
        if known is not None:
            return known
        ballot, answer = await self._ask(vote)
        if answer is not None:
            await cache.put(key, answer)
        return ballot

    def _known(self, vote: Vote, kept: Kept) -> Ballot | None:
        """The ballot in a kept answer, which this judge must be able to read."""
        try:
            return self._valid(vote.read(kept.text), _Spent())
        except Unreadable:
            return None

    async def _ask(self, vote: Vote) -> tuple[Ballot, Kept | None]:
        """The ballot, and the answer to keep where it holds a verdict.

        An answer without one is asked again with a reminder and twice the cap, until `REQUESTS`
        are spent. A server that refuses the larger cap is asked again with the one it took.
        """
        spent, first, said = _Spent(), vote.request, ""
        request = first
        for _ in range(REQUESTS):
            try:
                async with self._slots:
                    generation = await self.backend.generate(request)
            except RowError as error:
                spent.failed(error)
                if error.kind == "bad_request" and _larger(request, first):
                    request = replace(request, sampling=first.sampling)
                    continue
                return self._missing(_reason(error), first_line(error), spent), None
            spent.answered(generation)
            if generation.turns[-1].finish_reason == "content_filter":
                return self._missing("judge_refused", generation.reply, spent), None
            try:
                reading = vote.verdict(generation)
            except Unreadable as why:
                said = generation.reply.strip() or f"({why})"
                request = again(first, request.sampling, why)
            else:
                return self._valid(reading, spent), _kept(generation, spent)
        return self._missing("judge_unparsed", said, spent), None

    def _valid(self, reading: Reading, spent: _Spent) -> Ballot:
        return Ballot(
            model=self.name,
            label=reading.label,
            rationale=reading.rationale[:RATIONALE],
            claims=reading.claims,
            usage=spent.usage,
            requests=spent.requests,
        )

    def _missing(self, reason: Reason, said: str, spent: _Spent) -> Ballot:
        return Ballot(
            model=self.name,
            label=None,
            reason=reason,
            rationale=said[:EXCERPT],
            usage=spent.usage,
            requests=spent.requests,
        )


class _Spent:
    """What a vote took so far: requests, attempts of the transport included, and tokens."""

    def __init__(self) -> None:
        self.requests, self._usages = 0, list[Usage | None]()

    def answered(self, generation: Generation) -> None:
        self.requests += sum(turn.attempts for turn in generation.turns)
        self._usages.append(generation.usage)

    def failed(self, error: RowError) -> None:
        self.requests += error.attempts

    @property
    def usage(self) -> Usage | None:
        """Sum over all answers; None as soon as one was not counted, or where there is none."""
        total: Usage | None = None
        for usage in self._usages:
            if usage is None:
                return None
            total = usage if total is None else total + usage
        return total


def _kept(generation: Generation, spent: _Spent) -> Kept:
    finish = generation.turns[-1].finish_reason
    return Kept(text=generation.reply, finish_reason=finish, usage=spent.usage)


def _reason(error: RowError) -> Reason:
    return "judge_refused" if error.kind == "content_filter" else "judge_error"


def _larger(request: Request, first: Request) -> bool:
    return request.sampling.max_tokens > first.sampling.max_tokens

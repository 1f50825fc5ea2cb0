"""What the judges of a run said in all: their labels, and what asking them took."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lt_bench.records import Ballot, JudgeBill, Score

MILLION = 1_000_000


def bill(scores: Iterable[Score], prices: tuple[float, float] | None = None) -> JudgeBill | None:
    """What the verdicts took; None where no model was asked. Answers from the cache cost nothing.

    prices: of a million prompt tokens and a million output tokens.
    """
    spent = _Spent()
    for ballot in _ballots(scores):
        spent.add(ballot)
    return spent.bill(prices) if spent.ballots else None


def joined(bills: Iterable[JudgeBill | None]) -> JudgeBill | None:
    """What several judgings took together; None where none asked a model. The cost is known where
    that of each is."""
    known = [one for one in bills if one is not None]
    if not known:
        return None
    costs = [one.cost for one in known if one.cost is not None]
    return JudgeBill(
        requests=sum(one.requests for one in known),
        cached=sum(one.cached for one in known),
        failed=sum(one.failed for one in known),
        prompt=_sum(one.prompt for one in known),
        output=_sum(one.output for one in known),
        # The last bits of a sum depend on how the rows were divided.
        cost=round(math.fsum(costs), 12) if len(costs) == len(known) else None,
    )


@dataclass
class _Spent:
    """Ballots summed up one by one; tokens are None as soon as one count is unknown."""

    ballots: int = 0
    requests: int = 0
    cached: int = 0
    failed: int = 0
    prompt: int | None = 0
    output: int | None = 0

    def add(self, ballot: Ballot) -> None:
        self.ballots += 1
        self.requests += ballot.requests
        if not ballot.requests:
            self.cached += 1
        elif _failed(ballot):
            self.failed += 1
        else:
            usage = ballot.usage
            self.prompt = _sum((self.prompt, usage.prompt if usage else None))
            self.output = _sum((self.output, usage.output if usage else None))

    def bill(self, prices: tuple[float, float] | None) -> JudgeBill:
        cost = None
        if prices and self.prompt is not None and self.output is not None:
            cost = (self.prompt * prices[0] + self.output * prices[1]) / MILLION
        return JudgeBill(
            requests=self.requests,
            cached=self.cached,
            failed=self.failed,
            prompt=self.prompt,
            output=self.output,
            cost=cost,
        )


def _failed(ballot: Ballot) -> bool:
    """Nothing came back that could have tokens."""
    return ballot.usage is None and ballot.reason in ("judge_error", "judge_refused")


def _ballots(scores: Iterable[Score]) -> Iterator[Ballot]:
    for score in scores:
        if score.verdict:
            yield from score.verdict.ballots


def _sum(counts: Iterable[int | None]) -> int | None:
    """None as soon as one count is unknown."""
    total = 0
    for count in counts:
        if count is None:
            return None
        total += count
    return total

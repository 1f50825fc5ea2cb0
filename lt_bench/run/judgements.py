"""What the judges of a run said in all: their labels, and what asking them took."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lt_bench.records import Ballot, JudgeBill, Score

MILLION = 1_000_000


def bill(scores: Iterable[Score], prices: tuple[float, float] | None = None) -> JudgeBill | None:
    """What the verdicts took; None where no model was asked. Answers from the cache cost nothing.

    prices: of a million prompt tokens and a million output tokens.
    """
    ballots = list(_ballots(scores))
    if not ballots:
        return None
    paid = [ballot for ballot in ballots if ballot.requests]
    prompt = _sum(ballot.usage.prompt if ballot.usage else None for ballot in paid)
    output = _sum(ballot.usage.output if ballot.usage else None for ballot in paid)
    cost = None
    if prices and prompt is not None and output is not None:
        cost = (prompt * prices[0] + output * prices[1]) / MILLION
    return JudgeBill(
        requests=sum(ballot.requests for ballot in ballots),
        cached=len(ballots) - len(paid),
        prompt=prompt,
        output=output,
        cost=cost,
    )


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

"""What the judges of a run said in all: their labels, and what asking them took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from lt_bench.records import Ballot, JudgeBill, Score

MILLION = 1_000_000


def label_counts(scores: Iterable[Score]) -> dict[str, dict[str, int]]:
    """Metric -> label -> how often; only of metrics with verdicts."""
    counts: dict[str, Counter[str]] = {}
    for score in scores:
        if score.verdict and score.verdict.label is not None:
            counts.setdefault(score.name, Counter())[score.verdict.label] += 1
    return {metric: dict(sorted(found.items())) for metric, found in counts.items()}


def bill(scores: Iterable[Score], prices: tuple[float, float] | None = None) -> JudgeBill | None:
    """What the verdicts took; None where no model was asked. Answers from the cache cost nothing.

    prices: of a million prompt tokens and a million output tokens.
    """
    ballots = list(_ballots(scores))
    if not ballots:
        return None
    paid = [ballot for ballot in ballots if ballot.requests]
    answered = [ballot for ballot in paid if not _failed(ballot)]
    prompt = _sum(ballot.usage.prompt if ballot.usage else None for ballot in answered)
    output = _sum(ballot.usage.output if ballot.usage else None for ballot in answered)
    cost = None
    if prices and prompt is not None and output is not None:
        cost = (prompt * prices[0] + output * prices[1]) / MILLION
    return JudgeBill(
        requests=sum(ballot.requests for ballot in ballots),
        cached=len(ballots) - len(paid),
        failed=len(paid) - len(answered),
        prompt=prompt,
        output=output,
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

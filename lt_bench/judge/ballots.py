"""From the votes of a panel to one judgement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lt_bench.judge.judge import Judge
from lt_bench.records import Ballot, Note, Reason, Verdict

TELLING: tuple[Reason, ...] = ("judge_refused", "judge_unparsed", "judge_error")
"""Why a vote is missing, what says most of the row first: a refusal is about it, an error is not."""


@dataclass(frozen=True)
class Judgement:
    """What came of asking. `value` None: `reason` says why."""

    verdict: Verdict
    value: float | None
    reason: Reason | None
    notes: tuple[Note, ...] = ()


def decide(judge: Judge, judge_sha: str, ballots: Sequence[Ballot], min_votes: int) -> Judgement:
    """The label that more than half of the valid votes give.

    There is none with fewer than `min_votes` of them, or without such a majority. The reason is
    then the most frequent one of the missing votes (of equally frequent ones the first of
    `TELLING`), and `judge_unparsed` where every vote was valid: the panel said nothing readable.
    """
    valid = [ballot for ballot in ballots if ballot.label is not None]
    chosen = _majority(valid) if len(valid) >= min_votes else None
    said = chosen or _silence(ballots)
    verdict = Verdict(
        judge=judge.spec.name,
        judge_sha=judge_sha,
        label=said.label,
        claims=said.claims,
        rationale=said.rationale,
        ballots=tuple(ballots),
    )
    value = None if said.label is None else judge.value(said.label)
    reason = said.reason or (None if value is not None else "not_applicable")
    split = len({ballot.label for ballot in valid}) > 1
    return Judgement(verdict, value, reason, ("votes_split",) if split else ())


def _majority(valid: Sequence[Ballot]) -> Ballot | None:
    """The first vote for the label that more than half of them give."""
    label, votes = Counter(ballot.label for ballot in valid).most_common(1)[0]
    if 2 * votes <= len(valid):
        return None
    return next(ballot for ballot in valid if ballot.label == label)


def _silence(ballots: Sequence[Ballot]) -> Ballot:
    """The missing vote that stands for all, or one that says how the valid ones differ."""
    missing = [ballot for ballot in ballots if ballot.label is None]
    if not missing:
        counts = Counter(str(ballot.label) for ballot in ballots)
        said = ", ".join(f"{label} {votes}" for label, votes in counts.items())
        return Ballot(
            model="", label=None, reason="judge_unparsed", rationale=f"no majority: {said}"
        )
    counted = Counter(ballot.reason for ballot in missing)
    reason = max(TELLING, key=lambda each: counted[each])
    return next(ballot for ballot in missing if ballot.reason == reason)

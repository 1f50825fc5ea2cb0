"""What a judge said where it gave no verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lt_bench.plain import on_one_line
from lt_bench.records import Score

EXCERPT = 120


def instead(scores: Iterable[Score]) -> tuple[str, ...]:
    """Beginnings of the answers that held no verdict, on one line each, the most frequent first."""
    said = Counter(
        on_one_line(ballot.rationale)[:EXCERPT]
        for score in scores
        if score.value is None and score.verdict
        for ballot in score.verdict.ballots
        if ballot.label is None and ballot.rationale
    )
    return tuple(text for text, _ in said.most_common())

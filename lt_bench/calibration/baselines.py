"""Judges that read nothing: what agreement is worth, one sees from theirs."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median


def baselines(replies: Sequence[str]) -> dict[str, list[bool]]:
    """Name -> what it says of each reply: always yes, always no, yes to the long ones, yes to the
    short ones. Long is over the median length in characters, short is under it."""
    if not replies:
        return {}
    lengths = [len(reply) for reply in replies]
    middle = median(lengths)
    return {
        "always yes": [True] * len(lengths),
        "always no": [False] * len(lengths),
        "longer than the median": [length > middle for length in lengths],
        "shorter than the median": [length < middle for length in lengths],
    }

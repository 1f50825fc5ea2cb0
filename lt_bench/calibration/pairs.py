"""What two raters say of the same reply, and the counts of that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lt_bench.records import Confusion


@dataclass(frozen=True)
class Pair:
    """One reply: whether the judge calls it right, whether people do. Replies of one `group` are
    not independent."""

    judge: bool
    human: bool
    group: str


def confusion(pairs: Iterable[Pair]) -> Confusion:
    """How often each of the four cases came up."""
    cases = Counter((pair.judge, pair.human) for pair in pairs)
    return Confusion(
        true_positive=cases[True, True],
        false_positive=cases[True, False],
        true_negative=cases[False, False],
        false_negative=cases[False, True],
    )

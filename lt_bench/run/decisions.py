"""Whether an agent calls when it should, summed up: precision and recall, and how sure it is.

With several samples of a row, the share of them that call is the agent's confidence that a call is
needed. Moving the share from which on one would call trades precision for recall.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from lt_bench.records import CallDecisions, CallShare, Confusion, Estimate, Example, Sample
from lt_bench.scorers.decisions import decision_of, needs_call
from lt_bench.stats import Scores, estimate_scores, ratio_of

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from lt_bench.stats.intervals import Floats, Ints

    Bools = NDArray[bool_]

_NONE: Final = -1
_UNANSWERED: Final = -2
MOST_SHARES: Final = 20
"""With more samples a row the shares are told in twentieths."""


class Decisions:
    """The decisions of a run, one entry a sample: 2 where a call was needed, plus 1 where one was
    made."""

    def __init__(self) -> None:
        self._entries = array("b")

    def add(self, example: Example, sample: Sample) -> None:
        """Takes up one sample."""
        self._entries.append(_entry(example, sample))

    def summary(self, examples: Ints, groups: Ints) -> CallDecisions | None:
        """All of them together; None where no row has any. `examples` and `groups` hold the numbers
        of each sample's example and group."""
        import numpy as np

        entries = np.frombuffer(self._entries, dtype=np.int8)
        there = entries >= 0
        if not there.any():
            return None
        needed, called = (entries[there] & 2) > 0, (entries[there] & 1) > 0
        unanswered = int((entries == _UNANSWERED).sum())
        return _summed(needed, called, examples[there], groups[there], unanswered)


def _entry(example: Example, sample: Sample) -> int:
    if sample.generation is None:
        return _NONE if needs_call(example) is None else _UNANSWERED
    decision = decision_of(example, sample.generation)
    return _NONE if decision is None else 2 * decision.needed + decision.called


def _summed(
    needed: Bools, called: Bools, examples: Ints, groups: Ints, unanswered: int
) -> CallDecisions:
    rows = _Rows(needed, called, examples, groups)
    precision, recall, f1 = _agreement(needed, called, groups)
    return CallDecisions(
        counts=Confusion(
            true_positive=int((needed & called).sum()),
            false_positive=int((~needed & called).sum()),
            true_negative=int((~needed & ~called).sum()),
            false_negative=int((needed & ~called).sum()),
        ),
        unanswered=unanswered,
        precision=precision,
        recall=recall,
        f1=f1,
        brier=rows.mean((rows.shares - rows.needed) ** 2),
        certainty=rows.mean(abs(rows.shares - 0.5) + 0.5),
        shares=rows.trade_off(),
    )


def _agreement(needed: Bools, called: Bools, groups: Ints) -> tuple[Estimate, Estimate, Estimate]:
    """Precision, recall and F1 of calling."""
    hits = (needed & called).astype(float)
    calls, needs = called.astype(float), needed.astype(float)
    return (
        ratio_of(hits, calls, groups),
        ratio_of(hits, needs, groups),
        ratio_of(2 * hits, calls + needs, groups),
    )


class _Rows:
    """The decisions by row: the share of its samples that call, and whether it needs a call."""

    def __init__(self, needed: Bools, called: Bools, examples: Ints, groups: Ints) -> None:
        import numpy as np

        _, first, place = np.unique(examples, return_index=True, return_inverse=True)
        place = place.reshape(-1)
        self.shares: Floats = np.bincount(place, weights=called) / np.bincount(place)
        self.needed, self.groups = needed[first], groups[first]
        self._rounded = np.round(self.shares * MOST_SHARES) / MOST_SHARES

    def mean(self, values: Floats) -> Estimate:
        """The mean over rows."""
        import numpy as np

        numbers = np.arange(len(values))
        return estimate_scores(Scores(values.astype(float), numbers, self.groups, {}))

    def trade_off(self) -> tuple[CallShare, ...]:
        """One entry for each share that occurs, from the least."""
        import numpy as np

        few = np.unique(self.shares)
        shares = self.shares if len(few) <= MOST_SHARES else self._rounded
        return tuple(self._of(float(share), shares) for share in np.unique(shares))

    def _of(self, share: float, shares: Floats) -> CallShare:
        here = shares == share
        told = Scores(self.needed[here].astype(float), here.nonzero()[0], self.groups[here], {})
        precision, recall, f1 = (
            _agreement(self.needed, shares >= share, self.groups) if share else (None, None, None)
        )
        return CallShare(
            share=share,
            rows=int(here.sum()),
            needed=estimate_scores(told),
            precision=precision,
            recall=recall,
            f1=f1,
        )

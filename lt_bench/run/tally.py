"""What a card needs of the rows of a run, taken up one row at a time and kept as columns."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, get_args

from lt_bench.errors import FailureKind, RunError
from lt_bench.records import (
    CallDecisions,
    CountedBy,
    Estimate,
    Failure,
    Note,
    Reason,
    Sample,
    Status,
)
from lt_bench.run.decisions import Decisions
from lt_bench.run.row import Row
from lt_bench.scorers import Metric
from lt_bench.stats import Scores, estimate_each, every

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

    from lt_bench.stats.intervals import Floats, Ints

    Bytes = NDArray[uint8]

REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
COMPLETED: Final = "status:ok"

_NAN: Final = math.nan


_CODE: Final[dict[Reason | None, int]] = {
    None: 0,
    **{reason: place for place, reason in enumerate(REASONS, 1)},
}


class Column:
    """One metric: a value a row (NaN where there is none), and the number of its reason, from 1."""

    def __init__(self) -> None:
        self.values, self.reasons = array("d"), bytearray()

    def unscored(self, rows: Ints | None = None) -> dict[Reason, int]:
        """How many rows have no value, by reason; among all rows, or among some."""
        import numpy as np

        codes = np.frombuffer(self.reasons, dtype=np.uint8)
        counts = np.bincount(codes if rows is None else codes[rows], minlength=len(REASONS) + 1)
        found = {reason: int(counts[place + 1]) for place, reason in enumerate(REASONS)}
        return {reason: found[reason] for reason in sorted(found) if found[reason]}


class Numbers:
    """Names as whole numbers from 0, in order of first appearance; one entry a row."""

    def __init__(self) -> None:
        self.entries = array("q")
        self._known: dict[str, int] = {}

    def add(self, name: str) -> int:
        number = self._known.setdefault(name, len(self._known))
        self.entries.append(number)
        return number


class Tally:
    """Sums up the rows of a run. `shown` are the metrics that slices by tag and language have.

    With `keep` the rows stay at hand as well (people's labels are compared to them one by one).
    """

    def __init__(
        self, metrics: Sequence[Metric], shown: Sequence[str] = (), *, keep: bool = False
    ) -> None:
        self.metrics, self.shown, self._keep = tuple(metrics), frozenset(shown), keep
        self.rows: list[Row] = []
        self.total = 0
        self.statuses: Counter[Status] = Counter()
        self.notes: Counter[Note] = Counter()
        self.failures: Counter[FailureKind] = Counter()
        self.first_failures: dict[FailureKind, Failure] = {}
        self.answered = self.counted = 0
        self.counters: set[CountedBy] = set()
        self.labels: dict[str, Counter[str]] = {}
        self._columns = {metric.name: Column() for metric in metrics}
        self._adding = [
            (name, column.values.append, column.reasons.append)
            for name, column in self._columns.items()
        ]
        self._kinds: dict[tuple[bool, tuple[str, ...], str], tuple[str, ...]] = {}
        self._examples, self._groups, self._decisions = Numbers(), Numbers(), Decisions()
        self._group_of: dict[int, int] = {}
        self._slices: dict[str, array[int]] = {}

    def add(self, row: Row) -> None:
        """Takes up one row, which has a score for each metric.

        Raises:
            ValueError: its example was in another group before.
            RunError: a score is missing.
        """
        example, group = self._examples.add(row.example.id), self._groups.add(row.example.group)
        if self._group_of.setdefault(example, group) != group:
            raise ValueError(f"example {row.example.id!r} is in two groups")
        self._decisions.add(row.example, row.sample)
        notes = [*self._answer(row.sample), *self._scores(row)]
        if notes:
            # Rows, not turns: a note that comes twice in a dialogue is one row to look at.
            self.notes.update(set(notes))
        for name in self._slices_of(row):
            self._slices.setdefault(name, array("q")).append(self.total)
        if self._keep:
            self.rows.append(row)
        self.total += 1

    def _slices_of(self, row: Row) -> tuple[str, ...]:
        """The parts of the whole that a row is in; rows of a few kinds make up a run."""
        kind = (row.sample.status == "ok", row.example.tags, row.example.lang)
        if kind not in self._kinds:
            completed, tags, lang = kind
            names = [*(f"tag:{tag}" for tag in dict.fromkeys(tags)), f"lang:{lang}"]
            self._kinds[kind] = (*((COMPLETED,) if completed else ()), *names)
        return self._kinds[kind]

    def _answer(self, sample: Sample) -> Sequence[Note]:
        """Its notes."""
        self.statuses[sample.status] += 1
        if sample.failure:
            self.failures[sample.failure.kind] += 1
            self.first_failures.setdefault(sample.failure.kind, sample.failure)
        if sample.generation is None:
            return ()
        self.answered += 1
        counted, notes = True, list[Note]()
        for turn in sample.generation.turns:
            notes += turn.notes
            if turn.usage is None:
                counted = False
            else:
                self.counters.add(turn.usage.counted_by)
        self.counted += counted
        return notes

    def _scores(self, row: Row) -> Sequence[Note]:
        """Their notes."""
        notes: list[Note] = []
        for name, add_value, add_reason in self._adding:
            score = row.scores.get(name)
            if score is None:
                raise RunError(
                    f"the scores of {row.named} lack {name}",
                    "delete its line in the file of scores; it is scored again",
                )
            value = score.value
            add_value(_NAN if value is None else value)
            add_reason(_CODE[score.reason])
            if score.notes:
                notes += score.notes
            if score.verdict is not None and score.verdict.label is not None:
                self.labels.setdefault(score.name, Counter())[score.verdict.label] += 1
        return notes

    @property
    def commonest_failure(self) -> Failure:
        """The first failure of the most frequent kind."""
        kind, _ = self.failures.most_common(1)[0]
        return self.first_failures[kind]

    @property
    def counted_by(self) -> CountedBy | None:
        """Who counted the tokens; None where nobody did, or several."""
        return next(iter(self.counters)) if len(self.counters) == 1 else None

    def unscored(self, metric: str) -> dict[Reason, int]:
        """How many rows have no value for a metric, by reason."""
        return self._columns[metric].unscored()

    def estimates(self) -> dict[str, Estimate]:
        """Every metric over all rows."""
        return self._estimates(self.metrics, None)

    def slices(self) -> dict[str, dict[str, Estimate]]:
        """All metrics on completed answers; the shown ones by tag and language."""
        shown = [metric for metric in self.metrics if metric.name in self.shown]
        found = {COMPLETED: self._estimates(self.metrics, self._rows_of(COMPLETED))}
        for kind in ("tag:", "lang:"):
            for name in sorted(name for name in self._slices if name.startswith(kind)):
                found[name] = self._estimates(shown, self._rows_of(name))
        return found

    def passes(self) -> dict[str, tuple[Estimate, ...]]:
        """pass^1, pass^2, … of the metrics that ask for every sample; none where rows have one each."""
        drawn = self.samples
        asked = [metric for metric in self.metrics if metric.pooling == "every" and drawn > 1]
        return {metric.name: self._passes(metric, drawn) for metric in asked}

    def _passes(self, metric: Metric, drawn: int) -> tuple[Estimate, ...]:
        examples, groups = self._numbers()
        columns = (self._column_of(metric, None, examples, groups, k) for k in range(1, drawn + 1))
        return tuple(estimate_each((column, metric.unit) for column in columns))

    def calls(self) -> CallDecisions | None:
        """What was decided about calling; None where no row says what is needed."""
        return self._decisions.summary(*self._numbers())

    @property
    def samples(self) -> int:
        """How many samples a row of the run has; 0 without rows."""
        import numpy as np

        examples, _ = self._numbers()
        return int(np.bincount(examples).max()) if len(examples) else 0

    def _numbers(self) -> tuple[Ints, Ints]:
        """The number of each sample's example, and of its group."""
        import numpy as np

        examples = np.frombuffer(self._examples.entries, dtype=np.int64)
        return examples, np.frombuffer(self._groups.entries, dtype=np.int64)

    def _rows_of(self, name: str) -> Ints:
        import numpy as np

        return np.array(self._slices.get(name, array("q")), dtype=np.int64)

    def _estimates(self, metrics: Iterable[Metric], rows: Ints | None) -> dict[str, Estimate]:
        examples, groups = self._numbers()
        if rows is not None:
            examples, groups = examples[rows], groups[rows]
        asked, drawn = list(metrics), self.samples
        several = (
            (self._column_of(metric, rows, examples, groups, drawn), metric.unit)
            for metric in asked
        )
        estimates = estimate_each(several)
        return {metric.name: one for metric, one in zip(asked, estimates, strict=True)}

    def _column_of(
        self, metric: Metric, rows: Ints | None, examples: Ints, groups: Ints, drawn: int
    ) -> Scores:
        """A metric over all rows or some; one that asks for every sample, of `drawn` samples a row."""
        import numpy as np

        column = self._columns[metric.name]
        values = np.frombuffer(column.values)
        chosen = values if rows is None else values[rows]
        if metric.pooling == "mean":
            return Scores(chosen, examples, groups, column.unscored(rows))
        pooled = every(chosen, examples, drawn) if len(chosen) else chosen
        codes = np.frombuffer(column.reasons, dtype=np.uint8)
        lacking = reasons_of(pooled, codes if rows is None else codes[rows], examples)
        return Scores(pooled, examples, groups, lacking)


def reasons_of(values: Floats, codes: Bytes, examples: Ints) -> dict[Reason, int]:
    """Why values are missing, counted. What is missing because other samples of its example are has
    their reason, the gravest of them; where nothing else is missing it is not applicable."""
    import numpy as np

    missing = np.isnan(values)
    order = [_CODE[reason] for reason in REASONS if reason != "not_applicable"]
    of_example = np.full(int(examples.max()) + 1 if len(examples) else 0, _CODE["not_applicable"])
    for code in reversed(order):
        of_example[examples[codes == code]] = code
    told = np.where(codes[missing] > 0, codes[missing], of_example[examples[missing]])
    counts = np.bincount(told, minlength=len(REASONS) + 1)
    found = {reason: int(counts[_CODE[reason]]) for reason in sorted(REASONS)}
    return {reason: count for reason, count in found.items() if count}

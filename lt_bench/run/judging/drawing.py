"""Which labelled replies a calibration asks its judge about.

The draw hangs on the seed and the ids of the replies, not on their order, so that a longer file or
a larger limit asks about the same replies first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from lt_bench.config import digest
from lt_bench.records import Labelled
from lt_bench.run.judging.people import agreed, opinions
from lt_bench.run.judging.slices import source_of


@dataclass(frozen=True)
class Draw:
    """`limit`: at most so many replies, from all sources alike. `balance`: of every metric as many
    that people call right as they call wrong."""

    limit: int | None = None
    balance: bool = False
    seed: int = 0


@dataclass(frozen=True)
class Drawn:
    """The replies to be asked about, in the order they were read, and the ids that count for each
    metric."""

    rows: tuple[Labelled, ...]
    ids: Mapping[str, frozenset[str]]


def draw(rows: Sequence[Labelled], metrics: Sequence[str], how: Draw) -> Drawn:
    """The replies that have a label for one of the metrics, or as many of them as asked for."""
    labelled = [row for row in rows if any(opinions(row, metric) for metric in metrics)]
    ordered = _by_class(labelled, metrics, how.seed) if how.balance else _spread(labelled, how.seed)
    taken = ordered[: how.limit]
    ids = {
        metric: frozenset(row.id for row in _counted(taken, metric, how.balance))
        for metric in metrics
    }
    asked = frozenset(chain.from_iterable(ids.values()))
    return Drawn(tuple(row for row in rows if row.id in asked), ids)


def _spread(rows: Iterable[Labelled], seed: int) -> list[Labelled]:
    """The rows in an order of which every beginning holds all sources alike."""
    sources: dict[str, list[Labelled]] = {}
    for row in sorted(rows, key=lambda row: digest([seed, row.id])):
        sources.setdefault(source_of(row), []).append(row)
    return _in_turn(sources[name] for name in sorted(sources))


def _by_class(rows: Iterable[Labelled], metrics: Sequence[str], seed: int) -> list[Labelled]:
    """The rows in an order of which every beginning holds as many of each answer of people; those
    on which people agree in nothing come last."""
    classes: dict[tuple[bool | None, ...], list[Labelled]] = {}
    for row in rows:
        classes.setdefault(tuple(agreed(row, metric) for metric in metrics), []).append(row)
    disputed = classes.pop((None,) * len(metrics), [])
    keys = sorted(classes, key=lambda key: [str(part) for part in key])
    return _in_turn(_spread(classes[key], seed) for key in keys) + _spread(disputed, seed)


def _in_turn(lanes: Iterable[Sequence[Labelled]]) -> list[Labelled]:
    """One of each lane, then the next of each, as long as there are any."""
    return [row for turn in zip_longest(*lanes) for row in turn if row is not None]


def _counted(ordered: Sequence[Labelled], metric: str, balance: bool) -> list[Labelled]:
    """The rows that have a label for the metric; of the more frequent answer no more than of the
    other where a balance is asked for."""
    labelled = [row for row in ordered if opinions(row, metric)]
    if not balance:
        return labelled
    by_answer = {answer: [r for r in labelled if agreed(r, metric) is answer] for answer in ANSWERS}
    fewest = min(len(by_answer[True]), len(by_answer[False]))
    return [*by_answer[True][:fewest], *by_answer[False][:fewest], *by_answer[None]]


ANSWERS = (True, False, None)
"""What people can come to; None: they are tied."""

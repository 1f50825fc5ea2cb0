"""Which entries stand on one table, and why the others are kept apart.

Whole entries: another task or version, other rows, another prompt. Single metrics: another judge than the
table's, a judge that nobody measured, another counter of tokens, another number of samples behind pass^k.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from lt_bench.board.believing import RANKED, judge_states, who
from lt_bench.board.declaration import BoardSpec
from lt_bench.board.kept import Added, Kept
from lt_bench.board.model import JudgeState
from lt_bench.records import CountedBy, ResultCard, Unit

Key = TypeVar("Key")

NEARNESS: Final[tuple[CountedBy, ...]] = ("engine", "provider", "tokenizer")
"""Who counts tokens, from who made them to who only has their text."""
COUNTED: Final[frozenset[Unit]] = frozenset(("tokens", "TFLOP"))
"""Units in which only figures of one counter are comparable."""
FROM_TOKENS: Final = frozenset(("r_length",))
"""Metrics of another unit that are made of tokens."""


@dataclass(frozen=True)
class Candidate:
    """An entry with what is known of its judges."""

    id: str
    card: ResultCard
    added: Added | None
    judges: Mapping[str, JudgeState]

    @classmethod
    def of(cls, kept: Kept) -> Candidate:
        return cls(kept.id, kept.card, kept.added, judge_states(kept.card))


@dataclass(frozen=True)
class Table:
    """What the comparable entries share. `apart` maps the others to the reason. `unranked` maps (entry,
    metric) to the reason why that entry takes no rank in that metric alone."""

    together: tuple[Candidate, ...]
    apart: Mapping[str, str]
    unranked: Mapping[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Facet:
    """Something that must be the same for a whole table. `pinned` None: what most have."""

    of: Callable[[Candidate], object]
    pinned: object
    words: Callable[[Candidate], str]


def table(candidates: Sequence[Candidate], spec: BoardSpec) -> Table:
    """Divides the entries; what board.yaml pins decides, else what most of them have."""
    apart: dict[str, str] = {}
    left = list(candidates)
    for facet in _facets(spec):
        asked = facet.pinned if facet.pinned is not None else _common(left, facet.of)
        here = next((facet.words(one) for one in left if facet.of(one) == asked), str(asked)[:12])
        for one in left:
            if facet.of(one) not in (asked, None):
                apart[one.id] = f"{facet.words(one)}, the table has {here}"
        left = [one for one in left if one.id not in apart]
    for one in left:
        if one.added is None:
            apart[one.id] = "only its card is here: without its rows nothing can be tested"
    together = tuple(one for one in left if one.id not in apart)
    return Table(together, apart, _unranked(together, spec))


def _facets(spec: BoardSpec) -> list[_Facet]:
    return [
        _Facet(lambda one: one.card.task, spec.task, lambda one: f"task {one.card.task}"),
        _Facet(
            lambda one: one.card.version,
            spec.version,
            lambda one: f"version {one.card.version} of the task",
        ),
        _Facet(
            lambda one: one.card.stamp.data_sha,
            spec.data_sha,
            lambda one: f"data sha256 {one.card.stamp.data_sha[:8]}…",
        ),
        _Facet(
            lambda one: one.card.stamp.prompt_sha,
            None,
            lambda one: f"prompt or task options sha256 {one.card.stamp.prompt_sha[:8]}…",
        ),
        _Facet(
            lambda one: one.added.rows_sha if one.added else None,
            None,
            lambda one: _rows(one.added) if one.added else "no rows",
        ),
    ]


def _rows(added: Added) -> str:
    return f"{added.rows} of the rows (sha256 {added.rows_sha[:8]}…)"


def _common(candidates: Iterable[Candidate], of: Callable[[Candidate], object]) -> object:
    """What most have; of two, what the newest card has. None only where nobody has any."""
    known = [one for one in candidates if of(one) is not None]
    counts = Counter(of(one) for one in known)
    newest: dict[object, str] = {}
    for one in known:
        newest[of(one)] = max(newest.get(of(one), ""), one.card.stamp.created)
    return max(counts, key=lambda value: (counts[value], newest[value]), default=None)


def _unranked(together: Sequence[Candidate], spec: BoardSpec) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    names = dict.fromkeys(metric for one in together for metric in one.card.metrics)
    for metric in names:
        having = [one for one in together if metric in one.card.metrics]
        found |= _by_judge(metric, having, spec)
        found |= _by_counter(metric, having, spec)
        found |= _by_samples(metric, having)
    return found


def _by_judge(
    metric: str, having: Sequence[Candidate], spec: BoardSpec
) -> dict[tuple[str, str], str]:
    """A judge that may rank, the one that most of the entries have."""
    found: dict[tuple[str, str], str] = {}
    judged = [one for one in having if metric in one.judges]
    for one in judged:
        if one.judges[metric].belief not in RANKED:
            found[one.id, metric] = one.judges[metric].sentence
    ranked = [one for one in judged if (one.id, metric) not in found]
    if not ranked:
        return found
    pinned = [one for one in ranked if spec.judge in (None, one.judges[metric].stamp.name)]
    asked = _common(pinned or ranked, lambda one: one.judges[metric].stamp.judge_sha)
    first = next(one for one in ranked if one.judges[metric].stamp.judge_sha == asked)
    for one in having:
        state = one.judges.get(metric)
        if state is None:
            found[one.id, metric] = "measured without a judge, the table has one"
        elif state.stamp.judge_sha != asked and (one.id, metric) not in found:
            found[one.id, metric] = (
                f"another judge: {_judge(state)}, the table has {_judge(first.judges[metric])}"
            )
    return found


def _judge(state: JudgeState) -> str:
    stamp = state.stamp
    models = f" ({who(stamp)})" if stamp.models else ""
    return f"{stamp.name} version {stamp.version}{models}, sha256 {stamp.judge_sha[:8]}…"


def _by_counter(
    metric: str, having: Sequence[Candidate], spec: BoardSpec
) -> dict[tuple[str, str], str]:
    """Tokens that the engine counted, or the provider, or a tokenizer: never together."""
    counted = [
        one for one in having if one.card.metrics[metric].unit in COUNTED or metric in FROM_TOKENS
    ]
    known = [one for one in counted if one.card.metrics[metric].value is not None]
    asked = spec.counted_by or _usual_counter(one.card.stamp.counted_by for one in known)
    return {
        (
            one.id,
            metric,
        ): f"tokens counted by {one.card.stamp.counted_by or 'several'}, the table has "
        f"{asked or 'none'}"
        for one in known
        if asked is None or one.card.stamp.counted_by != asked
    }


def _usual_counter(counters: Iterable[CountedBy | None]) -> CountedBy | None:
    """What most have; of two, the one that is nearer to what was generated."""
    counts = Counter(one for one in counters if one is not None)
    return max(counts, key=lambda one: (counts[one], -NEARNESS.index(one)), default=None)


def _by_samples(metric: str, having: Sequence[Candidate]) -> dict[tuple[str, str], str]:
    """pass^k of different k are different metrics."""

    def drawn(one: Candidate) -> int:
        return len(one.card.passes.get(metric, ())) or 1

    if not any(metric in one.card.passes for one in having):
        return {}
    asked = _common(having, drawn)
    return {
        (one.id, metric): f"pass^{drawn(one)}, the table has pass^{asked}"
        for one in having
        if drawn(one) != asked
    }

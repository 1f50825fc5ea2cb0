"""From the journals of a run to its ResultCard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from lt_bench.records import (
    CountedBy,
    Estimate,
    Example,
    Failure,
    Note,
    ResultCard,
    Sample,
    Score,
    Scored,
    Status,
)
from lt_bench.run.rundir import RunFile
from lt_bench.run.stamp import stamp
from lt_bench.scorers import Metric, Scorer
from lt_bench.stats import Observation, estimate
from lt_bench.task import Task

TRUNCATED_WARNING = 0.02
"""Share of truncated answers above which the card warns."""


@dataclass(frozen=True)
class Row:
    """One sample with its example and its scores by name."""

    example: Example
    sample: Sample
    scores: Mapping[str, Score]

    @classmethod
    def of(cls, example: Example, sample: Sample, scored: Scored) -> Self:
        return cls(example, sample, {score.name: score for score in scored.scores})


def build_card(
    task: Task, file: RunFile, scorers: Sequence[Scorer], scorers_sha: str, table: Sequence[Row]
) -> ResultCard:
    """The card of a finished run. Every row counts in every metric, scored or with a reason."""
    metrics = [metric for scorer in scorers for metric in scorer.metrics]
    statuses: Counter[Status] = Counter(row.sample.status for row in table)
    notes = _note_counts(table)
    known = {metric.name for metric in metrics}
    return ResultCard(
        task=task.spec.name,
        version=task.spec.version,
        model=file.config.model,
        backend=file.model.backend,
        samples=dict(sorted(statuses.items())),
        metrics=_estimates(metrics, table),
        slices=_slices(task, metrics, table),
        judges={name: stamp for scorer in scorers for name, stamp in scorer.judges.items()},
        headline=tuple(name for name in task.spec.headline if name in known),
        note_counts=notes,
        remarks={name: text for scorer in scorers for name, text in scorer.remarks.items()},
        warnings=tuple(_warnings(table, statuses, notes)),
        stamp=stamp(file, scorers_sha, _counted_by(table)),
    )


def _estimate(metric: Metric, table: Sequence[Row]) -> Estimate:
    return estimate(
        [
            Observation(
                example_id=row.example.id,
                group=row.example.group,
                value=row.scores[metric.name].value,
                reason=row.scores[metric.name].reason,
            )
            for row in table
        ],
        metric.unit,
    )


def _slices(
    task: Task, metrics: Sequence[Metric], table: Sequence[Row]
) -> dict[str, dict[str, Estimate]]:
    """All metrics on completed answers; the headline ones by tag and language."""
    found = {"status:ok": _estimates(metrics, [r for r in table if r.sample.status == "ok"])}
    shown = [metric for metric in metrics if metric.name in task.spec.headline]
    for tag in sorted({tag for row in table for tag in row.example.tags}):
        found[f"tag:{tag}"] = _estimates(shown, [r for r in table if tag in r.example.tags])
    for lang in sorted({row.example.lang for row in table}):
        found[f"lang:{lang}"] = _estimates(shown, [r for r in table if r.example.lang == lang])
    return found


def _estimates(metrics: Sequence[Metric], table: Sequence[Row]) -> dict[str, Estimate]:
    return {metric.name: _estimate(metric, table) for metric in metrics}


def _note_counts(table: Sequence[Row]) -> dict[Note, int]:
    """Rows, not turns: a note that comes twice in a dialogue is one row to look at."""
    counts: Counter[Note] = Counter()
    for row in table:
        turns = row.sample.generation.turns if row.sample.generation else ()
        counts.update(
            {note for turn in turns for note in turn.notes}
            | {note for score in row.scores.values() for note in score.notes}
        )
    return dict(sorted(counts.items()))


def _counted_by(table: Sequence[Row]) -> CountedBy | None:
    kinds: set[CountedBy] = {
        turn.usage.counted_by
        for row in table
        if row.sample.generation
        for turn in row.sample.generation.turns
        if turn.usage
    }
    return kinds.pop() if len(kinds) == 1 else None


def _warnings(
    table: Sequence[Row], statuses: Mapping[Status, int], notes: Mapping[Note, int]
) -> Iterator[str]:
    """What a reader must know before believing the numbers, loudest first."""
    total = len(table)
    cut = statuses.get("truncated", 0)
    if cut > TRUNCATED_WARNING * total:
        yield (
            f"{cut} of {total} answers are truncated: raise --set sampling.max_tokens, "
            "or read the values on completed answers"
        )
    if failed := statuses.get("error", 0):
        common = _commonest_failure(table)
        yield f"{failed} of {total} samples have no answer, mostly: {common.message}"
        if common.kind != "missing":
            yield "the same command asks for them again"
    answered = [row.sample.generation for row in table if row.sample.generation]
    if answered and not any(generation.usage for generation in answered):
        yield (
            "nobody counted tokens: the server sent no usage, or the predictions file has none "
            "(--set backend.tokenizer=FOLDER counts a file)"
        )
    if refused := statuses.get("refused", 0):
        yield f"{refused} of {total} requests were refused by the provider's filter"
    if unknown := notes.get("unknown_family", 0):
        yield (
            f"{unknown} replies begin with an unknown thinking tag, counted as reply: "
            "name the family with --set backend.family=…"
        )
    if leaked := notes.get("leaked_channels", 0):
        yield f"{leaked} replies hold channel names without their markers: check the server"


def _commonest_failure(table: Sequence[Row]) -> Failure:
    """The first failure of the most frequent kind."""
    failures = [row.sample.failure for row in table if row.sample.failure]
    kind, _ = Counter(failure.kind for failure in failures).most_common(1)[0]
    return next(failure for failure in failures if failure.kind == kind)

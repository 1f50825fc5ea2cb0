"""From the journals of a run to its ResultCard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lt_bench.records import (
    CountedBy,
    Estimate,
    JudgeBill,
    JudgeStamp,
    Note,
    ResultCard,
    Status,
)
from lt_bench.run.cautions import answer_cautions, judge_cautions
from lt_bench.run.judgements import label_counts
from lt_bench.run.row import Row
from lt_bench.run.rundir import RunFile
from lt_bench.run.stamp import stamp
from lt_bench.run.trust import Trust
from lt_bench.scorers import Metric, Scorer
from lt_bench.stats import Observation, estimate
from lt_bench.task import Task


def build_card(
    task: Task,
    file: RunFile,
    scorers: Sequence[Scorer],
    scorers_sha: str,
    table: Sequence[Row],
    trust: Trust,
    bill: JudgeBill | None = None,
) -> ResultCard:
    """The card of a finished run. Every row counts in every metric, scored or with a reason.

    bill: what the judging took.
    """
    metrics = [metric for scorer in scorers for metric in scorer.metrics]
    statuses: Counter[Status] = Counter(row.sample.status for row in table)
    notes = _note_counts(table)
    known = {metric.name for metric in metrics}
    scores = [score for row in table for score in row.scores.values()]
    judges = {name: trust.stamp(name, stamp) for name, stamp in judges_of(scorers).items()}
    worth = {name: trust.corrected(name, stamp, table) for name, stamp in judges.items()}
    return ResultCard(
        task=task.spec.name,
        version=task.spec.version,
        model=file.config.model,
        backend=file.model.backend,
        samples=dict(sorted(statuses.items())),
        metrics=_estimates(metrics, table),
        slices=_slices(task, metrics, table),
        judges=judges,
        labels=label_counts(scores),
        corrected={name: found for name, found in worth.items() if found},
        bill=bill,
        headline=tuple(name for name in task.spec.headline if name in known),
        note_counts=notes,
        remarks={name: text for scorer in scorers for name, text in scorer.remarks.items()},
        warnings=(
            *answer_cautions(table, notes),
            *judge_cautions(file.config.model, judges, table),
        ),
        stamp=stamp(file, scorers_sha, _counted_by(table)),
    )


def judges_of(scorers: Sequence[Scorer]) -> dict[str, JudgeStamp]:
    """Metric -> who judges it."""
    return {name: stamp for scorer in scorers for name, stamp in scorer.judges.items()}


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

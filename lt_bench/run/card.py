"""From what the rows of a run come to, to its ResultCard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lt_bench.records import JudgeBill, JudgeStamp, ResultCard
from lt_bench.run.cautions import answer_cautions, judge_cautions
from lt_bench.run.rundir import RunFile
from lt_bench.run.score import judges_of
from lt_bench.run.stamp import stamp
from lt_bench.run.tally import Tally
from lt_bench.run.trust import Trust
from lt_bench.scorers import Scorer
from lt_bench.task import Task


def tally_of(task: Task, scorers: Sequence[Scorer], trust: Trust) -> Tally:
    """Takes up the rows of a run of this task, one by one."""
    metrics = [metric for scorer in scorers for metric in scorer.metrics]
    return Tally(metrics, task.spec.headline, keep=bool(trust.calibrations or trust.labels))


def build_card(
    task: Task,
    file: RunFile,
    scorers: Sequence[Scorer],
    scorers_sha: str,
    tally: Tally,
    trust: Trust,
    bill: JudgeBill | None = None,
    judged_by: Mapping[str, JudgeStamp] | None = None,
) -> ResultCard:
    """The card of a finished run. Every row counts in every metric, scored or with a reason.

    bill: what the judging took.
    judged_by: metric -> its judge, where the models that judged are not open.
    """
    given = judges_of(scorers) if judged_by is None else judged_by
    judges = {name: trust.stamp(name, stamp) for name, stamp in given.items()}
    unscored = {name: tally.unscored(name) for name in judges}
    worth = {name: trust.corrected(name, stamp, tally.rows) for name, stamp in judges.items()}
    return ResultCard(
        task=task.spec.name,
        version=task.spec.version,
        model=file.config.model,
        backend=file.model.backend,
        samples=dict(sorted(tally.statuses.items())),
        metrics=tally.estimates(),
        slices=tally.slices(),
        judges=judges,
        labels={name: dict(sorted(counts.items())) for name, counts in tally.labels.items()},
        corrected={name: found for name, found in worth.items() if found},
        passes=tally.passes(),
        calls=tally.calls(),
        bill=bill,
        headline=_headline(task, tally),
        note_counts=dict(sorted(tally.notes.items())),
        remarks={
            **{name: text for scorer in scorers for name, text in scorer.remarks.items()},
            **{
                metric.name: _pooled(tally) for metric in tally.metrics if metric.pooling == "every"
            },
        },
        warnings=(
            *answer_cautions(tally),
            *judge_cautions(file.config.model, judges, unscored, tally.total),
        ),
        stamp=stamp(file, scorers_sha, tally.counted_by),
    )


def _headline(task: Task, tally: Tally) -> tuple[str, ...]:
    """What the task shows first and, with several samples of a row, whether all of them succeed."""
    known = {metric.name for metric in tally.metrics}
    every = [one.name for one in tally.metrics if one.pooling == "every" and tally.samples > 1]
    return tuple(dict.fromkeys(name for name in (*task.spec.headline, *every) if name in known))


def _pooled(tally: Tally) -> str:
    """What a metric that asks for every sample is of this run."""
    k = tally.samples
    return f"pass^{k}, the chance that all of {k} samples of a row succeed" if k > 1 else "pass^1"

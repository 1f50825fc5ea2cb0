"""A judge measured against what people say of the same replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from lt_bench.calibration.agreement import Pair, agreement
from lt_bench.calibration.baselines import baselines
from lt_bench.calibration.cautions import cautions
from lt_bench.config import digest
from lt_bench.errors import UsageError
from lt_bench.records import (
    Agreement,
    Calibration,
    Estimate,
    JudgeStamp,
    Labelled,
    MetricCalibration,
    Reason,
    Score,
)
from lt_bench.run.environment import environment
from lt_bench.run.judging.drawing import Draw, Drawn, draw
from lt_bench.run.judging.people import agreed, between_people, labelled_metrics, opinions
from lt_bench.run.judging.rating import Rated
from lt_bench.run.judging.slices import check_prefixes, sliced
from lt_bench.scorers import Scorer
from lt_bench.scorers.judged import JudgedScorer
from lt_bench.stats import Observation, estimate


@dataclass(frozen=True)
class Plan:
    """What is to be measured, on what. `judge` is the name that was asked for, `labels` says where
    the rows are from, `prefixes` are tags to slice by."""

    judge: str
    scorer: Scorer
    labels: str
    rows: tuple[Labelled, ...]
    metrics: tuple[str, ...]
    how: Draw
    drawn: Drawn
    prefixes: tuple[str, ...] = ()


def plan(
    judge: str,
    scorer: Scorer,
    rows: Sequence[Labelled],
    labels: str,
    how: Draw,
    prefixes: Sequence[str] = (),
) -> Plan:
    """Which replies the judge is asked about, before any is.

    Raises:
        UsageError: people labelled nothing that this judge gives, the judge cannot score any of the
            replies, it gives more than yes and no, no reply has a tag to slice by, or there is nothing
            to balance.
    """
    names = [metric.name for metric in scorer.metrics]
    metrics = labelled_metrics(names, rows)
    if not metrics:
        raise UsageError(
            f"no reply has a label for {judge}, which gives {', '.join(names)}",
            "label them: lt-bench judge label, or name a judge of what was labelled",
        )
    check_prefixes(rows, prefixes)
    if isinstance(scorer, JudgedScorer):
        _check_asked(scorer)
    _check_applies(judge, scorer, metrics, rows)
    drawn = draw(rows, metrics, how)
    if how.balance:
        _check_balance(metrics, drawn)
    return Plan(judge, scorer, labels, tuple(rows), metrics, how, drawn, tuple(prefixes))


def calibration_of(plan: Plan, rated: Sequence[Rated]) -> Calibration:
    """What the ratings of the drawn replies come to, while the judge's models are open.

    Raises:
        ValueError: a score is neither 0 nor 1.
    """
    scores = {one.row.id: one.scores for one in rated}
    stamps = plan.scorer.judges
    metrics = {name: _metric(plan, name, stamps[name], scores) for name in plan.metrics}
    return Calibration(
        judge=plan.judge,
        models=stamps[plan.metrics[0]].models,
        labels=plan.labels,
        labels_sha=digest([row.model_dump(mode="json") for row in plan.drawn.rows]),
        rows=len(plan.rows),
        balanced=plan.how.balance,
        metrics=metrics,
        environment=environment(None),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


@dataclass(frozen=True)
class _Compared:
    """One reply on which people agree, and what the judge says of it."""

    row: Labelled
    human: bool
    score: Score


def _metric(
    plan: Plan, metric: str, stamp: JudgeStamp, scores: Mapping[str, Mapping[str, Score]]
) -> MetricCalibration:
    labelled = [row for row in plan.rows if opinions(row, metric)]
    drawn = [row for row in labelled if row.id in plan.drawn.ids[metric]]
    compared = [
        _Compared(row, human, scores[row.id][metric])
        for row in drawn
        if (human := agreed(row, metric)) is not None
    ]
    disputed = [(row, scores[row.id][metric]) for row in drawn if agreed(row, metric) is None]
    people = list(between_people(plan.rows, metric))
    parts = sliced([one.row for one in compared], plan.prefixes)
    overall = _agreement(compared)
    return MetricCalibration(
        judge=stamp.name,
        judge_sha=stamp.judge_sha,
        version=stamp.version,
        votes=stamp.votes,
        overall=overall,
        slices={name: _agreement([compared[i] for i in part]) for name, part in parts.items()},
        baselines=_baselines(compared),
        annotators=agreement(people) if people else None,
        disputed=len(disputed),
        disputed_yes=_share_of_yes(disputed) if disputed else None,
        unlabelled=len(plan.rows) - len(labelled),
        left_out=len(labelled) - len(drawn),
        by_construction=_made(drawn),
        warnings=(*cautions(overall), *_of_labels(drawn)),
    )


def _agreement(compared: Sequence[_Compared]) -> Agreement:
    pairs = [
        Pair(judge=_yes(one.score), human=one.human, group=one.row.example.group)
        for one in compared
        if one.score.value is not None
    ]
    silent: Counter[Reason] = Counter(one.score.reason for one in compared if one.score.reason)
    return agreement(pairs, dict(sorted(silent.items())))


def _baselines(compared: Sequence[_Compared]) -> dict[str, Agreement]:
    """What judges that read nothing come to on the replies that this judge gave a verdict on."""
    seen = [one for one in compared if one.score.value is not None]
    return {
        name: agreement(
            [
                Pair(judge=yes, human=one.human, group=one.row.example.group)
                for yes, one in zip(said, seen, strict=True)
            ]
        )
        for name, said in baselines([one.row.reply for one in seen]).items()
    }


def _of_labels(rows: Sequence[Labelled]) -> Iterator[str]:
    """What a reader must know of who labelled."""
    if _made(rows):
        yield (
            "nobody read these replies: their labels follow from how they were made, so that this "
            "tells whether the judge is consistent with the builder, not whether people agree"
        )


def _made(rows: Sequence[Labelled]) -> bool:
    """Whether a builder labelled them all, by how it made them."""
    from lt_bench.builders.commerce_judge import ANNOTATOR

    return bool(rows) and all(label.annotator == ANNOTATOR for row in rows for label in row.labels)


def _yes(score: Score) -> bool:
    if score.value not in (0.0, 1.0):
        raise ValueError(f"{score.name} is {score.value}, neither yes nor no")
    return score.value == 1.0


def _share_of_yes(disputed: Sequence[tuple[Labelled, Score]]) -> Estimate:
    """How many of the replies on which people disagree the judge calls right."""
    return estimate(
        [
            Observation(row.id, row.example.group, score.value, score.reason)
            for row, score in disputed
        ]
    )


def _check_balance(metrics: Sequence[str], drawn: Drawn) -> None:
    """Something is left of every metric once there are as many right as wrong replies."""
    for metric in metrics:
        if not any(
            row.id in drawn.ids[metric] and agreed(row, metric) is not None for row in drawn.rows
        ):
            raise UsageError(
                f"--balance leaves no reply for {metric}: people call all of them right, or all wrong",
                "label some of the other kind, or leave --balance out",
            )


def _check_asked(scorer: JudgedScorer) -> None:
    """The judges say yes or no, as people do."""
    for judge in scorer.asked:
        graded = [n for n, label in judge.spec.labels.items() if label.value not in (0, 1, None)]
        if graded:
            raise UsageError(
                f"judge {judge.spec.name}: {', '.join(graded)} is worth neither 0 nor 1, and people "
                "say yes or no",
                "declare a judge whose labels are worth 0, 1 or null",
            )


def _check_applies(
    judge: str, scorer: Scorer, metrics: Sequence[str], rows: Sequence[Labelled]
) -> None:
    """The judge can score at least one reply that people labelled."""
    asked = [metric for metric in scorer.metrics if metric.name in metrics]
    if any(
        opinions(row, metric.name) and scorer.applies(metric, row.example)
        for metric in asked
        for row in rows
    ):
        return
    raise UsageError(
        f"{judge} cannot score any of these {len(rows)} replies: it needs gold facts, and they have "
        "none",
        "name a judge that reads documents, or labels with gold facts (data build commerce_judge)",
    )

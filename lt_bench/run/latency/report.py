"""From what was seen to the report of a sweep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from lt_bench.backends import ModelFacts
from lt_bench.errors import FailureKind
from lt_bench.records import CountedBy, Estimate, Fate, LatencyReport, Note, RateReport
from lt_bench.run.environment import environment
from lt_bench.run.judgements import bill
from lt_bench.run.latency.cautions import cautions, judge_cautions
from lt_bench.run.latency.goodput import goodput
from lt_bench.run.latency.measurement import Measurement
from lt_bench.run.latency.observations import FELT, Observation
from lt_bench.run.latency.percentiles import figures
from lt_bench.run.latency.quality import Scores
from lt_bench.run.latency.saturation import saturation
from lt_bench.run.latency.sweep import Sweep, Window
from lt_bench.run.latency.verdicts import HEARD, Verdict
from lt_bench.stats import Observation as Scored
from lt_bench.stats import estimate


def build_report(
    asked: Measurement,
    sweep: Sweep,
    scores: Scores,
    verdicts: Sequence[Sequence[Verdict]],
    facts: ModelFacts,
    *,
    interrupted: bool = False,
) -> LatencyReport:
    """The report of all windows that measured a request."""
    one, seen = asked.evaluation, sweep.seen
    pairs = zip(sweep.windows, verdicts, strict=True)
    rates = tuple(rate_report(window, found) for window, found in pairs if found)
    told = [score for row in scores.rows for score in row.scores.values()]
    return LatencyReport(
        model=one.model,
        backend=facts.backend,
        fingerprint=facts.fingerprint,
        task=one.task.spec.name,
        version=one.task.spec.version,
        data=str(one.data.resolve()) if one.data else None,
        data_sha=one.task.data_sha(one.data),
        rows=len(one.examples),
        deadline=asked.deadline,
        start_by=asked.start_by,
        timeout=asked.timeout,
        bound=asked.bound,
        arrivals=asked.arrivals.name,
        seed=asked.seed,
        path=dict(asked.path.written),
        virtual=asked.virtual,
        asked_for=asked.asked_for,
        judges=dict(scores.judges),
        bill=bill(told, one.judge.prices),
        counted_by=_counted_by(seen),
        rates=rates,
        stopped=sweep.stopped,
        interrupted=interrupted,
        note_counts=_notes(seen),
        warnings=(
            *cautions(seen, rates, asked.deadline, len(one.examples)),
            *judge_cautions(one.model, asked.asked_for, scores),
        ),
        environment=environment(facts.device),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def rate_report(window: Window, verdicts: Sequence[Verdict]) -> RateReport:
    """The figures of one window."""
    seen = [verdict.seen for verdict in verdicts]
    counted = [verdict for verdict in verdicts if verdict.seen.counts]
    first, last = seen[0].planned.at, seen[-1].planned.at
    kinds: Counter[FailureKind] = Counter(one.failure.kind for one in seen if one.failure)
    fates: Counter[Fate] = Counter(one.status for one in seen)
    return RateReport(
        rate=window.schedule.rate,
        requests=len(seen),
        warmup=len(window.warm),
        offered=(len(seen) - 1) / (last - first) if last > first else None,
        achieved=_achieved(seen, last - first),
        window=last - first,
        drain=max([0.0, *(one.ended - last for one in seen if one.ended is not None)]),
        most_outstanding=window.most_outstanding,
        outcomes=dict(sorted(fates.items())),
        failures=dict(sorted(kinds.items())),
        measured={what: figures(verdict.seen.times[what] for verdict in counted) for what in FELT},
        end_to_end={what: figures(verdict.heard[what] for verdict in counted) for what in HEARD},
        goodput=goodput((verdict.good for verdict in verdicts), seen),
        in_time=goodput((verdict.in_time for verdict in verdicts), seen),
        quality=_quality(verdicts),
        saturation=saturation(window.schedule.rate, seen),
    )


def _achieved(seen: Sequence[Observation], window: float) -> float | None:
    """Answers a second: the gaps between the first and the last answer, over that time. An engine
    that gives them out together has taken the time in which they arrived."""
    ended = sorted(one.ended for one in seen if one.generation and one.ended is not None)
    if len(ended) < 2 or ended[-1] <= ended[0]:
        return None
    return (len(ended) - 1) / max(ended[-1] - ended[0], window)


def _quality(verdicts: Sequence[Verdict]) -> Estimate:
    """The score that is asked for, over all requests that count; one without an answer has none."""
    return estimate([_scored(verdict) for verdict in verdicts if verdict.seen.counts])


def _scored(verdict: Verdict) -> Scored:
    example, score = verdict.seen.planned.example, verdict.score
    if score is None:
        return Scored(example.id, example.group, None, "judge_error")
    return Scored(example.id, example.group, score.value, score.reason)


def _counted_by(seen: Iterable[Observation]) -> CountedBy | None:
    kinds: set[CountedBy] = {
        turn.usage.counted_by
        for one in seen
        if one.generation
        for turn in one.generation.turns
        if turn.usage
    }
    return kinds.pop() if len(kinds) == 1 else None


def _notes(seen: Iterable[Observation]) -> dict[Note, int]:
    """Requests with each note."""
    counts: Counter[Note] = Counter()
    for one in seen:
        turns = one.generation.turns if one.generation else ()
        counts.update({note for turn in turns for note in turn.notes})
    return dict(sorted(counts.items()))

"""What a study took, from FOLDER/times.jsonl: processor time, time by the clock, and of the main rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from lt_bench.study.evaluated import Evaluated
from lt_bench.study.jobs import Job, evaluation_job, jobs, stage_job
from lt_bench.study.report import Costs, MainTime
from lt_bench.study.spec import Study
from lt_bench.study.standing import seen_done
from lt_bench.study.times import JobTime, by_job, cpu_minutes, times


def costs(evaluated: Evaluated) -> Costs:
    """All that is recorded; of a killed study, its last commands are not."""
    named, places = evaluated.named, evaluated.places
    work, taken = jobs(named, places), list(times(places.times))
    kinds = {job.name: job.kind for job in work}
    by_kind: dict[str, list[JobTime]] = {}
    for one in taken:
        by_kind.setdefault(kinds.get(one.job, "others"), []).append(one)
    recorded = by_job(taken)
    return Costs(
        cpu=cpu_minutes(taken),
        by_kind={kind: cpu_minutes(some) for kind, some in sorted(by_kind.items())},
        wall=_covered(taken) / 60,
        commands=len(taken),
        failed=sum(one.exit not in (0, 3) for one in taken),
        unknown=tuple(_unknown(work, recorded)),
        main=tuple(_main(named.study, work, recorded)),
    )


def _covered(taken: Iterable[JobTime]) -> float:
    """Seconds during which at least one command ran."""
    total, until = 0.0, -math.inf
    for began, ended in sorted(map(_span, taken)):
        total += max(0.0, ended - max(began, until))
        until = max(until, ended)
    return total


def _span(one: JobTime) -> tuple[float, float]:
    began = datetime.fromisoformat(one.began).timestamp()
    return began, began + one.wall


def _unknown(work: Sequence[Job], recorded: Mapping[str, Sequence[JobTime]]) -> Iterator[str]:
    """Jobs that are done and that another command did."""
    for job in work:
        ended = any(one.exit in (0, 3) for one in recorded.get(job.name, ()))
        if not ended and seen_done(job.kind, job.folder, job.row):
            yield job.name


def _main(
    study: Study, work: Sequence[Job], recorded: Mapping[str, Sequence[JobTime]]
) -> Iterator[MainTime]:
    """The main rows of each seed for which the time of all their jobs is known."""
    needs = {job.name: job.needs for job in work}
    for seed in study.seeds:
        rows = [row for row in study.main if seed in study.seeds_of(row)]
        names = [job for row in rows for job in (stage_job(seed, row), evaluation_job(seed, row))]
        if not names or any(name not in recorded for name in names):
            continue
        ends: dict[str, float] = {}
        for job in work:
            if job.name in names:
                before = max((ends.get(need, 0.0) for need in needs[job.name]), default=0.0)
                ends[job.name] = before + math.fsum(one.wall for one in recorded[job.name])
        cpu = cpu_minutes(one for name in names for one in recorded[name])
        yield MainTime(seed=seed, cpu=cpu, chain=max(ends.values()) / 60)

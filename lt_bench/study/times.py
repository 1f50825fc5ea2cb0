"""What the jobs of a study took: FOLDER/times.jsonl, a line for every command that was run."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

from lt_bench.records import Number, Record
from lt_bench.run.journal import Journal


class JobTime(Record):
    """One command. `began` is UTC; `cpu` are its processor seconds and those of its children (None
    where the system does not tell), `wall` seconds by the clock."""

    job: str
    began: str
    cpu: Number | None
    wall: Number
    exit: int


def times(path: Path) -> Journal[JobTime]:
    """The journal of these lines."""
    return Journal(path, JobTime)


def cpu_minutes(taken: Iterable[JobTime]) -> float:
    """Processor minutes of them all."""
    return math.fsum(one.cpu or 0.0 for one in taken) / 60


def by_job(taken: Iterable[JobTime]) -> dict[str, list[JobTime]]:
    """All lines of each job: one that was killed and went on has several."""
    found: dict[str, list[JobTime]] = {}
    for one in taken:
        found.setdefault(one.job, []).append(one)
    return found

"""How far a run has come, read from its journals while others may write them."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from lt_bench.errors import UsageError
from lt_bench.records import Reason, Record, Status
from lt_bench.run.heads import answer_heads, score_heads
from lt_bench.run.rundir import LOCK, RUNS, RunDir, find_run
from lt_bench.run.session import Session
from lt_bench.run.session import read as read_session
from lt_bench.run.shard import Shard, whole_name


class Standing(Record):
    """`total` samples are asked in this run (None: begun by an lt-bench that did not say), `samples`
    counts the outcomes so far, and `unscored` the samples some of whose scores have no value, by
    reason. `unscored_yet` answers wait for their scores. `rows_per_second` is that of the last
    process that asked; `seconds_left` is told while it runs, `idle_seconds` since its last row.
    `card`: there is one, of these outcomes."""

    run: str
    model: str
    task: str
    shard: str | None
    total: int | None
    done: int
    samples: dict[Status, int]
    unscored: dict[Reason, int]
    unscored_yet: int
    running: bool
    rows_per_second: float | None
    seconds_left: float | None
    idle_seconds: float | None
    card: bool

    @property
    def complete(self) -> bool:
        """Every sample has an outcome."""
        return self.total is not None and self.done >= self.total


def standing(folder: RunDir) -> Standing:
    """How far one run has come. Takes no lock; a line that is still being written does not count.

    Raises:
        UsageError: the folder is not a run.
        RunError: its journals are damaged.
    """
    file = folder.load()
    config, session = file.config, read_session(folder.path / LOCK)
    outcomes, recent = _outcomes(folder, session)
    done, statuses, waiting = outcomes.total(), Counter[Status](), 0
    for (status, reasons), count in outcomes.items():
        statuses[status] += count
        waiting += count if reasons is None and status != "error" else 0
    samples = dict(sorted(statuses.items()))
    total = None if file.rows is None else file.rows * config.samples
    running = session is not None and session.alive and not _ended(folder, session)
    last = _last_row(folder)
    rate = _rate(session, recent, time.time() if running else last)
    left = None if total is None else max(0, total - done)
    return Standing(
        run=os.fsencode(folder.path).decode("utf-8", "backslashreplace"),
        model=config.model,
        task=f"{config.task}@{config.version}",
        shard=config.shard,
        total=total,
        done=done,
        samples=samples,
        unscored=_unscored(outcomes),
        unscored_yet=waiting,
        running=running,
        rows_per_second=rate,
        seconds_left=left / rate if running and rate and left is not None else None,
        idle_seconds=None if last is None else max(0.0, time.time() - last),
        card=_has_card(folder, samples),
    )


def shards_of(name: Path) -> list[RunDir]:
    """The runs of all shards that are here of a run that is not: runs/NAME-shard-I-of-N."""
    whole = find_run(name).path
    places = (whole.parent, RUNS) if len(name.parts) == 1 else (whole.parent,)
    found = {
        path.resolve(): RunDir(path)
        for place in places
        for path in place.glob("*-shard-*-of-*")
        if whole_name(path.name) == whole.name and RunDir(path).begun
    }
    return [found[path] for path in sorted(found)]


def missing(standings: Iterable[Standing]) -> list[str]:
    """The shards, "3/16", of which no run is here."""
    there = [Shard.parse(one.shard) for one in standings if one.shard]
    return [
        str(Shard(of, index))
        for of in sorted({shard.of for shard in there})
        for index in range(1, of + 1)
        if Shard(of, index) not in there
    ]


class _Outcome(NamedTuple):
    """What is known of one sample. `reasons`: of scores without a value; None: no scores yet."""

    status: Status
    reasons: frozenset[Reason] | None


def _outcomes(folder: RunDir, session: Session | None) -> tuple[Counter[_Outcome], int]:
    """How many samples came to what at last, and how many lines the last process wrote. Samples go
    by the hash of their key: of a million, two are taken for one in 3 of 100,000,000 runs."""
    latest, shared = dict[int, _Outcome](), dict[_Outcome, _Outcome]()
    since, recent = session.answered if session else None, 0
    for head in answer_heads(folder.generations):
        one = _Outcome(head.status, None)
        latest[hash((head.example_id, head.sample_index))] = shared.setdefault(one, one)
        recent += since is not None and head.offset >= since
    for line in score_heads(folder.scores):
        sample = hash((line.example_id, line.sample_index))
        if sample in latest:
            one = _Outcome(latest[sample].status, line.reasons)
            latest[sample] = shared.setdefault(one, one)
    return Counter(latest.values()), recent


def _unscored(outcomes: Mapping[_Outcome, int]) -> dict[Reason, int]:
    """Samples without some value, by reason; a failed request has no scores at all."""
    found = Counter[Reason]()
    for outcome, count in outcomes.items():
        failed: set[Reason] = {"no_answer"} if outcome.status == "error" else set()
        for reason in failed | set(outcome.reasons or ()):
            found[reason] += count
    del found["not_applicable"]
    return dict(sorted(found.items()))


def _last_row(folder: RunDir) -> float | None:
    """When the last answer was written, in seconds since 1970."""
    path = folder.generations.path
    return path.stat().st_mtime if path.exists() and path.stat().st_size else None


def _ended(folder: RunDir, session: Session) -> bool:
    """Whether the process has written the card: it may live on for another task's run."""
    path = folder.card_path
    return path.exists() and path.stat().st_mtime >= session.began


def _has_card(folder: RunDir, samples: Mapping[Status, int]) -> bool:
    """Whether there is a card that knows of all outcomes: a run may have gone on since, and died."""
    try:
        return folder.card().samples == samples
    except UsageError:
        return False


def _rate(session: Session | None, recent: int, until: float | None) -> float | None:
    if session is None or not recent or until is None or until <= session.began:
        return None
    return recent / (until - session.began)

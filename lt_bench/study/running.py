"""Runs the jobs of a study: so many at once, each after what it needs, none that is done already."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal

from lt_bench.errors import LtBenchError, UsageError
from lt_bench.run.journal import Journal
from lt_bench.study.children import Child, launch, tail
from lt_bench.study.jobs import Job
from lt_bench.study.standing import busy
from lt_bench.study.times import JobTime, cpu_minutes

PAUSE: Final = 0.2
"""Seconds between two looks at what runs."""

PATIENCE: Final = 10.0
"""Seconds that commands have to end when asked to."""
ENDING: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGKILL") if hasattr(signal, name)
)

USAGE: Final = UsageError.exit_code

Fate = Literal["before", "done", "failed", "left"]
"""`before`: done when the study began; `left`: not begun, since something that it needs failed."""


@dataclass(frozen=True)
class Outcome:
    """How a job ended; `why` it failed or was left, in a line or two."""

    fate: Fate
    why: str = ""


@dataclass
class Worker:
    """The jobs of one study at work; `tell` is given a line whenever something happens."""

    jobs: Sequence[Job]
    times: Journal[JobTime]
    tell: Callable[[str], None]
    launch: Callable[[Job], Child] = launch
    is_busy: Callable[[Job], bool] = lambda job: busy(job.folder)
    pause: float = PAUSE
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    running: dict[str, tuple[Job, Child]] = field(default_factory=dict)
    minutes: float = 0.0
    _waits: set[str] = field(default_factory=set)

    def run(self, most: int) -> Mapping[str, Outcome]:
        """Every job's outcome. At most `most` of them run at once.

        Raises:
            UsageError: a folder holds what was made under other settings; nothing was begun then.
            RunError: the disk is full. Commands that run are ended; they go on next time.
        """
        self.minutes = cpu_minutes(self.times)
        self._settle()
        self.tell(f"{len(self.outcomes)} of {len(self.jobs)} jobs are done")
        with self.times:
            try:
                while self._left():
                    self._begin(most)
                    if not self._reap():
                        time.sleep(self.pause)
            finally:
                self._stop()
        return self.outcomes

    def _left(self) -> bool:
        return len(self.outcomes) < len(self.jobs)

    def _settle(self) -> None:
        """Finds all that is done, before anything is begun."""
        for job in _in_order(self.jobs):
            if all(self._is_done(need) for need in job.needs) and job.is_done():
                self.outcomes[job.name] = Outcome("before")

    def _is_done(self, name: str) -> bool:
        found = self.outcomes.get(name)
        return found is not None and found.fate in ("before", "done")

    def _begin(self, most: int) -> None:
        """Begins what can begin, in the order of the jobs."""
        held = {job.folder for job, _ in self.running.values()}
        for job in self.jobs:
            if job.name in self.outcomes or job.name in self.running:
                continue
            if lost := [need for need in job.needs if self._is_lost(need)]:
                self._end(job, Outcome("left", f"it needs {lost[0]}"))
            elif (
                len(self.running) < most
                and job.folder not in held
                and all(map(self._is_done, job.needs))
                and not self._is_held(job)
            ):
                held.add(job.folder)
                self._start(job)

    def _is_lost(self, name: str) -> bool:
        found = self.outcomes.get(name)
        return found is not None and found.fate in ("failed", "left")

    def _is_held(self, job: Job) -> bool:
        """Whether someone else is at its folder: a command that outlived a killed study, or a person."""
        if not self.is_busy(job):
            return False
        if job.name not in self._waits:
            self._waits.add(job.name)
            self.tell(f"{job.name} waits: another process is at {job.folder}")
        return True

    def _start(self, job: Job) -> None:
        if job.name in self._waits and self._finished(job):
            self._end(job, Outcome("before"))
            return
        self.running[job.name] = (job, self.launch(job))
        self.tell(f"{job.name}: began. {self._standing()}")

    def _reap(self) -> bool:
        """Takes note of commands that have ended; whether there were any."""
        ended = self._ended()
        for job, took in ended:
            self._note(took)
            self._judge(job, took)
        return bool(ended)

    def _ended(self) -> list[tuple[Job, JobTime]]:
        """Takes out of those that run what has ended."""
        ended = [(job, took) for job, child in self.running.values() if (took := child.poll())]
        for job, _ in ended:
            del self.running[job.name]
        return ended

    def _judge(self, job: Job, took: JobTime) -> None:
        """A command is done when what it was to make is there, whatever it returned."""
        if self._finished(job):
            self._end(job, Outcome("done"))
            return
        if took.exit == USAGE and self.is_busy(job):
            return  # somebody was there first: it waits its turn
        said = tail(job.log)
        why = f"exit code {took.exit}, see {job.log}"
        self._end(job, Outcome("failed", "\n".join([why, *said])))

    def _finished(self, job: Job) -> bool:
        try:
            return job.is_done()
        except LtBenchError as error:
            self.tell(f"{job.name}: {error}")
            return False

    def _end(self, job: Job, outcome: Outcome) -> None:
        self.outcomes[job.name] = outcome
        how = {"before": "was done meanwhile", "left": "is left out"}
        reason = f": {outcome.why}" if outcome.why else ""
        self.tell(f"{job.name} {how.get(outcome.fate, outcome.fate)}{reason}. {self._standing()}")

    def _note(self, took: JobTime) -> None:
        self.times.append(took)
        self.minutes += (took.cpu or 0.0) / 60

    def _standing(self) -> str:
        left = len(self.jobs) - len(self.outcomes)
        now = ", ".join(self.running) or "nothing"
        return f"Running: {now}; left: {left}; {self.minutes:.1f} CPU minutes"

    def _stop(self) -> None:
        """Ends what still runs: the command was interrupted, or the disk is full."""
        for sign in ENDING:
            with suppress(KeyboardInterrupt):  # who asks twice does not want to wait
                for _, child in self.running.values():
                    child.send(sign)
                until = time.monotonic() + PATIENCE
                while self.running and time.monotonic() < until:
                    for _, took in self._ended():
                        self.times.append(took)
                    time.sleep(PAUSE / 4)
        self.running.clear()


def _in_order(jobs: Iterable[Job]) -> Iterable[Job]:
    """Jobs after all that they need, as far as they are listed so."""
    waiting, done = list(jobs), set[str]()
    while waiting:
        ready = [job for job in waiting if done.issuperset(job.needs)]
        if not ready:
            return
        yield from ready
        done.update(job.name for job in ready)
        waiting = [job for job in waiting if job.name not in done]

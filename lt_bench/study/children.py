"""A command of lt-bench as a process of its own: started, waited for, stopped, and what it took."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

from lt_bench.errors import RunError
from lt_bench.run.disk import cannot_write
from lt_bench.study.jobs import Job
from lt_bench.study.times import JobTime

ENVIRONMENT: Final = {
    # Several torch processes with threads of their own stand in each other's way.
    "OMP_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "NO_COLOR": "1",
    "PYTHONUNBUFFERED": "1",
}


class Child(Protocol):
    """A command that runs. `poll` gives what it took once it has ended."""

    def poll(self) -> JobTime | None: ...

    def send(self, sign: signal.Signals) -> None: ...


@dataclass
class Process:
    """One as a process of this machine."""

    job: Job
    process: subprocess.Popen[bytes]
    began: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    since: float = field(default_factory=time.monotonic)

    def poll(self) -> JobTime | None:
        """What it took, once it has ended; CPU time holds that of its own children."""
        if hasattr(os, "wait4"):
            pid, status, used = os.wait4(self.process.pid, os.WNOHANG)
            if pid == 0:
                return None
            self.process.returncode = os.waitstatus_to_exitcode(status)
            return self._took(used.ru_utime + used.ru_stime)
        return None if self.process.poll() is None else self._took(None)

    def send(self, sign: signal.Signals) -> None:
        """Asks it to end, or ends it."""
        with suppress(OSError):
            self.process.send_signal(sign)

    def _took(self, cpu: float | None) -> JobTime:
        return JobTime(
            job=self.job.name,
            began=self.began,
            cpu=cpu,
            wall=time.monotonic() - self.since,
            exit=self.process.returncode,
        )


def launch(job: Job) -> Child:
    """Starts the command of a job; what it says is added to the job's log.

    Raises:
        RunError: it cannot be started, or its log cannot be written.
    """
    command = [sys.executable, "-m", "lt_bench", *job.command]
    try:
        job.log.parent.mkdir(parents=True, exist_ok=True)
        with job.log.open("ab") as log:
            process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **ENVIRONMENT},
            )
    except OSError as error:
        if error.filename == str(job.log):
            raise cannot_write(job.log, error) from error
        raise RunError(
            f"cannot start {job.name}: {error.strerror}", "see to the machine"
        ) from error
    return Process(job, process)


def tail(log: Path, lines: int = 6) -> list[str]:
    """The last lines of a log that say something."""
    try:
        with log.open(encoding="utf-8", errors="replace") as file:
            said = (line.rstrip() for line in file)
            return list(deque((line for line in said if line), maxlen=lines))
    except OSError:
        return []

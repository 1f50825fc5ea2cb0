"""Who works on a run and since when: written into its lock file, for others to read."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from lt_bench.records import Record


class Session(Record):
    """The process that last began or resumed a run, when (seconds since 1970), and how long (bytes)
    the journal of answers was then. `born` tells it from a later process of the same number."""

    pid: int
    host: str
    began: float
    answered: int
    born: int | None = None

    @property
    def alive(self) -> bool:
        """Whether it still runs, as far as this machine can tell."""
        if self.host != socket.gethostname():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except OSError:  # another user's
            pass
        return self.born is None or _born(self.pid) == self.born


def _born(pid: int) -> int | None:
    """When a process began, in ticks since the machine did; None where the system does not tell
    (proc(5), the 22nd field of stat; the second one is a name in parentheses, of any characters)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
        return int(stat.rpartition(b")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return None


def mark(lock: Path, journal: Path) -> None:
    """Writes this process into the lock file that it holds."""
    answered = journal.stat().st_size if journal.exists() else 0
    pid = os.getpid()
    session = Session(
        pid=pid,
        host=socket.gethostname(),
        began=time.time(),
        answered=answered,
        born=_born(pid),
    )
    with suppress(OSError):  # a full disk is the journal's news to tell
        lock.write_text(session.model_dump_json(), encoding="utf-8")


def read(lock: Path) -> Session | None:
    """None where nobody has written, or is just writing."""
    try:
        return Session.model_validate_json(lock.read_bytes())
    except (OSError, ValidationError):
        return None

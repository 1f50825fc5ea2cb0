"""Every error a person can meet, and what each means for the run.

An error names its cause and its fix, and belongs to one of three fates: the command was wrong
(nothing was asked or paid), the whole run cannot go on (finished rows are safe), or one row
failed (it becomes data: a `Failure` in the journal, retried on resume).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import ClassVar, Literal

FailureKind = Literal[
    "connection",
    "timeout",
    "rate_limited",
    "server",
    "bad_request",
    "auth",
    "malformed",
    "empty",
    "content_filter",
    "out_of_memory",
    "model",
    "missing",
]
"""What went wrong with one row. `missing`: a replay file has no such answer."""


class LtBenchError(Exception):
    """Shown to a person as cause and fix, without a traceback (`--debug` shows it)."""

    exit_code: ClassVar[int] = 4

    def __init__(self, cause: str, fix: str = "") -> None:
        super().__init__(cause)
        self.cause, self.fix = cause, fix

    def __str__(self) -> str:
        return f"{self.cause}\nfix: {self.fix}" if self.fix else self.cause


class UsageError(LtBenchError):
    """The command, a declaration or a file asks for something that cannot be. Nothing was run."""

    exit_code = 2


class RunError(LtBenchError):
    """The run as a whole cannot go on. Every finished row is in its journal."""

    exit_code = 4


class GateError(LtBenchError):
    """A gate is not met: a figure is below what was asked for. The results are written."""

    exit_code = 5


class Interrupted(LtBenchError):
    """The user stopped the command. The journals are whole."""

    exit_code = 130


class RowError(LtBenchError):
    """One request failed for good, after `attempts` tries. A row's fault is never the run's. `no_room`:
    the prompt alone is longer than the model's context."""

    def __init__(
        self, kind: FailureKind, cause: str, attempts: int = 1, *, no_room: bool = False
    ) -> None:
        super().__init__(cause)
        self.kind: FailureKind = kind
        self.attempts = attempts
        self.no_room = no_room


def first_line(error: BaseException) -> str:
    """The first line of an error of somebody else's, short enough to read."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:240]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """ " Did you mean 'musique'?" for the nearest known name, or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""

"""Keeps vLLM's logs, progress bars and telemetry off the screen, and finds the cause in what it
said when it fails.

vLLM starts processes that inherit the environment and the output streams. While it starts, both are
changed; afterwards ours are as they were, and its processes keep writing to a temporary file. With
VLLM_LOGGING_LEVEL (or VLLM_LOGGING_CONFIG_PATH) set by the user, nothing is hidden.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

DEFAULTS = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1"}
"""Set while vLLM starts, unless the user has set them: no telemetry."""
ASKED_FOR_LOGS = ("VLLM_LOGGING_LEVEL", "VLLM_LOGGING_CONFIG_PATH")
_HIDDEN = {"VLLM_CONFIGURE_LOGGING": "0"}
_TAIL = 256 * 1024
_ERROR = re.compile(r"\b([A-Z]\w*(?:Error|Exception)): (\S.*)")
_VAGUE = (
    "Engine core initialization failed",
    "EngineCore encountered an issue",
    "WorkerProc initialization failed",
    "Executor failed",
    "Worker failed with error",
    "cancelled",
    "See stack trace",
    "See root cause",
    "validation error for",
    "no process of it said why",
)
"""What vLLM's processes say when another of them knows more."""


class Log:
    """What vLLM's processes print, in a file that vanishes with them."""

    def __init__(self) -> None:
        self.hidden = not any(os.environ.get(name) for name in ASKED_FOR_LOGS)
        self._file: BinaryIO = tempfile.TemporaryFile(prefix="lt-bench-vllm-")  # noqa: SIM115

    @contextmanager
    def starting(self) -> Iterator[None]:
        """Around whatever starts vLLM: no telemetry, and its output goes to the file."""
        with _environment({**DEFAULTS, **(_HIDDEN if self.hidden else {})}):
            if not self.hidden:
                yield
                return
            _mute("vllm")
            with _streams_into(self._file):
                yield

    def cause(self, told: str) -> str:
        """The error that brought vLLM down: `told`, if it tells, or what a process printed."""
        if told_nothing(told):
            return find_cause(self._tail()) or told
        return told

    def close(self) -> None:
        self._file.close()

    def _tail(self) -> str:
        # the processes share this file's offset, and may still write
        descriptor = self._file.fileno()
        size = os.fstat(descriptor).st_size
        return os.pread(descriptor, _TAIL, max(0, size - _TAIL)).decode("utf-8", "replace")


def find_cause(text: str) -> str | None:
    """The last error that says what happened, not only that something did."""
    found = [f"{kind}: {what.strip()}" for kind, what in _ERROR.findall(text)]
    telling = [each for each in found if not told_nothing(each)]
    return next(iter(reversed(telling or found)), None)


def told_nothing(error: str) -> bool:
    """Whether an error only says that something happened."""
    return any(vague in error for vague in _VAGUE)


@contextmanager
def _environment(wanted: dict[str, str]) -> Iterator[None]:
    """Variables set where they are not set; vLLM's own changes are undone as well."""
    before = dict(os.environ)
    for name, value in wanted.items():
        os.environ.setdefault(name, value)
    try:
        yield
    finally:
        for name in set(os.environ) - set(before):
            del os.environ[name]
        os.environ.update(before)


@contextmanager
def _streams_into(file: BinaryIO) -> Iterator[None]:
    """Standard output and error of this process, and of those it starts, go to `file`."""
    _flush()
    saved = {number: os.dup(number) for number in (1, 2) if _is_open(number)}
    for number in saved:
        os.dup2(file.fileno(), number)
    try:
        yield
    finally:
        _flush()
        for number, copy in saved.items():
            os.dup2(copy, number)
            os.close(copy)


def _is_open(number: int) -> bool:
    with suppress(OSError):
        os.fstat(number)
        return True
    return False


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()


def _mute(name: str) -> None:
    """This process's own part of vLLM says nothing more; failures come as exceptions."""
    logger = logging.getLogger(name)
    logger.handlers = [logging.NullHandler()]
    logger.propagate = False

"""`lt-bench reproduce` whose commands are forks of it, as it is one of a process that has loaded all.

A study starts every command anew, and each loads torch for itself; a test that is about what a study
makes of its commands need not pay for that. They are processes nonetheless: they outlive a study that
is killed, and hold locks of their own.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import IO, NoReturn

TESTS = Path(__file__).parents[1]

START = """
import sys
sys.path.append({tests!r})
from support import forks
sys.path.remove({tests!r})  # TRL would take the folder tests/vllm for vLLM
forks.study({arguments!r})
"""


def code(*arguments: str | Path) -> str:
    """The study as code for `warm.start_code`, with everything loaded that its commands need."""
    return START.format(tests=str(TESTS), arguments=[str(argument) for argument in arguments])


class Fork:
    """What a study knows of a `subprocess.Popen`."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: int,
        stdout: IO[bytes],
        stderr: int,
        env: Mapping[str, str],
    ) -> None:
        self.returncode: int | None = None
        self.pid = os.fork()
        if not self.pid:
            _become(command, stdout, env)

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


def study(arguments: Sequence[str]) -> None:
    """The command `reproduce` itself."""
    from lt_bench.study import children

    names = {"Popen": Fork, "DEVNULL": subprocess.DEVNULL, "STDOUT": subprocess.STDOUT}
    children.subprocess = SimpleNamespace(**names)  # type: ignore[assignment]
    _lt_bench(arguments)


def _become(command: Sequence[str], log: IO[bytes], env: Mapping[str, str]) -> NoReturn:
    """The command, after which nothing of the study goes on in this process."""
    ended: object = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for stream in (1, 2):
            os.dup2(log.fileno(), stream)
        os.closerange(3, 1024)  # locks and journals of the study
        os.environ.clear()
        os.environ.update(env)
        _lt_bench(command[command.index("lt_bench") + 1 :])
        ended = 0
    except SystemExit as end:
        ended = end.code or 0
    except BaseException:  # noqa: BLE001
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended if isinstance(ended, int) else 1)


def _lt_bench(arguments: Sequence[str]) -> None:
    from lt_bench.cli import main

    sys.argv = ["lt-bench", *arguments]
    main()

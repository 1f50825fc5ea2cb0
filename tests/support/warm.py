"""Runs the real `lt-bench` command in a fork of a process that has loaded it already.

What a command costs is mostly loading; a test that is not about loading, killing or limits need not
pay for it. Each command has its own process, streams, folder and environment, as in `command`.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from support.command import environment

_LOADED = (
    "datasets", "datasketch", "numpy", "pyarrow", "ruamel.yaml",
    "lt_bench.builders.audit", "lt_bench.builders.commerce_judge", "lt_bench.builders.commerce_qa",
    "lt_bench.builders.musique", "lt_bench.builders.recognise", "lt_bench.builders.store",
    "lt_bench.claims.clauses", "lt_bench.run", "lt_bench.run.labelling.session",
    "lt_bench.scorers.facts", "lt_bench.cli.cards", "lt_bench.cli.judge.calibration_table",
    "lt_bench.cli", "lt_bench.cli.data.figures", "lt_bench.cli.data.makers",
    "lt_bench.cli.data.page", "lt_bench.cli.failure",
)  # fmt: skip


def lt_bench(
    *arguments: str | Path,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    timeout: float = 300,
    stdin: str = "",
) -> subprocess.CompletedProcess[str]:
    """The finished command: returncode, stdout, stderr. One that is not over in time is killed."""
    words = [str(argument) for argument in arguments]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "in").write_text(stdin, "utf-8")
        request = {
            "arguments": words,
            "cwd": str(cwd),
            "env": environment(**(env or {})),
            "streams": folder,
            "timeout": timeout,
        }
        server = _server()
        assert server.stdin
        assert server.stdout
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        out, err = (Path(folder, name).read_text("utf-8", "replace") for name in ("out", "err"))
    return subprocess.CompletedProcess(words, code, out, err)


@functools.cache
def _server() -> subprocess.Popen[str]:
    """Ends when its stdin does, that is with the tests."""
    server = subprocess.Popen(
        [sys.executable, __file__],
        env={**environment(), "PYTHONPATH": str(Path(__file__).parents[1])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(server.communicate)
    return server


def _serve() -> None:
    import importlib

    for name in _LOADED:
        importlib.import_module(name)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _run(json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _run(request: dict[str, Any]) -> None:
    """The command itself, in the fork."""
    import signal

    from lt_bench.cli import main

    signal.alarm(int(request["timeout"]))
    for number, name in ((1, "out"), (2, "err")):
        descriptor = os.open(f"{request['streams']}/{name}", os.O_WRONLY | os.O_CREAT)
        os.dup2(descriptor, number)
    os.dup2(os.open(f"{request['streams']}/in", os.O_RDONLY), 0)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv = ["lt-bench", *request["arguments"]]
    code: object = 1
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code or 0
    except BaseException:  # noqa: BLE001
        import traceback

        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)


if __name__ == "__main__":
    _serve()

"""Runs the real `lt-bench` command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def environment(**changes: str) -> dict[str, str]:
    """The environment of a command under test: no colour, no hub, one torch thread."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LT_BENCH_")}
    return {
        **kept,
        "HF_HUB_OFFLINE": "1",
        "NO_COLOR": "1",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": "",
        **(
            {"LT_BENCH_CACHE": os.environ["LT_BENCH_CACHE"]}
            if "LT_BENCH_CACHE" in os.environ
            else {}
        ),
        **changes,
    }


def lt_bench(
    *arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None, timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """The finished command: returncode, stdout, stderr."""
    return subprocess.run(
        [sys.executable, "-m", "lt_bench", *map(str, arguments)],
        cwd=cwd,
        env=environment(**(env or {})),
        capture_output=True,
        text=True,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
    )

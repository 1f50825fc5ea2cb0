"""`lt-bench --help` is quick: it loads no heavy library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support.command import environment, lt_bench
from support.warm import lt_bench as warm_lt_bench

HEAVY = ("torch", "transformers", "datasets", "pandas", "pydantic", "numpy", "aiohttp", "plotly")


def test_f94_help_loads_no_heavy_library() -> None:
    code = (
        "import sys, lt_bench.cli as cli\n"
        "sys.argv = ['lt-bench', '--help']\n"
        "try: cli.main()\n"
        "except SystemExit: pass\n"
        f"print([m for m in {HEAVY} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment()
    )
    assert done.stderr.strip() == "[]", done.stderr


def test_every_command_explains_itself(tmp_path: Path) -> None:
    for command in (
        ["eval"],
        ["score"],
        ["train"],
        ["reproduce"],
        ["list"],
        ["flops"],
        ["data"],
        ["run"],
        ["leaderboard"],
        ["data", "build"],
        ["data", "import"],
        ["data", "validate"],
        ["data", "stats"],
        ["data", "show"],
        ["data", "audit"],
        ["run", "status"],
        ["leaderboard", "add"],
        ["leaderboard", "build"],
        ["leaderboard", "compare"],
    ):
        done = warm_lt_bench(*command, "--help", cwd=tmp_path)
        assert done.returncode == 0, command
        assert "Usage: lt-bench" in done.stdout


def test_the_version_is_printed(tmp_path: Path) -> None:
    assert lt_bench("--version", cwd=tmp_path).stdout == "lt-bench 0.1.0\n"

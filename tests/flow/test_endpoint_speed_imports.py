"""What the command has loaded, and how much memory it takes, until every row of an endpoint is scored."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command import environment
from support.process import server_process

ROOT = Path(__file__).parents[2]
PROBE = ROOT / "benchmarks" / "endpoint_probe.py"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the probe saw at the first request, when all was scored, and at the end."""
    folder = tmp_path_factory.mktemp("probe")
    with server_process(folder) as url:
        command = [
            *(sys.executable, str(PROBE), "report.json", "eval", "openai/scripted"),
            *("--base-url", url, "--task", "musique", "--limit", "40", "--run", "./run"),
            *("--set", "backend.stream=false", "--json"),
        ]
        done = subprocess.run(
            command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=300
        )
    assert done.returncode == 0, done.stderr
    assert len((folder / "run" / "scores.jsonl").read_text().splitlines()) == 40
    found: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return found


@pytest.mark.parametrize("moment", ["first", "scored"])
def test_nothing_heavy_is_loaded_until_all_rows_are_scored(
    told: dict[str, Any], moment: str
) -> None:
    assert told[moment]["heavy"] == []
    assert told[moment]["cpu"] > 0


def test_the_probe_would_see_it(told: dict[str, Any]) -> None:
    """numpy comes with the statistics of the card; what is looked for is named as it is imported."""
    assert told["end"]["modules"] > told["scored"]["modules"]
    for name in ("torch", "transformers", "datasets", "pandas", "openai", "scipy"):
        assert name in told["looked_for"]


def test_memory_stays_small(told: dict[str, Any]) -> None:
    assert told["scored"]["mb"] <= 100
    assert told["end"]["mb"] <= 200

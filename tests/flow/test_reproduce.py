"""`lt-bench reproduce` with real trainings that are as small as can be: killed, gone on with, reported."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from support import command, forks
from support.warm import Running, lt_bench, start_code

pytestmark = pytest.mark.model

WAIT = 1200
"""Seconds; on a machine that does nothing else it is a minute."""
SMALL = {
    "stages.base.architecture.config.num_hidden_layers": 1,
    "stages.base.architecture.config.hidden_size": 32,
    "stages.base.rows.rows": 32,
    "stages.rft.rows.rows": 12,
}
STUDY: dict[str, Any] = {
    "summary": "Two stages, a few rows.",
    "task": "mini_qa",
    "paper": {"title": "LiveThinking"},
    "seeds": [41],
    "tuning_seeds": {"training": [1], "rows": [900]},
    "evaluation": {"rows": 8, "temperature": 0.7},
    "trainings": {"moe": {"recipe": "mini/moe", "stages": ["base", "rft"], "set": SMALL}},
    "main": ["moe.base", "moe.rft"],
    "tables": [
        {
            "title": "Stages",
            "rows": [
                {"label": "base", "row": "moe.base", "paper": {"correctness": 67.3, "tpr": 396}},
                {"label": "RFT", "row": "moe.rft", "paper": {"correctness": 81.3}},
                {"label": "teacher", "teacher": "moe.rft"},
            ],
        }
    ],
    "claims": [
        {
            "text": "RFT raises correctness",
            "metric": "correctness",
            "kind": "greater",
            "of": "moe.rft",
            "against": "moe.base",
        }
    ],
}


def written(folder: Path, **changes: Any) -> Path:
    path = folder / "small.yaml"
    path.write_text(json.dumps({**STUDY, **changes}), encoding="utf-8")
    return path


def reproduce(study: Path, *options: str) -> Running:
    """The command, running in the study's folder."""
    asked = forks.code("reproduce", study, "--run", "out", *options)
    return start_code(asked, cwd=study.parent, loaded="training")


def killed_while_it_trains(folder: Path, study: Path) -> None:
    """kill -9 once the first training has begun; what trains outlives it, as on a user's machine."""
    process = reproduce(study)
    began = folder / "out" / "41" / "moe" / "base" / "stage.json"
    deadline = time.monotonic() + WAIT
    while not began.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_a_killed_study_goes_on_trains_nothing_twice_and_reports(tmp_path: Path) -> None:
    study, out = written(tmp_path), tmp_path / "out"
    killed_while_it_trains(tmp_path, study)
    process = reproduce(study, "--json")
    stdout, stderr = process.communicate(WAIT)
    assert process.returncode == 0, stderr
    log = (out / "41" / "moe.base.log").read_text()
    assert log.count("stage base (pretrain)") <= 2  # its own line, and that of the finished stage

    found = json.loads(stdout)
    assert json.loads((out / "report.json").read_text()) == found
    base, rft, teacher = found["tables"][0]["rows"]
    for row in (base, rft, teacher):
        assert row["missing"] == {}
        assert row["cells"]["correctness"]["value"] is not None
    assert teacher["cells"]["correctness"]["value"] > 0.5
    assert base["cells"]["tpr"]["value"] > 0
    (verdict,) = found["verdicts"]
    assert verdict["rows"] == 8
    assert verdict["word"] != "missing"
    assert "Stages" in (out / "report.md").read_text()
    assert "<svg" in (out / "report.html").read_text()

    times = (out / "times.jsonl").read_text()
    again = lt_bench("reproduce", study, "--run", "out", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert "5 of 5 jobs are done" in again.stderr
    assert "RFT raises correctness" in again.stdout
    assert (out / "times.jsonl").read_text() == times

    changed = {**SMALL, "stages.rft.optimizer.learning_rate": 1e-5}
    written(tmp_path, trainings={"moe": {**STUDY["trainings"]["moe"], "set": changed}})
    refused = lt_bench("reproduce", study, "--run", "out", cwd=tmp_path)
    assert refused.returncode == 2
    assert "stages.rft.optimizer.learning_rate: 0.0008 -> 1e-05" in refused.stderr
    assert len(refused.stderr.splitlines()) <= 6


def test_a_training_that_fails_is_told_and_all_else_is_reported(tmp_path: Path) -> None:
    """The recipe has an architecture that transformers does not know, which only training finds.

    Its commands are the real ones, each started anew."""
    broken = {**SMALL, "stages.base.architecture.model_type": "no_such_model"}
    moe = {"recipe": "mini/moe", "stages": ["base", "rft"], "set": broken}
    study = written(tmp_path, trainings={"moe": moe})
    done = command.lt_bench("reproduce", study, "--run", "out", cwd=tmp_path, timeout=WAIT)
    assert done.returncode == 3, done.stderr
    assert "no_such_model" in done.stderr
    assert "41/moe.rft is left out: it needs 41/moe.base" in done.stderr
    assert "missing" in done.stdout
    assert "no_such_model" in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["minni"], "Did you mean 'mini'?"),
        (["--run", "taken/file"], "cannot make taken/file"),
        (["--run", "nowhere", "--report-only"], "nowhere is not there"),
    ],
)
def test_wrong_usage_is_told(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "taken").write_text("")
    done = lt_bench("reproduce", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) <= 6


def test_a_dry_run_shows_every_command_and_makes_nothing(tmp_path: Path) -> None:
    done = lt_bench("reproduce", written(tmp_path), "--dry-run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": to do") == 5
    assert "lt-bench train mini/moe --run ./runs/reproduce/41/moe --stage rft" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["small.yaml"]

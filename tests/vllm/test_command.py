"""`lt-bench eval vllm/…` as a user types it, with the bundled SmolLM2."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("vllm", reason="make test-vllm builds the environment that has it")

import psutil
from support.command import environment, lt_bench

from lt_bench.backends.builtin.bundled import converted, gguf_file

pytestmark = pytest.mark.vllm

ROOT = Path(__file__).parents[2]
CAPPED = ("--set", "sampling.max_tokens=48")


@pytest.fixture(scope="module")
def smollm2() -> str:
    return str(converted(gguf_file()))


def test_a_run_that_is_interrupted_goes_on_and_makes_a_card(smollm2: str, tmp_path: Path) -> None:
    arguments = ("eval", f"vllm/{smollm2}", "--task", "commerce_qa", "--limit", "4", "--json")
    words = [*arguments, *CAPPED, "--concurrency", "1", "--run", "r"]
    code, rows, left = interrupted(words, tmp_path, after=1)
    assert code == 130
    assert 1 <= rows < 4
    assert not left
    done = lt_bench(*arguments, *CAPPED, "--run", "r", cwd=tmp_path, timeout=1500)
    assert done.returncode == 0, done.stderr
    card = json.loads(done.stdout)
    assert card["backend"] == "vllm"
    assert card["metrics"]["tpr"]["n"] == 4
    samples = journal(tmp_path / "runs" / "r")
    assert len({sample["key"]["example_id"] for sample in samples}) == 4
    for sample in samples:
        (turn,) = sample["generation"]["turns"]
        assert turn["usage"]["counted_by"] == "engine"
        assert 1 <= turn["usage"]["output"] <= 48
    assert "INFO" not in done.stderr
    assert "vllm." not in done.stderr


def interrupted(
    words: list[str], folder: Path, after: int
) -> tuple[int, int, list[psutil.Process]]:
    """Exit code, rows and processes left of a command that got Ctrl-C in its terminal (the whole
    process group does) once it had `after` rows."""
    process = subprocess.Popen(
        [sys.executable, "-m", "lt_bench", *words],
        cwd=folder,
        env=environment(),
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    file = folder / "runs" / "r" / "generations.jsonl"
    until = time.monotonic() + 1200
    while time.monotonic() < until and process.poll() is None:
        if file.exists() and file.read_bytes().count(b"\n") >= after:
            break
        time.sleep(0.05)
    children = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert "interrupted" in said, said
    _, left = psutil.wait_procs(children, timeout=30)
    return process.returncode, len(journal(folder / "runs" / "r")), left


def journal(run: Path) -> list[dict[str, Any]]:
    lines = (run / "generations.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_a_misspelt_option_is_told_before_anything_is_loaded(smollm2: str, tmp_path: Path) -> None:
    done = lt_bench(
        *("eval", f"vllm/{smollm2}", "--task", "commerce_qa", "--limit", "1"),
        *("--set", "backend.tensor_paralel_size=2"),
        cwd=tmp_path,
        timeout=600,
    )
    assert done.returncode == 2
    assert "Did you mean 'tensor_parallel_size'?" in done.stderr
    assert not (tmp_path / "runs").exists()
    assert len(done.stderr.splitlines()) <= 6


def test_64_greedy_answers_agree_with_transformers(smollm2: str) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "agreement_vllm.py", "--model", smollm2],
        env=environment(PYTHONPATH=""),
        capture_output=True,
        text=True,
        timeout=2400,
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "token counts are the ids: yes" in done.stdout

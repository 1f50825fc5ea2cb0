"""kill -9 at random moments: after resuming, the run is the one that nobody killed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support.process import kill_when, server_process
from support.runs import card, generations, scores
from support.warm import lt_bench, start

POINTS = 10
ROWS = 40


def arguments(url: str, run: Path) -> list[str | Path]:
    return [
        *("eval", "openai/scripted", "--base-url", url, "--task", "musique", "--run", run),
        *("--limit", str(ROWS), "--concurrency", "4", "--json"),
    ]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory):
    with server_process(tmp_path_factory.mktemp("server"), "--delay", "0.02") as address:
        yield address


@pytest.fixture(scope="module")
def unbroken(url: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unbroken")
    done = lt_bench(*arguments(url, folder / "run"), cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "run"


@pytest.mark.parametrize("point", range(POINTS))
def test_a_killed_run_resumes_to_the_same_rows(
    point: int, url: str, unbroken: Path, tmp_path: Path
) -> None:
    draw = random.Random(point)
    run = tmp_path / "run"
    journal = run / "generations.jsonl"
    rows = draw.randrange(ROWS)
    kill_when(start(*arguments(url, run), cwd=tmp_path), journal, rows, draw.uniform(0, 0.02))
    before = generations(run) if journal.exists() else {}
    done = lt_bench(*arguments(url, run), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert before.items() <= generations(run).items()
    assert generations(run) == generations(unbroken)
    assert scores(run) == scores(unbroken)
    assert card(run) == card(unbroken)


def test_a_finished_run_is_not_asked_again(url: str, unbroken: Path, tmp_path: Path) -> None:
    before = (unbroken / "generations.jsonl").read_bytes()
    done = lt_bench(*arguments(url, unbroken), cwd=tmp_path)
    assert done.returncode == 0
    assert (unbroken / "generations.jsonl").read_bytes() == before


def test_a_changed_setting_is_refused_with_its_name(
    url: str, unbroken: Path, tmp_path: Path
) -> None:
    done = lt_bench(*arguments(url, unbroken), "--set", "sampling.temperature=0.7", cwd=tmp_path)
    assert done.returncode == 2
    assert "sampling.temperature: 0.0 -> 0.7" in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 6


def test_f83_another_model_is_never_answered_from_this_run(
    url: str, unbroken: Path, tmp_path: Path
) -> None:
    other = ["openai/other" if a == "openai/scripted" else a for a in arguments(url, unbroken)]
    done = lt_bench(*other, cwd=tmp_path)
    assert done.returncode == 2
    assert "fingerprint" in done.stderr
    elsewhere = [
        "openai/other" if a == "openai/scripted" else a for a in arguments(url, tmp_path / "b")
    ]
    assert lt_bench(*elsewhere, cwd=tmp_path).returncode == 0
    assert not generations(tmp_path / "b").keys() & generations(unbroken).keys()


def test_another_port_is_the_same_model(unbroken: Path, tmp_path: Path) -> None:
    with server_process(tmp_path) as moved:
        done = lt_bench(*arguments(moved, unbroken), cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_f84_four_samples_are_four_requests(url: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    done = lt_bench(
        *("eval", "openai/scripted", "--base-url", url, "--task", "musique", "--limit", "3"),
        *("--samples", "4", "--set", "sampling.temperature=0.7", "--run", run),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    keys = generations(run)
    assert len(keys) == 12
    assert len({row["key"]["request_sha"] for row in keys.values()}) == 12


def test_interrupted_with_ctrl_c_exits_130_and_resumes(
    url: str, unbroken: Path, tmp_path: Path
) -> None:
    import signal
    import time

    run = tmp_path / "run"
    process = start(*arguments(url, run), cwd=tmp_path)
    while not (run / "generations.jsonl").exists() or not (run / "generations.jsonl").read_bytes():
        assert process.poll() is None
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    assert "every finished row is kept" in err
    assert "Traceback" not in err
    assert lt_bench(*arguments(url, run), cwd=tmp_path).returncode == 0
    assert generations(run) == generations(unbroken)

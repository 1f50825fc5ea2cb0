"""`eval --batch` through the real command: killed anywhere, it asks and pays for nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.process import server_process
from support.runs import card, generations, scores
from support.warm import Running, lt_bench, start

from lt_bench.run import Run

SERVER = Path(__file__).parents[1] / "support" / "batch_server.py"
ROWS = 30
QUICK = ("--set", "backend.batch_gather=0.5", "--set", "backend.batch_poll=0.1")


@contextmanager
def batch_server(folder: Path, *arguments: str) -> Iterator[str]:
    """URL (ending in /v1) of a scripted server with the Batch API."""
    port_file = folder / "port"
    command = [sys.executable, str(SERVER), "--port-file", str(port_file), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while not port_file.exists():
            assert process.poll() is None, "the scripted server died"
            assert time.monotonic() < deadline, "the scripted server did not start"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port_file.read_text()}/v1"
    finally:
        process.terminate()
        process.wait(10)


def told(url: str) -> dict[str, Any]:
    """What the server was asked for, and what it carried out."""
    with urllib.request.urlopen(url.removesuffix("/v1") + "/stats", timeout=10) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def arguments(url: str, folder: Path) -> list[str | Path]:
    return [
        *("eval", "openai/scripted", "--base-url", url, "--batch", "--task", "musique"),
        *("--limit", str(ROWS), "--run", folder / "run", *QUICK),
    ]


def cached(folder: Path) -> dict[str, str]:
    return {"LT_BENCH_CACHE": str(folder / "cache")}


def ledger(folder: Path) -> list[Path]:
    return list((folder / "cache").glob("batches/*/*.jsonl"))


def started(url: str, folder: Path) -> Running:
    return start(*arguments(url, folder), cwd=folder, env=cached(folder))


def stopped(url: str, folder: Path, when: Callable[[dict[str, Any]], bool], how: int) -> str:
    """Sends a signal as soon as the server's figures are so; gives what was said on stderr."""
    process = started(url, folder)
    deadline = time.monotonic() + 240
    while not when(told(url)):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, how)
    return process.communicate(timeout=240)[1]


def finished(url: str, folder: Path) -> subprocess.CompletedProcess[str]:
    done = lt_bench(*arguments(url, folder), cwd=folder, env=cached(folder))
    assert done.returncode == 0, done.stderr
    return done


def same_rows(one: Path, other: Path) -> None:
    assert generations(one / "run") == generations(other / "run")
    assert scores(one / "run") == scores(other / "run")
    assert card(one / "run") == card(other / "run")


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unbroken")
    with batch_server(folder) as url:
        done = finished(url, folder)
        seen = told(url)
    assert f"batch_1: {ROWS} requests sent to http://127.0.0.1" in done.stderr
    assert f"batch_1: completed, {ROWS} of {ROWS}" in done.stderr
    assert len(seen["executed"]) == ROWS
    assert seen["calls"]["POST /batches"] == 1
    assert not ledger(folder)
    return folder


def test_the_rows_are_those_of_single_requests(unbroken: Path, tmp_path: Path) -> None:
    with server_process(tmp_path) as url:
        words = [word for word in arguments(url, tmp_path) if word != "--batch"]
        done = lt_bench(*words, cwd=tmp_path, env=cached(tmp_path))
    assert done.returncode == 0, done.stderr
    same_rows(unbroken, tmp_path)


def test_times_are_unknown_and_not_nought(unbroken: Path) -> None:
    frame = Run(unbroken / "run").to_pandas()
    assert len(frame) == ROWS
    assert frame["seconds"].isna().all()
    lines = (unbroken / "run" / "generations.jsonl").read_text().splitlines()
    times = [json.loads(line)["generation"]["turns"][0]["timings"] for line in lines]
    assert all(not any(found.values()) for found in times)


MOMENTS: dict[str, tuple[tuple[str, ...], Callable[[dict[str, Any]], bool]]] = {
    "gathering": ((), lambda seen: True),
    "uploading": (
        ("--hold", "POST /files=4"),
        lambda seen: seen["calls"].get("POST /files", 0) == 1,
    ),
    "creating": (("--hold", "POST /batches=4"), lambda seen: len(seen["batches"]) == 1),
    "polling": (
        ("--polls", "25"),
        lambda seen: seen["calls"].get("GET /batches/ID", 0) == 2,
    ),
    "reading": (
        ("--hold", "GET /files/ID/content=4"),
        lambda seen: seen["calls"].get("GET /files/ID/content", 0) == 1,
    ),
    "handing out": ((), lambda seen: seen["calls"].get("GET /files/ID/content", 0) == 1),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_anywhere_it_goes_on_and_nothing_is_paid_twice(
    moment: str, unbroken: Path, tmp_path: Path
) -> None:
    options, when = MOMENTS[moment]
    with batch_server(tmp_path, *options) as url:
        stopped(url, tmp_path, when, signal.SIGKILL)
        finished(url, tmp_path)
        seen = told(url)
    assert set(seen["executed"].values()) == {1}
    assert len(seen["executed"]) == ROWS
    assert len(seen["batches"]) == 1
    same_rows(unbroken, tmp_path)


def test_killed_again_and_again(unbroken: Path, tmp_path: Path) -> None:
    with batch_server(tmp_path, "--polls", "40") as url:
        for looks in (1, 6):
            stopped(
                url,
                tmp_path,
                lambda seen, looks=looks: seen["calls"].get("GET /batches/ID", 0) >= looks,
                signal.SIGKILL,
            )
        finished(url, tmp_path)
        seen = told(url)
    assert set(seen["executed"].values()) == {1}
    assert len(seen["batches"]) == 1
    assert not ledger(tmp_path)
    same_rows(unbroken, tmp_path)


def test_rows_that_the_journal_has_are_not_asked_again(unbroken: Path, tmp_path: Path) -> None:
    """A run that was half done by single requests asks a batch for the other half."""
    whole = (unbroken / "run" / "generations.jsonl").read_text().splitlines(keepends=True)
    with batch_server(tmp_path) as url:
        finished(url, tmp_path)
        (tmp_path / "run" / "generations.jsonl").write_text("".join(whole[:12]))
        (tmp_path / "run" / "scores.jsonl").unlink()
        finished(url, tmp_path)
        sizes = [one["request_counts"]["total"] for one in told(url)["batches"].values()]
    assert sizes == [ROWS, ROWS - 12]
    same_rows(unbroken, tmp_path)


def test_ctrl_c_leaves_the_batch_at_the_server(unbroken: Path, tmp_path: Path) -> None:
    with batch_server(tmp_path, "--polls", "40") as url:
        _, when = MOMENTS["polling"]
        said = stopped(url, tmp_path, when, signal.SIGINT)
        assert "batch_1 goes on at the server; the same command picks it up" in said
        assert "Traceback" not in said
        done = finished(url, tmp_path)
        assert f"going on with batch_1, begun 0.0 hours ago, for {ROWS} requests" in done.stderr
        assert len(told(url)["batches"]) == 1
    same_rows(unbroken, tmp_path)


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("eval", "hf/nowhere", "--batch"), "--batch does not apply to hf/nowhere"),
        (("eval", "replay/nowhere.jsonl", "--batch"), "--batch does not apply to replay/"),
        (("eval", "scripted/nowhere.yaml", "--batch"), "--batch does not apply to scripted/"),
        (("eval", "vllm/nowhere", "--batch"), "--batch does not apply to vllm/nowhere"),
        (
            ("eval", "openai/m", "--batch", "--base-url", "http://a/v1,http://b/v1"),
            "--batch asks one server, and --base-url names 2",
        ),
        (
            ("eval", "openai/m", "--batch", "--base-url", "http://a/v1", "--concurrency", "auto"),
            "--concurrency auto does not apply to --batch",
        ),
        (
            *[("latency", "openai/m", "--task", "musique", "--rate", "1", "--deadline", "2")],
            "nobody can tell how long one answer of a batch took",
        ),
    ],
)
def test_what_cannot_be_is_told_with_its_fix(
    words: tuple[str, ...], cause: str, tmp_path: Path
) -> None:
    if words[0] == "latency":
        words = (*words, "--base-url", "http://a/v1", "--set", "backend.batch=true")
    done = lt_bench(*words, cwd=tmp_path, env=cached(tmp_path))
    assert done.returncode == 2, done.stderr
    assert cause in done.stderr
    assert "fix: " in done.stderr


def test_a_server_without_the_batch_api_is_told(tmp_path: Path) -> None:
    with server_process(tmp_path) as url:
        done = lt_bench(*arguments(url, tmp_path), cwd=tmp_path, env=cached(tmp_path))
    assert done.returncode == 4
    assert "has no Batch API: POST /files answers HTTP 404" in done.stderr
    assert not ledger(tmp_path)

"""`lt-bench run status` reads a run at any moment, also while it is being written."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from support.process import kill_when, server_process
from support.server import Reply, by_substring, serve
from support.warm import Running, lt_bench, start


def rows(folder: Path, count: int) -> None:
    made = [
        {
            "id": f"r{i:03}",
            "task": "musique",
            "question": f"<<r{i:03}>> What does it cost?",
            "group": f"r{i:03}",
            "gold": {"kind": "answers", "answers": ["99 yuan"]},
        }
        for i in range(count)
    ]
    text = "".join(json.dumps(row) + "\n" for row in made)
    (folder / "rows.jsonl").write_text(text, encoding="utf-8")


def arguments(url: str, *more: str) -> list[str]:
    return [
        *("eval", "openai/scripted", "--base-url", url, "--task", "musique", "--run", "r"),
        *("--data", "rows.jsonl", "--json", "--set", "backend.max_attempts=1", *more),
    ]


def status(folder: Path, name: str = "r") -> dict[str, Any]:
    done = lt_bench("run", "status", name, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def words(folder: Path, *names: str) -> str:
    done = lt_bench("run", "status", *names, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def wait_for_rows(process: Running, journal: Path, count: int) -> None:
    while not journal.exists() or journal.read_bytes().count(b"\n") < count:
        assert process.poll() is None
        time.sleep(0.005)


def test_a_run_tells_how_far_it_is_while_it_goes_on(tmp_path: Path) -> None:
    rows(tmp_path, 60)
    lt_bench("list", "tasks", cwd=tmp_path)  # so that what follows is quick
    with server_process(tmp_path, "--delay", "0.1") as url:
        process = start(*arguments(url, "--concurrency", "2"), cwd=tmp_path)
        wait_for_rows(process, tmp_path / "runs/r/generations.jsonl", 6)
        found = status(tmp_path)
        told = words(tmp_path, "r")
        assert process.wait(60) == 0, process.communicate()
        process.communicate()
    assert found["total"] == 60
    assert 6 <= found["done"] < 60
    assert found["samples"] == {"ok": found["done"]}
    assert found["running"]
    assert 5 < found["rows_per_second"] < 25
    left = (60 - found["done"]) / found["rows_per_second"]
    assert found["seconds_left"] == pytest.approx(left)
    assert not found["card"]
    assert "of 60 samples" in told
    assert "running" in told
    assert "s left" in told
    assert "same command" not in told
    after = status(tmp_path)
    assert (after["done"], after["running"], after["card"]) == (60, False, True)
    assert after["seconds_left"] is None
    assert "finished" in words(tmp_path, "r")


def test_a_killed_run_is_not_running_and_its_torn_line_does_not_count(tmp_path: Path) -> None:
    rows(tmp_path, 40)
    with server_process(tmp_path, "--delay", "0.05") as url:
        process = start(*arguments(url, "--concurrency", "2"), cwd=tmp_path)
        assert kill_when(process, tmp_path / "runs/r/generations.jsonl", 8, 0.0)
        before = status(tmp_path)["done"]
        with (tmp_path / "runs/r/generations.jsonl").open("ab") as file:
            file.write(b'{"key":{"example_id":"r0')
        found = status(tmp_path)
        assert found["done"] == before >= 8
        assert (found["running"], found["seconds_left"]) == (False, None)
        told = words(tmp_path, "r")
        assert "not running on this machine" in told
        assert "no card yet: run the same command again" in told
        assert lt_bench(*arguments(url), cwd=tmp_path).returncode == 0
    assert status(tmp_path)["done"] == 40


def test_outcomes_and_missing_scores_are_counted_by_reason(tmp_path: Path) -> None:
    rows(tmp_path, 8)
    table = {
        "<<r000>>": (Reply(status=500), Reply("99 yuan")),
        "<<r001>>": (Reply(None, finish_reason="content_filter"),),
        "<<r002>>": (Reply("<think>hm", finish_reason="length"),),
    }
    with serve(by_substring(table)) as server:
        assert lt_bench(*arguments(server.url), cwd=tmp_path).returncode == 3
        first = status(tmp_path)
        assert first["samples"] == {"error": 1, "ok": 5, "refused": 1, "truncated": 1}
        assert first["unscored"] == {"no_answer": 2}
        assert "samples without some score: 2 no_answer" in words(tmp_path, "r")
        assert lt_bench(*arguments(server.url), cwd=tmp_path).returncode == 3
    second = status(tmp_path)
    assert second["samples"] == {"ok": 6, "refused": 1, "truncated": 1}
    assert second["unscored"] == {"no_answer": 1}
    assert second["done"] == second["total"] == 8


def test_answers_that_wait_for_their_scores_are_told(tmp_path: Path) -> None:
    rows(tmp_path, 5)
    with serve(lambda _: Reply("99 yuan")) as server:
        assert lt_bench(*arguments(server.url), cwd=tmp_path).returncode == 0
    path = tmp_path / "runs/r/scores.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    assert status(tmp_path)["unscored_yet"] == 3
    assert "3 answers wait for their scores" in words(tmp_path, "r")


def test_the_shards_of_a_run_are_told_together(tmp_path: Path) -> None:
    rows(tmp_path, 30)
    with serve(lambda _: Reply("99 yuan")) as server:
        for index in (1, 3):
            more = ("--shard", f"{index}/3")
            assert lt_bench(*arguments(server.url, *more), cwd=tmp_path).returncode == 0
        told = words(tmp_path, "r")
        assert "shard 1/3:" in told
        assert "no run here of shard 2/3" in told
        assert "join them" not in told
        more = ("--shard", "2/3")
        assert lt_bench(*arguments(server.url, *more), cwd=tmp_path).returncode == 0
    told = words(tmp_path, "r")
    assert "r: 30 of 30 samples in 3 shards" in told
    (command,) = [line for line in told.splitlines() if line.startswith("join them: ")]
    arguments_ = command.removeprefix("join them: lt-bench ").split()
    assert lt_bench(*arguments_, cwd=tmp_path).returncode == 0
    assert "30 of 30 samples: 30 ok" in words(tmp_path, "r")
    done = lt_bench("run", "status", "r-shard-1-of-3", "r-shard-2-of-3", "--json", cwd=tmp_path)
    assert [json.loads(line)["shard"] for line in done.stdout.splitlines()] == ["1/3", "2/3"]


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    done = lt_bench("run", "status", "nothing", cwd=tmp_path)
    assert done.returncode == 2
    assert "is not a run" in done.stderr


def test_reading_takes_no_lock_and_writes_nothing(tmp_path: Path) -> None:
    rows(tmp_path, 3)
    with serve(lambda _: Reply("99 yuan")) as server:
        assert lt_bench(*arguments(server.url), cwd=tmp_path).returncode == 0
    run = tmp_path / "runs/r"
    before = {path: path.stat().st_mtime_ns for path in run.iterdir()}
    status(tmp_path)
    assert before == {path: path.stat().st_mtime_ns for path in run.iterdir()}


def test_a_damaged_journal_is_named_with_its_line(tmp_path: Path) -> None:
    rows(tmp_path, 3)
    with serve(lambda _: Reply("99 yuan")) as server:
        assert lt_bench(*arguments(server.url), cwd=tmp_path).returncode == 0
    path = tmp_path / "runs/r/generations.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b'{"key": 3}\n' + lines[2])
    done = lt_bench("run", "status", "r", cwd=tmp_path)
    assert done.returncode == 4
    assert "line 2 is not a Sample" in done.stderr


def test_a_run_that_went_on_after_its_card_has_none_of_it(tmp_path: Path) -> None:
    rows(tmp_path, 4)
    table = {"<<r000>>": (Reply(status=500), Reply("99 yuan"))}
    with serve(by_substring(table)) as server:
        assert lt_bench(*arguments(server.url), cwd=tmp_path).returncode == 3
        old = (tmp_path / "runs/r/card.json").read_bytes()
        assert lt_bench(*arguments(server.url), cwd=tmp_path).returncode == 0
    assert status(tmp_path)["card"]
    (tmp_path / "runs/r/card.json").write_bytes(old)
    assert not status(tmp_path)["card"]
    assert "no card yet: run the same command again" in words(tmp_path, "r")


def test_two_divisions_of_one_run_are_told_apart_and_long_lists_are_cut(tmp_path: Path) -> None:
    rows(tmp_path, 12)
    with serve(lambda _: Reply("99 yuan")) as server:
        for shard in ("1/2", "2/2", "7/900"):
            done = lt_bench(*arguments(server.url, "--shard", shard), cwd=tmp_path)
            assert done.returncode == 0, done.stderr
    told = words(tmp_path, "r").splitlines()
    assert "r: 12 of 12 samples in 2 shards" in told
    assert any(line.startswith("r: ") and line.endswith("in 1 shard") for line in told)
    (lacking,) = [line for line in told if line.startswith("no run here")]
    assert lacking.startswith(
        "no run here of shard 1/900, 2/900, 3/900, 4/900, 5/900, 6/900, 8/900"
    )
    assert lacking.endswith(" and 883 more")
    (command,) = [line for line in told if line.startswith("join them: ")]
    assert "-of-900" not in command


def test_a_shard_without_rows_is_finished(tmp_path: Path) -> None:
    rows(tmp_path, 1)
    with serve(lambda _: Reply("99 yuan")) as server:
        for index in (1, 2):
            more = ("--shard", f"{index}/2")
            assert lt_bench(*arguments(server.url, *more), cwd=tmp_path).returncode == 0
    told = words(tmp_path, "r")
    assert "0 of 0 samples: none; finished" in told
    assert "join them" in told

"""Odd terminals, closed streams, names that try to paint the screen, folders that vanish."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import environment
from support.process import server_process
from support.warm import lt_bench, start

ESCAPE = "\x1b[31m"
ROW = {
    "id": f"a{ESCAPE}",
    "task": "musique",
    "question": "Which river?",
    "group": f"g{ESCAPE}",
    "tags": [f"t{ESCAPE}", "[/]"],
    "gold": {"kind": "answers", "answers": ["Danube"]},
}
EVAL = ("eval", "replay/replies.jsonl", "--task", "musique", "--data", "rows.jsonl")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW))
    (tmp_path / "replies.jsonl").write_text(json.dumps({"id": ROW["id"], "output": "Danube"}))
    return tmp_path


def bash(script: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """`script` with the command as $0."""
    return subprocess.run(
        ["bash", "-c", script.replace("LT", '"$0" -m lt_bench'), sys.executable],
        cwd=cwd,
        env=environment(**env),
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_not_end_a_run(closed: str, folder: Path) -> None:
    done = bash(f"LT {' '.join(EVAL)} --run r {closed}", folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "runs/r/card.json").exists()


def test_full_streams_do_not_change_the_fate_of_a_run(folder: Path) -> None:
    run = f"LT {' '.join(EVAL)} --run r"
    assert bash(f"{run} 2> /dev/full", folder).returncode == 0
    assert bash("LT eval nothing 2> /dev/full", folder).returncode == 2
    full = bash(f"{run} > /dev/full", folder)
    assert full.returncode == 4
    assert "No space left" in full.stderr
    assert "fault of lt-bench" not in full.stderr


def test_a_reader_that_leaves_is_no_error(folder: Path) -> None:
    done = bash("LT list tasks | true; exit ${PIPESTATUS[0]}", folder)
    assert done.returncode == 141
    assert done.stderr == ""


def test_an_ascii_terminal_gets_the_card(folder: Path) -> None:
    done = bash(f"LT {' '.join(EVAL)} --run r", folder, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "100.0 %" in done.stdout


def test_no_name_paints_the_terminal(folder: Path) -> None:
    shutil.copy(folder / "replies.jsonl", folder / f"{ESCAPE}.jsonl")
    model = f"replay/{ESCAPE}.jsonl"
    data = ("--task", "musique", "--data", "rows.jsonl")
    for arguments in (
        ("eval", model, *data, "--run", f"r{ESCAPE}"),
        ("eval", model, *data, "--dry-run"),
        ("run", "status", f"runs/r{ESCAPE}"),
        ("leaderboard", "compare", f"runs/r{ESCAPE}"),
        ("data", "show", "rows.jsonl", "--task", "musique"),
        ("data", "stats", "rows.jsonl", "--task", "musique"),
    ):
        done = lt_bench(*arguments, cwd=folder)
        assert done.returncode == 0, done.stderr
        assert ESCAPE not in done.stdout + done.stderr, arguments


def test_a_run_name_is_no_markup(folder: Path) -> None:
    import pty

    pid, terminal = pty.fork()
    if not pid:
        os.chdir(folder)
        command = [sys.executable, "-m", "lt_bench", *EVAL, "--run", "[bold]x[/nothing]y/[red]r"]
        os.execve(sys.executable, command, environment(TERM="xterm", COLUMNS="120"))
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            break
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0, shown
    assert b"[red]r" in shown


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("--active-params", "nan"), "--active-params"),
        (("--active-params", "-1"), "--active-params"),
        (("--run", "x" * 300), "too long"),
        (("--set", "sampling.temperature=-1"), "sampling: temperature"),
        (("--set", "backend.opened=5"), "opened"),
    ],
)
def test_senseless_options_have_cause_and_fix(
    change: tuple[str, str], words: str, folder: Path
) -> None:
    done = lt_bench(*EVAL, *change, cwd=folder)
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert "fix: " in done.stderr


def test_a_name_that_is_not_utf8_is_refused(folder: Path) -> None:
    name = os.fsdecode(b"r\xff.jsonl")
    shutil.copy(folder / "replies.jsonl", folder / name)
    done = lt_bench("eval", f"replay/{name}", *EVAL[2:], cwd=folder)
    assert done.returncode == 2
    assert "not UTF-8" in done.stderr


def test_a_damaged_config_says_so(folder: Path) -> None:
    assert lt_bench(*EVAL, "--run", "r", cwd=folder).returncode == 0
    (folder / "runs/r/config.json").write_text("")
    for arguments in (("score", "runs/r"), (*EVAL, "--run", "r")):
        done = lt_bench(*arguments, cwd=folder)
        assert done.returncode == 2
        assert "damaged" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 2
    (folder / "runs/r/config.json").unlink()
    (folder / "runs/r/config.json").mkdir()
    done = lt_bench("score", "runs/r", cwd=folder)
    assert done.returncode == 2
    assert "Is a directory" in done.stderr
    assert "fault of lt-bench" not in done.stderr


def test_a_row_number_is_decimal(folder: Path) -> None:
    done = lt_bench("data", "show", "rows.jsonl", "--task", "musique", "²", cwd=folder)
    assert done.returncode == 2
    assert "has no row" in done.stderr


def test_a_run_that_is_deleted_asks_no_more(tmp_path: Path) -> None:
    with server_process(tmp_path, "--delay", "0.05") as url:
        process = start(
            *("eval", "openai/m", "--base-url", url, "--task", "musique"),
            *("--run", "r", "--concurrency", "1"),
            cwd=tmp_path,
        )
        journal = tmp_path / "runs/r/generations.jsonl"
        while not journal.exists() or not journal.stat().st_size:
            assert process.poll() is None
        shutil.rmtree(tmp_path / "runs/r")
        _, err = process.communicate(timeout=20)
    assert process.returncode == 4, err
    assert "was deleted while the run went on" in err

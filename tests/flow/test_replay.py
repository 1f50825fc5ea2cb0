"""`lt-bench replay`: runs of the real command, looked at."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import environment
from support.replays import hostile_runs
from support.warm import lt_bench

from lt_bench import catalog

CONTROL = "\x1b\x07\x9b\u202e\u2066"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs over the first rows of the commerce sample, and one dialogue with tools."""
    folder = tmp_path_factory.mktemp("replay")
    sample = catalog.find("tasks", "commerce_qa") / "sample"
    rows = [json.loads(line) for line in (sample / "replies.jsonl").open(encoding="utf-8")][:4]
    (folder / "good.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    evasive = [{"id": row["id"], "output": "<think>Hm.</think>Great question!"} for row in rows[:2]]
    poor = [*evasive, *rows[2:]]
    (folder / "poor.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in poor), "utf-8")
    (folder / "agent.yaml").write_text("rules:\n  - answer: {agent: gold, task: tool_dialogue}\n")
    for model, task, name in (
        ("replay/good.jsonl", "commerce_qa", "good"),
        ("replay/poor.jsonl", "commerce_qa", "poor"),
        ("scripted/agent.yaml", "tool_dialogue", "agent"),
    ):
        done = lt_bench("eval", model, "--task", task, "--limit", "4", "--run", name, cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


def test_the_list_in_a_pipe_is_a_line_a_row(folder: Path) -> None:
    done = lt_bench("replay", "good", "--with", "poor", cwd=folder)
    assert done.returncode == 0, done.stderr
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert lines[0] == [
        "row", "diagnosis A", "quality A", "tokens A", "diagnosis B", "quality B", "tokens B", "question"
    ]  # fmt: skip
    assert len(lines) == 5
    differing = [(line[1], line[4]) for line in lines[1:3]]
    assert all(one == "right" and other in ("evasive", "wrong") for one, other in differing), (
        differing
    )
    assert [line[1] == line[4] for line in lines[3:]] == [True, True]


def test_filters_choose_rows(folder: Path) -> None:
    asked = ("replay", "good", "--with", "poor", "--differing", "--json")
    done = lt_bench(*asked, cwd=folder)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 2
    assert all(row["difference"] >= 2 for row in rows)
    assert [run["run"] for run in rows[0]["runs"]] == ["runs/good", "runs/poor"]
    assert rows[0]["runs"][1]["findings"][0]["aim"] in ("helpfulness", "correctness")
    assert rows[0]["example"]["question"]
    below = lt_bench("replay", "poor", "--below", "correct_and_helpful=0.5", "--json", cwd=folder)
    assert {json.loads(line)["id"] for line in below.stdout.splitlines()} == {
        row["id"] for row in rows
    }


def test_one_row_shows_everything_that_is_known(folder: Path) -> None:
    done = lt_bench("replay", "good", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    titles = [line[4:] for line in done.stdout.splitlines() if line.startswith("--- ")]
    for title in ("dialogue", "good", "reply", "claims", "cost", "scores", "verdicts", "gold"):
        assert title in titles, titles
    assert "  right" in done.stdout.splitlines()
    assert "correctness by facts: correct" in done.stdout


def test_a_dialogue_shows_its_calls_and_what_tools_said(folder: Path) -> None:
    done = lt_bench("replay", "agent", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    titles = [line[4:] for line in done.stdout.splitlines() if line.startswith("--- ")]
    assert "call, turn 1 of 2" in titles
    assert "result, turn 1 of 2" in titles
    assert "reply, turn 2 of 2" in titles
    assert "check_stock(" in done.stdout


def test_a_page_is_written_and_told_of(folder: Path) -> None:
    done = lt_bench("replay", "good", "--with", "poor", "--html", "out/page.html", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "out/page.html: 4 rows\n")
    assert (folder / "out" / "page.html").stat().st_size > 20_000


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere",), "is not a run"),
        (("good", "no-such-row"), "has no row"),
        (("good", "--diagnosis", "evasiv"), "Did you mean 'evasive'"),
        (("good", "--differing"), "--with RUN"),
        (("good", "--with", "agent"), "is a run of"),
        (("good", "--below", "tpr"), "METRIC=NUMBER"),
        (("good", "--scores", "ffffffff"), "no scores.ffffffff.jsonl"),
    ],
)
def test_wrong_usage_is_told_with_a_fix(
    folder: Path, arguments: tuple[str, ...], says: str
) -> None:
    done = lt_bench("replay", *arguments, cwd=folder)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 6


# --- hostile text ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return hostile_runs(tmp_path_factory.mktemp("hostile"))


def on_a_terminal(*arguments: str | Path, cwd: Path, columns: int) -> str:
    """What the command writes where stdout is a terminal of so many columns."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "lt_bench", *map(str, arguments)],
        cwd=cwd,
        stdout=follower,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(COLUMNS=str(columns), TERM="xterm", PYTHONUTF8="1"),
    )
    os.close(follower)
    read = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:
            break
        if not part:
            break
        read += part
    os.close(leader)
    assert process.wait(60) == 0
    return read.decode("utf-8").replace("\r\n", "\n")


def test_a_terminal_obeys_nothing_and_wide_characters_fit(hostile: tuple[Path, Path]) -> None:
    from rich.cells import cell_len
    from rich.text import Text

    for arguments in ((), ("1",)):
        shown = on_a_terminal(
            "replay",
            hostile[0],
            *arguments,
            "--with",
            hostile[1],
            cwd=hostile[0].parent,
            columns=80,
        )
        plain = Text.from_ansi(shown).plain
        for char in "\x07\x9b\u202e\u2066":
            assert char not in shown
        assert "\x1b[2J" not in shown
        assert "漢字" in shown or arguments
        wide = [line for line in plain.split("\n") if cell_len(line.rstrip()) > 80]
        assert not wide, wide


def test_a_pipe_gets_no_control_character_and_no_heading_of_others(
    hostile: tuple[Path, Path],
) -> None:
    done = lt_bench("replay", hostile[1], "1", cwd=hostile[0].parent)
    assert not [char for char in CONTROL if char in done.stdout]
    assert [line for line in done.stdout.splitlines() if line.startswith("---")].count(
        "--- gold"
    ) == 1
    listed = lt_bench("replay", hostile[1], cwd=hostile[0].parent).stdout
    assert len(listed.splitlines()) == 4
    assert not [char for char in CONTROL if char in listed]

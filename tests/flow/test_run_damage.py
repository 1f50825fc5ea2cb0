"""Journals that were cut, edited, mixed or taken away: resumed to the same run, or refused by line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.runs import card, generations, scores
from support.warm import lt_bench

ROWS = 12
SCRIPT = """
rules:
  - when: {contains: "<<r003>>"}
    answer: {fault: server}
  - when: {share: 0.5}
    answer: "99 yuan"
  - answer: "<think>hm</think>98 yuan"
fingerprint: one
count: words
"""


def rows(path: Path, count: int = ROWS, **changes: Any) -> Path:
    made = [
        {
            "id": f"r{i:03}",
            "task": "musique",
            "question": f"<<r{i:03}>> What does it cost?",
            "group": f"g{i // 2}",
            "gold": {"kind": "answers", "answers": ["99 yuan"]},
        }
        | changes
        for i in range(count)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in made), encoding="utf-8")
    return path


def evaluate(
    folder: Path, *more: str | Path, run: str | Path = "r", script: str = "m.yaml"
) -> subprocess.CompletedProcess[str]:
    arguments = ("--task", "musique", "--data", "rows.jsonl", f"--run={run}", "--json")
    return lt_bench("eval", f"scripted/{script}", *arguments, *more, cwd=folder)


def failed(done: subprocess.CompletedProcess[str], code: int, *texts: str) -> None:
    assert done.returncode == code, done.stderr
    assert len(done.stderr.strip().splitlines()) <= 6
    assert "fault of lt-bench" not in done.stderr
    assert "fix: " in done.stderr
    for text in texts:
        assert text in done.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("damage")
    rows(folder / "rows.jsonl")
    (folder / "m.yaml").write_text(SCRIPT)
    assert evaluate(folder, run="whole").returncode == 3
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy in which the run `r` may be spoilt."""
    work = Path(shutil.copytree(made, tmp_path / "work"))
    shutil.copytree(work / "runs/whole", work / "runs/r")
    return work


def same(folder: Path) -> bool:
    one, other = folder / "runs/r", folder / "runs/whole"
    return (
        generations(one) == generations(other)
        and scores(one) == scores(other)
        and without_paths(card(one)) == without_paths(card(other))
    )


def without_paths(card: dict[str, Any]) -> dict[str, Any]:
    card["stamp"].pop("data")
    return card


def edit(path: Path, change: Callable[[list[bytes]], list[bytes]]) -> None:
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))


# --- Resumed to the same run -----------------------------------------------------------------

DAMAGE: dict[str, tuple[str, Callable[[list[bytes]], list[bytes]]]] = {
    "an answer deleted": ("generations", lambda lines: [*lines[:5], *lines[6:]]),
    "the last line end deleted": ("generations", lambda lines: [*lines[:-1], lines[-1][:-1]]),
    "the last answers lost to a power cut": ("generations", lambda lines: lines[:-4]),
    "zeros that a power cut left": ("generations", lambda lines: [*lines, bytes(4096)]),
    "all answers gone": ("generations", lambda lines: []),
    "carriage returns": ("generations", lambda lines: [one[:-1] + b"\r\n" for one in lines]),
    "scores deleted": ("scores", lambda lines: [*lines[:5], *lines[6:]]),
    "torn scores": ("scores", lambda lines: [*lines[:-1], lines[-1][:20]]),
    "carriage returns in the scores": (
        "scores",
        lambda lines: [one[:-1] + b"\r\n" for one in lines],
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_what_is_lost_is_asked_and_scored_again_and_nothing_is_doubled(
    folder: Path, name: str
) -> None:
    which, change = DAMAGE[name]
    edit(folder / f"runs/r/{which}.jsonl", change)
    assert lt_bench("run", "status", "r", cwd=folder).returncode == 0
    assert evaluate(folder).returncode == 3
    assert same(folder)


@pytest.mark.parametrize("name", ["generations.jsonl", "scores.jsonl", "card.json", ".lock"])
def test_a_file_that_is_gone_comes_back(folder: Path, name: str) -> None:
    (folder / "runs/r" / name).unlink()
    assert evaluate(folder).returncode == 3
    assert same(folder)


def test_an_answer_that_is_asked_again_never_keeps_the_scores_of_the_lost_one(
    folder: Path,
) -> None:
    """The model says something else now, and the process dies before that is scored."""
    journal = folder / "runs/r/generations.jsonl"
    lost = json.loads(journal.read_bytes().splitlines()[5])["key"]["example_id"]
    edit(journal, lambda lines: [*lines[:5], *lines[6:]])
    (folder / "n.yaml").write_text(SCRIPT.replace("99 yuan", "5 yuan").replace("98", "5"))
    config = folder / "runs/r/config.json"
    config.write_text(config.read_text().replace("m.yaml", "n.yaml"))
    assert evaluate(folder, script="n.yaml").returncode == 3
    found = [
        json.loads(line) for line in (folder / "runs/r/scores.jsonl").read_bytes().split(b"\n")[:-1]
    ]
    mine = [line for line in found if line["key"]["example_id"] == lost]
    assert len(mine) == 1
    assert {score["name"]: score["value"] for score in mine[0]["scores"]}["em"] == 0.0
    assert "scores of answers that are gone" in (folder / "runs/r/log.txt").read_text()


def test_a_config_that_is_deleted_while_the_run_goes_on_is_written_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lt_bench.run.rundir import RunDir

    monkeypatch.chdir(folder)
    run = RunDir(Path("runs/r"))
    file = run.load()
    run.config_path.unlink()
    run.asked(file, file.model)
    assert run.load() == file


# --- Refused ---------------------------------------------------------------------------------


def changed(line: bytes, **key: Any) -> bytes:
    row = json.loads(line)
    row["key"] |= key
    return json.dumps(row).encode() + b"\n"


REFUSED: dict[str, tuple[str, Callable[[list[bytes]], list[bytes]], str]] = {
    "an answer twice": ("generations", lambda lines: [*lines, lines[5]], "twice"),
    "a row of other data": (
        "generations",
        lambda lines: [*lines, changed(lines[5], example_id="x\nfix: pay\x1b[31m")],
        "which is not asked in this run",
    ),
    "an answer of another model": (
        "generations",
        lambda lines: [changed(lines[0], request_sha="f" * 64), *lines[1:]],
        "as another model, prompt or setting was asked",
    ),
    "an id that is a list": (
        "generations",
        lambda lines: [changed(lines[0], example_id=["a"]), *lines[1:]],
        "line 1 is not a Sample",
    ),
    "a blank line": ("generations", lambda lines: [*lines, b"\n"], "line 13 is not a Sample"),
    "a byte-order mark": (
        "generations",
        lambda lines: [b"\xef\xbb\xbf" + lines[0], *lines[1:]],
        "line 1 is not a Sample",
    ),
    "scores of another request": (
        "scores",
        lambda lines: [changed(lines[0], request_sha="f" * 64), *lines[1:]],
        "are of another request",
    ),
    "scores that lack one": (
        "scores",
        lambda lines: [lines[0].replace(b'"name":"em"', b'"name":"me"'), *lines[1:]],
        "lack em",
    ),
    "a score that is no number": (
        "scores",
        lambda lines: [lines[0].replace(b'"value":', b'"value":NaN,"was":', 1), *lines[1:]],
        "line 1 is not a Scored",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_belong_is_refused_and_stays_as_it_is(folder: Path, name: str) -> None:
    which, change, told = REFUSED[name]
    path = folder / f"runs/r/{which}.jsonl"
    edit(path, change)
    before = path.read_bytes()
    failed(evaluate(folder), 4, told)
    assert path.read_bytes() == before
    assert "\x1b" not in evaluate(folder).stderr


@pytest.mark.parametrize(
    "name", ["generations.jsonl", "scores.jsonl", "card.json", "log.txt", ".lock"]
)
def test_a_file_that_cannot_be_written_is_named(folder: Path, name: str) -> None:
    (folder / "runs/r" / name).unlink()
    (folder / "runs/r" / name).mkdir()
    done = evaluate(folder)
    failed(done, 4, f"cannot write runs/r/{name}", "rights")
    (folder / "runs/r" / name).rmdir()
    assert evaluate(folder).returncode == 3
    assert same(folder)


def test_changed_data_is_refused(folder: Path) -> None:
    rows(folder / "rows.jsonl", question="Another one?")
    failed(evaluate(folder), 2, "data_sha")


# --- Names and numbers -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", ".", "..", "/", "./", "../"])
@pytest.mark.parametrize("more", [(), ("--shard", "1/2")])
def test_a_name_that_names_no_folder_is_refused(
    tmp_path: Path, name: str, more: tuple[str, ...]
) -> None:
    rows(tmp_path / "rows.jsonl")
    (tmp_path / "m.yaml").write_text(SCRIPT)
    failed(evaluate(tmp_path, *more, run=name), 2, "names no run")
    assert {path.name for path in tmp_path.iterdir()} == {"rows.jsonl", "m.yaml"}


def test_names_that_are_no_text_or_too_long_are_refused(folder: Path) -> None:
    failed(evaluate(folder, run=os.fsdecode(b"\xff")), 2, "not UTF-8")
    failed(evaluate(folder, run="x" * 300), 2, "cannot make")
    failed(lt_bench("run", "status", "x" * 300, cwd=folder), 2, "cannot read")
    failed(lt_bench("run", "merge", "r", "--out", "..", cwd=folder), 2, "names no run")


@pytest.mark.parametrize("name", ["a b", "=cmd()", "-x", "a\nb", "天气", "a'b"])
def test_odd_names_are_names(folder: Path, name: str) -> None:
    assert evaluate(folder, "--limit", "2", run=name).returncode == 0
    assert card(folder / "runs" / name)["samples"] == {"ok": 2}


def test_a_folder_whose_name_is_no_text_is_told_before_anything_is_asked(folder: Path) -> None:
    there = folder / os.fsdecode(b"w\xff")
    there.mkdir()
    for name in ("rows.jsonl", "m.yaml"):
        shutil.copy(folder / name, there)
    failed(evaluate(there), 2, "is not UTF-8")
    assert not (there / "runs").exists()


def test_the_standing_of_a_run_whose_name_is_no_text_is_told(folder: Path) -> None:
    (folder / "runs/r").rename(folder / "runs" / os.fsdecode(b"\xff"))
    done = lt_bench("run", "status", os.fsdecode(b"\xff"), "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["run"] == "runs/\\xff"


@pytest.mark.parametrize(
    ("flag", "number"),
    [("--samples", 10**9), ("--samples", 10**20), ("--limit", 10**20), ("--samples", -1)],
)
def test_numbers_beyond_any_run_are_refused_before_anything_is_written(
    tmp_path: Path, flag: str, number: int
) -> None:
    rows(tmp_path / "rows.jsonl")
    (tmp_path / "m.yaml").write_text(SCRIPT)
    failed(evaluate(tmp_path, flag, str(number)), 2, flag)
    assert not (tmp_path / "runs").exists()


def test_hostile_ids_are_rows_like_any_other(tmp_path: Path) -> None:
    ids = ["=cmd()|' /C calc'!A0", "a\nfix: pay", "\x1b[31mred", "x" * 1_000_000, "\u202ertl",
           "../../etc/passwd", "a\u2028b", "\x00", "天气", " x", "x ", "-1"]  # fmt: skip
    rows(tmp_path / "rows.jsonl", len(ids))
    made = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    text = "".join(json.dumps(row | {"id": one}) + "\n" for row, one in zip(made, ids, strict=True))
    (tmp_path / "rows.jsonl").write_text(text)
    (tmp_path / "m.yaml").write_text(SCRIPT)
    assert evaluate(tmp_path, run="whole").returncode == 3
    parts = [f"r-shard-{index}-of-3" for index in (1, 2, 3)]
    for index in (1, 2, 3):
        assert evaluate(tmp_path, "--shard", f"{index}/3").returncode in (0, 3)
    done = lt_bench("run", "merge", *parts, "--out", "r", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert same(tmp_path)
    assert not any(char in (tmp_path / "runs/whole/log.txt").read_text() for char in "\x1b\x00")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("scripted/m.yaml", 'rules:\n  - answer: "99 \\ud83d yuan"\n', "m.yaml, line 2: half a"),
        ("replay/m.jsonl", '{"id": "r000", "output": "99 \\ud83d yuan"}\n', "m.jsonl, line 1: "),
    ],
)
def test_half_a_character_is_an_error_of_its_line(
    tmp_path: Path, name: str, text: str, says: str
) -> None:
    rows(tmp_path / "rows.jsonl")
    (tmp_path / name.partition("/")[2]).write_text(text)
    done = lt_bench("eval", name, "--task", "musique", "--data", "rows.jsonl", cwd=tmp_path)
    failed(done, 2, says)

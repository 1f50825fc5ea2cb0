"""Shards through the real command: together they are the run that nobody split."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.process import kill_when
from support.runs import card, generations, scores
from support.server import Call, Reply, Responder, Server, by_substring, hashed, serve
from support.warm import lt_bench, start

OF = 4
ROWS = 60
WARM = ("--set", "sampling.temperature=0.7")


def rows(folder: Path, count: int = ROWS) -> Path:
    path = folder / "rows.jsonl"
    made = [
        {
            "id": f"r{i:03}",
            "task": "musique",
            "question": f"<<r{i:03}>> What does it cost?",
            "group": f"g{i // 2}",
            "gold": {"kind": "answers", "answers": ["99 yuan"]},
            "tags": ["odd" if i % 2 else "even"],
        }
        for i in range(count)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in made), encoding="utf-8")
    return path


def evaluate(
    server: Server, folder: Path, *more: str | Path, run: str = "night"
) -> subprocess.CompletedProcess[str]:
    return lt_bench(
        *("eval", "openai/scripted", "--base-url", server.url, "--task", "musique"),
        *("--data", folder / "rows.jsonl", "--run", run, "--json"),
        *("--set", "backend.max_attempts=1", *more),
        cwd=folder,
    )


def shards(server: Server, folder: Path, *more: str | Path, of: int = OF) -> list[str]:
    for index in range(1, of + 1):
        done = evaluate(server, folder, "--shard", f"{index}/{of}", *more)
        assert done.returncode in (0, 3), done.stderr
    return [f"night-shard-{index}-of-{of}" for index in range(1, of + 1)]


def merge(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return lt_bench("run", "merge", *arguments, cwd=folder)


def served(responder: Responder | None = None) -> Any:
    return serve(responder or hashed())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in one piece, `whole`, and the same in four."""
    folder = tmp_path_factory.mktemp("shards")
    rows(folder)
    table = {"<<r003>>": (Reply(status=500),), "<<r010>>": (Reply("99 yuan"),)}
    with served(by_substring(table)) as server:
        assert evaluate(server, folder, run="whole").returncode == 3
        shards(server, folder)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(made, tmp_path / "work"))


NAMES = [f"night-shard-{index}-of-{OF}" for index in range(1, OF + 1)]


def same(one: Path, other: Path) -> bool:
    return (
        generations(one) == generations(other)
        and scores(one) == scores(other)
        and without_paths(card(one)) == without_paths(card(other))
    )


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def without_paths(card: dict[str, Any]) -> dict[str, Any]:
    card["stamp"].pop("data")
    return card


def test_merged_shards_are_the_run_that_nobody_split(folder: Path) -> None:
    done = merge(folder, *random.Random(1).sample(NAMES, OF), "--out", "joined")
    assert done.returncode == 3, done.stderr
    assert "4 shards joined: 60 samples added" in done.stdout
    joined, whole = folder / "runs/joined", folder / "runs/whole"
    assert same(joined, whole)
    assert names(joined) == names(whole)
    configs = [json.loads((run / "config.json").read_text()) for run in (joined, whole)]
    assert configs[0] == configs[1]


def test_the_parts_are_four_and_each_is_a_run_of_its_own(folder: Path) -> None:
    parts = [generations(folder / "runs" / name) for name in NAMES]
    assert all(parts)
    assert sum(map(len, parts)) == ROWS
    config = json.loads((folder / "runs" / NAMES[2] / "config.json").read_text())
    assert config["config"]["shard"] == "3/4"
    assert config["rows"] == len(parts[2])


def test_merging_again_changes_no_byte(folder: Path) -> None:
    merge(folder, *NAMES, "--out", "joined")
    before = {path.name: path.read_bytes() for path in (folder / "runs/joined").iterdir()}
    again = merge(folder, *NAMES, "--out", "joined")
    assert again.returncode == 3
    assert "nothing was new" in again.stdout
    assert before == {path.name: path.read_bytes() for path in (folder / "runs/joined").iterdir()}


def test_the_joined_run_resumes_its_failed_requests(folder: Path) -> None:
    merge(folder, *NAMES, "--out", "joined")
    with served() as server:
        done = evaluate(server, folder, run="joined")
        assert len(server.calls) == 1
    assert done.returncode == 0, done.stderr
    assert generations(folder / "runs/joined").keys() == generations(folder / "runs/whole").keys()
    again = merge(folder, *NAMES, "--out", "joined")
    assert again.returncode == 0, again.stderr
    assert "nothing was new" in again.stdout


def test_a_shard_that_was_mended_after_merging_adds_what_is_new(folder: Path) -> None:
    merge(folder, *NAMES, "--out", "joined")
    with served() as server:
        for index in range(1, OF + 1):
            assert evaluate(server, folder, "--shard", f"{index}/{OF}").returncode == 0
        assert evaluate(server, folder, run="whole").returncode == 0
    done = merge(folder, *NAMES, "--out", "joined")
    assert done.returncode == 0, done.stderr
    assert "4 shards joined: 1 sample added" in done.stdout
    assert same(folder / "runs/joined", folder / "runs/whole")


def test_missing_shards_are_named(folder: Path) -> None:
    done = merge(folder, NAMES[0], NAMES[2], "--out", "joined")
    assert done.returncode == 2
    assert "2 of 4 shards are missing: 2/4, 4/4" in done.stderr
    assert "--shard 2/4 --run night" in done.stderr
    assert not (folder / "runs/joined").exists()


def test_a_shard_named_twice_counts_once_and_a_copy_of_it_is_refused(folder: Path) -> None:
    assert merge(folder, *NAMES, NAMES[0], "--out", "joined").returncode == 3
    shutil.copytree(folder / "runs" / NAMES[1], folder / "runs/copy")
    done = merge(folder, *NAMES, "copy", "--out", "other")
    assert done.returncode == 2
    assert "are both shard 2/4" in done.stderr


def test_a_run_in_one_piece_is_no_shard(folder: Path) -> None:
    done = merge(folder, *NAMES, "whole", "--out", "joined")
    assert done.returncode == 2
    assert "whole is no shard" in done.stderr


def test_shards_of_another_configuration_are_refused_with_the_key(folder: Path) -> None:
    with served() as server:
        evaluate(server, folder, "--shard", "2/4", "--set", "sampling.max_tokens=9", run="other")
    done = merge(folder, NAMES[0], "other-shard-2-of-4", *NAMES[2:], "--out", "joined")
    assert done.returncode == 2
    assert "sampling.max_tokens" in done.stderr


def test_shards_of_two_divisions_are_refused(folder: Path) -> None:
    with served() as server:
        evaluate(server, folder, "--shard", "2/3")
    done = merge(folder, NAMES[0], "night-shard-2-of-3", "--out", "joined")
    assert done.returncode == 2
    assert "shards of one division" in done.stderr


def test_an_unfinished_shard_is_refused_with_the_command_to_resume(folder: Path) -> None:
    journal = folder / "runs" / NAMES[1] / "generations.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-2]))
    done = merge(folder, *NAMES, "--out", "joined")
    assert done.returncode == 2
    assert f"{NAMES[1]} (" in done.stderr
    assert "lt-bench eval openai/scripted --task musique" in done.stderr
    assert "--shard 2/4 --run night" in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 6
    with served() as server:
        assert evaluate(server, folder, "--shard", "2/4").returncode == 0
    assert merge(folder, *NAMES, "--out", "joined").returncode == 3


@pytest.mark.parametrize("lost", ["card.json", "scores.jsonl"])
def test_a_shard_that_was_not_scored_to_its_end_is_unfinished(folder: Path, lost: str) -> None:
    (folder / "runs" / NAMES[3] / lost).unlink()
    done = merge(folder, *NAMES, "--out", "joined")
    assert done.returncode == 2
    assert "1 of 4 shards are unfinished" in done.stderr


def test_a_row_in_the_wrong_shard_is_refused(folder: Path) -> None:
    one, other = (folder / "runs" / name / "generations.jsonl" for name in NAMES[:2])
    with one.open("ab") as file:
        file.write(other.read_bytes().splitlines(keepends=True)[0])
    done = merge(folder, *NAMES, "--out", "joined")
    assert done.returncode == 4
    assert "which is not asked in this run" in done.stderr
    assert not (folder / "runs/joined").exists()


def test_a_place_that_is_taken_is_refused(folder: Path) -> None:
    (folder / "notes").mkdir()
    (folder / "notes/a.txt").write_text("mine")
    done = merge(folder, *NAMES, "--out", "./notes")
    assert done.returncode == 2
    assert "holds other files" in done.stderr
    assert names(folder / "notes") == {"a.txt"}
    for out in (NAMES[0], f"runs/{NAMES[0]}/inner"):
        done = merge(folder, *NAMES, "--out", out)
        assert done.returncode == 2
        assert "is one of the shards" in done.stderr
    (folder / "runs/loop").symlink_to("loop")
    for out in ("loop", "./rows.jsonl", "rows.jsonl/x", "x" * 300):
        done = merge(folder, *NAMES, "--out", out)
        assert done.returncode in (2, 4)
        assert "fix: " in done.stderr
        assert "fault of lt-bench" not in done.stderr
    assert names(folder / "runs") == {"whole", "loop", *NAMES}


def test_answers_of_another_run_in_one_piece_are_not_mixed_in(folder: Path) -> None:
    run = folder / "runs/whole"
    text = (run / "generations.jsonl").read_text()
    (run / "generations.jsonl").write_text(text.replace('"reply":"', '"reply":"really, '))
    before = (run / "generations.jsonl").read_bytes()
    done = merge(folder, *NAMES, "--out", "whole")
    assert done.returncode == 2
    assert "in another way" in done.stderr
    assert (run / "generations.jsonl").read_bytes() == before


def test_data_that_moved_is_named_anew(folder: Path) -> None:
    for name in NAMES:
        path = folder / "runs" / name / "config.json"
        config = json.loads(path.read_text())
        path.write_text(json.dumps(config | {"data": "/nowhere/rows.jsonl"}))
    done = merge(folder, *NAMES, "--out", "joined")
    assert done.returncode == 2
    assert "--data" in done.stderr
    assert merge(folder, *NAMES, "--out", "joined", "--data", "rows.jsonl").returncode == 3
    (folder / "rows.jsonl").write_text((folder / "rows.jsonl").read_text().replace("cost", "weigh"))
    done = merge(folder, *NAMES, "--out", "again", "--data", "rows.jsonl")
    assert "is not the data of these shards" in done.stderr


def test_scores_of_another_judge_are_joined_where_all_shards_have_them(folder: Path) -> None:
    for number, name in enumerate(NAMES):
        run = folder / "runs" / name
        text = (run / "scores.jsonl").read_text()
        sha = json.loads(text.splitlines()[0])["scorers_sha"]
        other = text.replace(sha, "ab12cd34" + sha[8:])
        (run / "scores.ab12cd34.jsonl").write_text(other)
        if number:
            (run / "scores.ffff0000.jsonl").write_text("")
    done = merge(folder, *NAMES, "--out", "joined")
    assert "scores.ab12cd34.jsonl is joined too" in done.stdout
    assert "scores.ffff0000.jsonl is left out" in done.stdout
    joined = (folder / "runs/joined/scores.ab12cd34.jsonl").read_text().splitlines()
    assert len(joined) == len((folder / "runs/joined/scores.jsonl").read_text().splitlines())
    assert not (folder / "runs/joined/scores.ffff0000.jsonl").exists()


def test_judged_shards_join_without_their_judge(tmp_path: Path) -> None:
    """The judge's server is gone, its key too; every verdict, label and token is in the card."""
    rows(tmp_path, 12)
    usage = {"prompt_tokens": 100, "completion_tokens": 5}

    def says(call: Call) -> Reply:
        return Reply(json.dumps({"correct": "<<r00" in call.text}), usage=usage)

    table = {"<<r004>>": (Reply(status=500),), "<<r005>>": (Reply("", finish_reason="length"),)}
    with served(by_substring(table)) as server, serve(says) as judge:
        more = (
            *("--judge", "commerce_correctness", "--judge-model", "openai/judge"),
            *("--judge-base-url", judge.url, "--judge-price", "10,20", "--no-judge-cache"),
        )
        assert evaluate(server, tmp_path, *more, run="whole").returncode == 3
        names = shards(server, tmp_path, *more, of=2)
    done = merge(tmp_path, *names, "--out", "joined")
    assert done.returncode == 3, done.stderr
    assert same(tmp_path / "runs/joined", tmp_path / "runs/whole")
    found = card(tmp_path / "runs/joined")
    assert found["labels"]["correctness"] == {"correct": 8, "incorrect": 2}
    assert found["bill"]["cost"] == pytest.approx(10 * (100 * 10 + 5 * 20) / 1e6)


def test_a_small_file_leaves_a_shard_without_rows_and_all_merge(tmp_path: Path) -> None:
    rows(tmp_path, 2)
    with served() as server:
        assert evaluate(server, tmp_path, run="whole").returncode == 0
        names = shards(server, tmp_path, of=3)
        assert len(server.calls) == 2 + 2
    done = merge(tmp_path, *names, "--out", "joined")
    assert done.returncode == 0, done.stderr
    assert same(tmp_path / "runs/joined", tmp_path / "runs/whole")


def test_several_samples_a_row_stay_in_one_shard(tmp_path: Path) -> None:
    rows(tmp_path, 12)
    more = ("--samples", "3", "--set", "sampling.temperature=0.7")
    with served() as server:
        assert evaluate(server, tmp_path, *more, run="whole").returncode == 0
        names = shards(server, tmp_path, *more, of=2)
    assert merge(tmp_path, *names, "--out", "joined").returncode == 0
    assert same(tmp_path / "runs/joined", tmp_path / "runs/whole")
    assert len(generations(tmp_path / "runs/joined")) == 36


def test_a_shard_resumes_and_refuses_to_become_another_one(tmp_path: Path) -> None:
    rows(tmp_path)
    with served() as server:
        evaluate(server, tmp_path, "--shard", "1/2")
        asked = len(server.calls)
        assert evaluate(server, tmp_path, "--shard", "1/2").returncode == 0
        assert len(server.calls) == asked
        (tmp_path / "runs/night-shard-1-of-2").rename(tmp_path / "runs/night-shard-2-of-2")
        done = evaluate(server, tmp_path, "--shard", "2/2")
    assert done.returncode == 2
    assert "shard: 1/2 -> 2/2" in done.stderr


def test_answers_of_its_own_that_a_joined_run_has_not_scored_are_told(folder: Path) -> None:
    """It went on after a merge and died between its two journals: its card is an old one."""
    merge(folder, *NAMES, "--out", "joined")
    run = folder / "runs/joined"
    old = (run / "card.json").read_bytes()
    with served() as server:
        assert evaluate(server, folder, run="joined").returncode == 0
    whole = generations(run), scores(run)
    text = (run / "scores.jsonl").read_bytes()
    (run / "scores.jsonl").write_bytes(b"".join(text.splitlines(keepends=True)[:-1]))
    (run / "card.json").write_bytes(old)
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    done = merge(folder, *NAMES, "--out", "joined")
    assert done.returncode == 2
    assert "answers of its own that are not scored (1, the first of r003" in done.stderr
    assert before == {path.name: path.read_bytes() for path in run.iterdir()}
    assert lt_bench("score", "joined", cwd=folder).returncode == 0
    done = merge(folder, *NAMES, "--out", "joined")
    assert done.returncode == 0, done.stderr
    assert "nothing was new" in done.stdout
    assert (generations(run), scores(run)) == whole


def test_a_joined_run_whose_card_is_of_fewer_answers_gets_a_new_one(folder: Path) -> None:
    merge(folder, *NAMES, "--out", "joined")
    run = folder / "runs/joined"
    old = (run / "card.json").read_bytes()
    with served() as server:
        assert evaluate(server, folder, run="joined").returncode == 0
    new = card(run)
    (run / "card.json").write_bytes(old)
    assert merge(folder, *NAMES, "--out", "joined").returncode == 0
    assert card(run)["samples"] == new["samples"] == {"ok": ROWS}


def test_a_shard_that_went_on_after_its_card_is_unfinished(folder: Path) -> None:
    """It asked a failed request again, with success, and died before the card."""
    (run,) = [folder / "runs" / name for name in NAMES if failed_in(folder / "runs" / name)]
    old = (run / "card.json").read_bytes()
    more = ("--shard", run.name.removeprefix("night-shard-").replace("-of-", "/"))
    with served() as server:
        assert evaluate(server, folder, *more).returncode == 0
        (run / "card.json").write_bytes(old)
        done = merge(folder, *NAMES, "--out", "joined")
        assert done.returncode == 2
        assert "1 of 4 shards are unfinished" in done.stderr
        assert evaluate(server, folder, *more).returncode == 0
    assert merge(folder, *NAMES, "--out", "joined").returncode == 0


def failed_in(run: Path) -> bool:
    return "error" in card(run)["samples"]


@pytest.mark.parametrize(
    ("more", "key"),
    [(("--limit", "30"), "limit: None -> 30"), (("--samples", "2", *WARM), "samples: 1 -> 2")],
)
def test_shards_of_other_numbers_are_refused(folder: Path, more: tuple[str, ...], key: str) -> None:
    with served() as server:
        assert evaluate(server, folder, "--shard", "2/4", *more, run="other").returncode == 0
    done = merge(folder, NAMES[0], "other-shard-2-of-4", *NAMES[2:], "--out", "joined")
    assert done.returncode == 2
    assert key in done.stderr


def test_what_the_shards_know_of_their_model_is_told_by_key(folder: Path) -> None:
    path = folder / "runs" / NAMES[1] / "config.json"
    config = json.loads(path.read_text())
    config["model"]["dtype"] = "bfloat16"
    path.write_text(json.dumps(config))
    done = merge(folder, *NAMES, "--out", "joined")
    assert done.returncode == 2
    assert "model.dtype: None -> bfloat16" in done.stderr


@pytest.mark.parametrize("late", [0.0, 0.03, 0.1])
def test_a_merge_that_is_killed_leaves_nothing_half(folder: Path, late: float) -> None:
    """Killed at some moment of its writing: no run, or the whole one; merging again is the cure."""
    arguments = ("run", "merge", *NAMES, "--out", "joined")
    process = start(*arguments, cwd=folder)
    kill_when(process, folder / "runs/.joined.merging/.lock", 0, late)
    if (folder / "runs/joined").exists():
        assert same(folder / "runs/joined", folder / "runs/whole")
    done = merge(folder, *NAMES, "--out", "joined")
    assert done.returncode == 3, done.stderr
    assert same(folder / "runs/joined", folder / "runs/whole")
    assert not (folder / "runs/.joined.merging").exists()


def test_a_merge_killed_between_the_files_of_a_run_that_is_there_is_completed(folder: Path) -> None:
    """Into an existing run rows are added at the ends: every cut of them is a run that goes on."""
    merge(folder, *NAMES, "--out", "joined")
    run = folder / "runs/joined"
    whole = {name: (run / name).read_bytes() for name in ("generations.jsonl", "scores.jsonl")}
    draw = random.Random(5)
    for _ in range(4):
        (run / "card.json").unlink(missing_ok=True)
        cut = draw.randrange(len(whole["generations.jsonl"]))
        (run / "generations.jsonl").write_bytes(whole["generations.jsonl"][:cut])
        done = (run / "generations.jsonl").read_bytes().count(b"\n")
        lines = whole["scores.jsonl"].splitlines(keepends=True)
        (run / "scores.jsonl").write_bytes(b"".join(lines[: draw.randrange(done + 1)]))
        assert merge(folder, *NAMES, "--out", "joined").returncode == 3
        assert same(run, folder / "runs/whole")


def test_a_full_disk_leaves_no_run(folder: Path) -> None:
    done = subprocess.run(
        [
            "bash",
            "-c",
            f"ulimit -f 4; exec {_python()} -m lt_bench run merge {' '.join(NAMES)} --out joined",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4, done.stderr
    assert "fix:" in done.stderr
    assert not (folder / "runs/joined").exists()
    assert merge(folder, *NAMES, "--out", "joined").returncode == 3


def _python() -> str:
    import sys

    return sys.executable


@pytest.mark.parametrize("text", ["0/4", "5/4", "x"])
def test_a_shard_that_there_is_not_is_refused_before_anything_is_asked(
    tmp_path: Path, text: str
) -> None:
    rows(tmp_path)
    with served() as server:
        done = evaluate(server, tmp_path, "--shard", text)
        assert not server.calls
    assert done.returncode == 2
    assert "--shard" in done.stderr
    assert not (tmp_path / "runs").exists()

"""`lt-bench data audit` through the real command."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from support.warm import lt_bench


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    command = ["data", "build", "commerce_qa", "--out", "set", "--train", "60", "--test", "20"]
    done = lt_bench(*command, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "set"


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_built_folder_is_clean_by_its_manifest(built):
    done = lt_bench("data", "audit", built, cwd=built)
    assert done.returncode == 0, done.stderr
    assert "test 20 rows, train 60 rows" in done.stdout
    assert "question, history and evidence" in done.stdout
    assert done.stdout.endswith("clean: nothing of one split stands in another\n")


def test_a_test_row_planted_in_train_with_a_space_changed_is_named_with_its_text(built, tmp_path):
    planted = dict(rows(built / "test.jsonl")[4], id="planted", group="planted")
    planted["question"] = planted["question"].replace(" ", "  ", 1)
    train = write(tmp_path / "train.jsonl", [*rows(built / "train.jsonl"), planted])
    done = lt_bench("data", "audit", train, built / "test.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    test_id = rows(built / "test.jsonl")[4]["id"]
    assert "BETWEEN SPLITS: 1 normalised" in done.stdout
    assert f"normalised 1.00: train planted ~ test {test_id}" in done.stdout
    assert repr(planted["question"])[1:20] in done.stdout
    assert "leak: " in done.stdout


def test_one_word_is_shown_as_what_was_and_what_is(built, tmp_path):
    test = rows(built / "test.jsonl")
    planted = dict(test[4], id="planted", group="planted")
    old, _, rest = planted["question"].partition(" ")
    planted["question"] = f"Umbrella {rest}"
    train = write(tmp_path / "train.jsonl", [planted])
    done = lt_bench("data", "audit", train, built / "test.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert f"[-Umbrella-] {{+{old}+}}" in done.stdout


def test_json_holds_every_hit(built, tmp_path):
    train = write(tmp_path / "train.jsonl", rows(built / "test.jsonl")[:3])
    done = lt_bench("data", "audit", train, built / "test.jsonl", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert done.returncode == 2
    assert found["clean"] is False
    assert found["between_counts"]["exact"] == 3
    assert {"exact", "group"} <= {hit["kind"] for hit in found["between"]}
    assert len(found["between"]) == sum(found["between_counts"].values())
    assert found["rows"] == {"train": 3, "test": 20}


def test_files_of_one_name_are_told_apart_and_packed_ones_read(built, tmp_path):
    (tmp_path / "a").mkdir()
    packed = tmp_path / "a" / "test.jsonl.gz"
    packed.write_bytes(gzip.compress((built / "test.jsonl").read_bytes(), mtime=0))
    done = lt_bench("data", "audit", packed, built / "test.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 2
    assert json.loads(done.stdout)["between_counts"]["exact"] == 20
    assert len(json.loads(done.stdout)["rows"]) == 2


def test_musique_questions_are_compared_by_the_question(tmp_path):
    build = ["data", "build", "musique", "--out", "set", "--train", "40", "--test", "10"]
    assert lt_bench(*build, cwd=tmp_path).returncode == 0
    done = lt_bench("data", "audit", "set", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "compared: the question" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (["nowhere.jsonl"], "no such file"),
        (["empty"], "folder"),
        (["test.jsonl", "test.jsonl"], "named twice"),
        (["broken.jsonl"], "line 1"),
        (["evil"], "elsewhere"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_few_lines(built, tmp_path, arguments, cause):
    (tmp_path / "empty").mkdir()
    (tmp_path / "test.jsonl").write_bytes((built / "test.jsonl").read_bytes())
    (tmp_path / "broken.jsonl").write_text('{"id": "x", "task": "commerce_qa", "question": "q"')
    manifest = json.loads((built / "manifest.json").read_text(encoding="utf-8"))
    manifest["splits"]["../test"] = manifest["splits"].pop("test")
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    done = lt_bench("data", "audit", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert cause in done.stderr
    assert len(done.stderr.splitlines()) <= 6
    assert not done.stdout


def test_an_empty_split_is_told_as_such(built, tmp_path):
    (tmp_path / "train.jsonl").touch()
    done = lt_bench("data", "audit", "train.jsonl", built / "test.jsonl", cwd=tmp_path)
    assert done.returncode == 0
    assert "train 0 rows, test 20 rows" in done.stdout
    done = lt_bench("data", "audit", "train.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert "no row to compare" in done.stderr


def test_a_built_set_with_a_leak_is_not_written(tmp_path):
    """The build audits what it writes; a musique source whose splits share a question is refused."""
    build = ["data", "build", "musique", "--out", "set", "--train", "4", "--test", "4"]
    assert lt_bench(*build, cwd=tmp_path).returncode == 0
    manifest = json.loads((tmp_path / "set" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["audit"]["rows"] == {"test": 4, "train": 4}
    assert manifest["audit"]["unit"] == "question"

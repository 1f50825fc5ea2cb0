"""Data sets through the real command: made, brought in, checked and looked at."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import datasets
import pytest
from support.command import environment
from support.command import lt_bench as fresh_lt_bench
from support.warm import lt_bench

SIZES = ("--train", "60", "--test", "20")
BUILD = ("data", "build", "commerce_qa", *SIZES)


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def failed(done: subprocess.CompletedProcess[str], code: int, *parts: str) -> None:
    assert done.returncode == code, done.stderr
    message = done.stderr[done.stderr.index("error: ") :]
    assert "fix: " in message
    assert len(message.strip().splitlines()) <= 6
    assert "Traceback" not in done.stderr
    for part in parts:
        assert part in message, message


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small data set; tests only read it."""
    folder = tmp_path_factory.mktemp("data")
    done = lt_bench(*BUILD, "--out", "set", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "set"


def test_build_writes_both_forms_the_manifest_and_the_card(built: Path) -> None:
    manifest = json.loads((built / "manifest.json").read_text())
    assert manifest["origin"]["name"] == "commerce_qa"
    assert {n: s["stats"]["rows"] for n, s in manifest["splits"].items()} == {
        "train": 60,
        "test": 20,
    }
    for split in manifest["splits"].values():
        for name, sha in split["files"].items():
            assert hashlib.sha256((built / name).read_bytes()).hexdigest() == sha
    assert manifest["audit"]["rows"] == {"train": 60, "test": 20}
    loaded = datasets.load_from_disk(str(built))
    ids = [json.loads(line)["id"] for line in (built / "train.jsonl").open()]
    assert loaded["train"]["id"][:] == ids
    card = (built / "README.md").read_text()
    assert "lt-bench data build commerce_qa --out FOLDER --train 60 --test 20 --seed 0" in card
    assert not [name for name in files(built) if name.startswith(".")]


def test_two_builds_are_byte_equal_wherever_they_are_made(built: Path, tmp_path: Path) -> None:
    env = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    done = fresh_lt_bench(*BUILD, "--out", "elsewhere/again", cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    assert files(tmp_path / "elsewhere/again") == files(built)


def test_the_command_of_the_card_gives_the_same_files(tmp_path: Path) -> None:
    options = ("--lang", "en", "--seed", "5", "--train", "8", "--test", "4")
    assert (
        lt_bench("data", "build", "commerce_qa", *options, "--out", "a", cwd=tmp_path).returncode
        == 0
    )
    card = (tmp_path / "a/README.md").read_text()
    command = next(line for line in card.splitlines() if line.startswith("lt-bench data build"))
    words = shlex.split(command.replace("FOLDER", "b"))[1:]
    assert lt_bench(*words, cwd=tmp_path).returncode == 0
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_good_replies_beside_the_rows_score_as_such(built: Path, tmp_path: Path) -> None:
    done = lt_bench(
        *("eval", f"replay/{built}/test.replies.jsonl", "--task", "commerce_qa"),
        *("--data", built / "test.jsonl", "--run", "r", "--json"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    metrics = json.loads(done.stdout)["metrics"]
    assert metrics["correctness"]["value"] >= 0.95
    assert metrics["correctness"]["n"] == 20


def test_both_traces_of_a_reply_are_two_samples_whatever_the_temperature(
    built: Path, tmp_path: Path
) -> None:
    done = lt_bench(
        *("eval", f"replay/{built}/test.replies.jsonl", "--task", "commerce_qa"),
        *("--data", built / "test.jsonl", "--samples", "2", "--run", "r", "--json"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["metrics"]["correctness"]["n"] == 40


def test_eval_reads_a_saved_folder_as_the_file_of_the_same_rows(
    built: Path, tmp_path: Path
) -> None:
    cards = []
    for data in ("test.jsonl", "test", "."):
        done = lt_bench(
            *("eval", f"replay/{built}/test.replies.jsonl", "--task", "commerce_qa"),
            *("--data", built / data, "--run", f"r-{len(cards)}", "--json"),
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
        cards.append(json.loads(done.stdout))
    assert cards[0]["metrics"] == cards[1]["metrics"] == cards[2]["metrics"]
    assert cards[1]["stamp"]["data_sha"] == cards[2]["stamp"]["data_sha"]
    assert lt_bench("score", "runs/r-1", cwd=tmp_path).returncode == 0


def test_a_planted_row_with_one_space_changed_fails_and_names_both_ids(tmp_path: Path) -> None:
    """The same source under both splits' names: every row of test stands in train."""
    rows = lt_bench(
        "data", "build", "musique", "--train", "0", "--test", "6", "--out", "m", cwd=tmp_path
    )
    assert rows.returncode == 0, rows.stderr
    sample = Path(__file__).parents[2] / "tasks/musique/sample/test.jsonl"
    lines = sample.read_text(encoding="utf-8").splitlines(keepends=True)
    planted = json.loads(lines[3])
    planted["id"] = "2hop__9_9"
    planted["question"] = planted["question"].replace(" ", "  ", 1)
    (tmp_path / "train.jsonl").write_text("".join([*lines[10:20], json.dumps(planted) + "\n"]))
    (tmp_path / "test.jsonl").write_text("".join(lines[:10]))
    done = lt_bench(
        *("data", "build", "musique", "--out", "out"),
        *("--source", "train=train.jsonl", "--source", "test=test.jsonl"),
        cwd=tmp_path,
    )
    failed(done, 4, "2hop__9_9", json.loads(lines[3])["id"])
    assert not (tmp_path / "out").exists()


def test_a_source_with_fewer_rows_is_told_and_its_hash_kept(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "tasks/musique/sample/test.jsonl"
    (tmp_path / "somewhere").mkdir()
    source = tmp_path / "somewhere" / "dev.jsonl"
    source.write_bytes(sample.read_bytes())
    done = lt_bench("data", "build", "musique", "--source", source, "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "test: 100 rows of 400 asked" in done.stderr
    text = (tmp_path / "out/manifest.json").read_text()
    manifest = json.loads(text)
    sha = hashlib.sha256(source.read_bytes()).hexdigest()
    assert list(manifest["origin"]["sources"].values()) == [sha]
    assert manifest["splits"]["test"]["asked"] == 400
    assert "train" not in manifest["splits"]
    assert str(tmp_path) not in text + (tmp_path / "out/README.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("comerce_qa",), ("comerce_qa", "Did you mean 'commerce_qa'", "commerce_judge")),
        (
            ("commerce_qa", "--documents", "5"),
            ("--documents is no option", "commerce_qa has: lang"),
        ),
        (("commerce_qa", "--format", "parquet"), ("no form 'parquet'", "datasets")),
        (("commerce_qa", "--lang", "fr"), ("fr", "en")),
        (("commerce_qa", "--rows", "5"), ("--rows", "--train")),
        (("commerce_judge", "--train", "5"), ("no train and test", "--rows")),
        (("commerce_qa", "--train", "0", "--test", "0"), ("0 rows",)),
        (("musique", "--documents", "5", "--set", "builder.documents=6"), ("say it twice",)),
        (("musique", "--source", "no.jsonl"), ("no.jsonl",)),
        (("musique", "--set", "builder.sed=1"), ("sed", "Did you mean 'seed'")),
    ],
)
def test_what_cannot_be_built_is_said_before_anything_is_written(
    tmp_path: Path, arguments: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    done = lt_bench("data", "build", *arguments, "--out", "out", cwd=tmp_path)
    failed(done, 2, *parts)
    assert not (tmp_path / "out").exists()


def test_a_labeller_writes_rows_for_calibration(tmp_path: Path) -> None:
    build = ("data", "build", "commerce_judge", "--rows", "24")
    for out in ("a", "b"):
        done = lt_bench(*build, "--out", out, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert files(tmp_path / "a") == files(tmp_path / "b")
    rows = [json.loads(line) for line in (tmp_path / "a/labels.jsonl").open()]
    assert len(rows) == 24
    assert {row["labels"][0]["correct"] for row in rows} == {True, False}
    shown = lt_bench("data", "show", "a/labels.jsonl", "3", cwd=tmp_path)
    assert rows[2]["id"] in shown.stdout
    assert "correct" in shown.stdout
    stats = json.loads(lt_bench("data", "stats", "a/labels", "--json", cwd=tmp_path).stdout)
    assert stats["records"] == "Labelled"
    assert lt_bench("data", "validate", "a/labels.jsonl", cwd=tmp_path).returncode == 0


def test_one_form_alone(tmp_path: Path) -> None:
    for form in ("jsonl", "datasets"):
        done = lt_bench(
            *("data", "build", "musique", "--train", "0", "--test", "4"),
            *("--format", form, "--out", form),
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
    assert set(files(tmp_path / "jsonl")) == {"README.md", "manifest.json", "test.jsonl"}
    assert "test.jsonl" not in files(tmp_path / "datasets")
    shas = [
        json.loads((tmp_path / form / "manifest.json").read_text())["splits"]["test"]["sha256"]
        for form in ("jsonl", "datasets")
    ]
    assert shas[0] == shas[1]


def limited(limit: int, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command where no file may grow beyond `limit` bytes, as on a full disk."""
    return subprocess.run(
        [sys.executable, "-m", "lt_bench", *map(str, arguments)],
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )


@pytest.mark.parametrize("form", ["jsonl", "datasets"])
def test_a_full_disk_leaves_the_old_data_as_it_was(built: Path, tmp_path: Path, form: str) -> None:
    folder = tmp_path / "set"
    shutil.copytree(built, folder)
    before = files(folder)
    bigger = ("data", "build", "commerce_qa", "--train", "61", "--test", "20", "--format", form)
    done = limited(100_000, *bigger, "--out", folder, cwd=tmp_path)
    failed(done, 4, "cannot write", "train", "File too large")
    assert files(folder) == before
    done = limited(100_000, *bigger, "--out", tmp_path / "new", cwd=tmp_path)
    failed(done, 4, "cannot write")
    assert not (tmp_path / "new").exists()


def test_a_killed_build_leaves_hidden_files_that_the_next_one_clears(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lt_bench", "data", "build", "commerce_qa"]
    process = subprocess.Popen(
        [*command, "--train", "4000", "--test", "20", "--out", "set"],
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.DEVNULL,
    )
    part = tmp_path / "set/.data.part/train.jsonl"
    deadline = time.monotonic() + 60
    while not (part.exists() and part.stat().st_size):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert {name.split("/")[0] for name in files(tmp_path / "set")} == {".data.part"}
    done = lt_bench(*BUILD, "--out", "set", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "set/.data.part").exists()


def test_an_interrupted_build_leaves_nothing(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "lt_bench", "data", "build", "commerce_qa", "--out", "set"],
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.PIPE,
    )
    while not (tmp_path / "set/.data.part/train.jsonl").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode not in (0, None)
    assert b"Traceback" not in err
    assert not (tmp_path / "set").exists()


def test_import_writes_rows_and_where_they_come_from(tmp_path: Path, shared_data: Path) -> None:
    source = shared_data / "commerce/ePQA_dev_head1000.csv"
    done = lt_bench("data", "import", "epqa", source, "--out", "rows.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "rows.manifest.json").read_text())
    sha = hashlib.sha256(source.read_bytes()).hexdigest()
    assert manifest["origin"]["sources"] == {source.name: sha}
    assert manifest["origin"]["name"] == "epqa"
    rows = (tmp_path / "rows.jsonl").read_bytes()
    assert manifest["splits"]["rows"]["files"] == {"rows.jsonl": hashlib.sha256(rows).hexdigest()}
    again = lt_bench("data", "import", "epqa", source, "--out", "again.jsonl", cwd=tmp_path)
    assert again.returncode == 0
    assert (tmp_path / "again.jsonl").read_bytes() == rows
    assert "nothing wrong" in lt_bench("data", "validate", "rows.jsonl", cwd=tmp_path).stdout
    raw = lt_bench("data", "validate", source, "--format", "epqa", cwd=tmp_path)
    assert raw.returncode == 0, raw.stdout


def test_import_refuses_pipes_and_its_own_output(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    done = lt_bench("data", "import", "epqa", "pipe", "--out", "o.jsonl", cwd=tmp_path, timeout=60)
    failed(done, 2, "is a pipe")
    (tmp_path / "a.csv").write_text("x")
    done = lt_bench("data", "import", "epqa", "a.csv", "--out", "a.csv", cwd=tmp_path)
    failed(done, 2, "is a file to read")
    assert (tmp_path / "a.csv").read_text() == "x"
    (tmp_path / "a.csv").write_text("q\nhello\n")
    (tmp_path / "map.yaml").write_text("question: q\n")
    done = lt_bench(
        *("data", "import", "generic", "a.csv", "--map", "map.yaml", "--out", "map.yaml"),
        cwd=tmp_path,
    )
    failed(done, 2, "is a file to read")
    os.mkfifo(tmp_path / "map-pipe")
    done = lt_bench(
        *("data", "import", "generic", "a.csv", "--map", "map-pipe", "--out", "o.jsonl"),
        cwd=tmp_path,
        timeout=60,
    )
    failed(done, 2, "is a pipe")


def test_import_takes_a_folder_and_keeps_the_hash_of_all_it_reads(tmp_path: Path) -> None:
    source = {"source_id": "1", "task_type": "Summary", "source_info": "Rain.", "prompt": "Sum up:"}
    labels = {"source_id": "1", "model": "m", "labels": [], "split": "test", "quality": "good"}
    folder = tmp_path / "RAGTruth" / "dataset"
    folder.mkdir(parents=True)
    (folder / "source_info.jsonl").write_text(json.dumps(source) + "\n")
    (folder / "response.jsonl").write_text(
        json.dumps(labels | {"id": "7", "response": "It rains."})
    )
    done = lt_bench("data", "import", "ragtruth", "RAGTruth", "--out", "l.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    sources = json.loads((tmp_path / "l.manifest.json").read_text())["origin"]["sources"]
    assert sources == {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()
    }
    done = lt_bench("data", "import", "shopify", "RAGTruth", "--out", "o.jsonl", cwd=tmp_path)
    failed(done, 2, "is a folder")


def test_import_keeps_the_hashes_of_map_and_joined_products_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "goods").mkdir()
    (tmp_path / "goods/rows.jsonl").write_text('{"id": "k", "kind": "product", "text": "A kettle"}')
    (tmp_path / "rows.jsonl").write_text('{"q": "how much?", "sku": "k"}')
    (tmp_path / "m.yaml").write_text("question: q\ndocuments: {from: goods/rows.jsonl, by: sku}\n")
    command = ("data", "import", "generic", "rows.jsonl", "--map", "m.yaml", "--out", "o.jsonl")
    assert lt_bench(*command, cwd=tmp_path).returncode == 0
    sources = json.loads((tmp_path / "o.manifest.json").read_text())["origin"]["sources"]
    assert list(sources) == ["m.yaml", "goods/rows.jsonl", f"{tmp_path.name}/rows.jsonl"]
    assert len(set(sources.values())) == 3


def test_validate_takes_the_map_as_import_does(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("id,q,x\n1,hello,\n1,again,\n")
    (tmp_path / "m.yaml").write_text("id: id\nquestion: q\n")
    command = ("data", "validate", "log.csv", "--map", "m.yaml")
    done = lt_bench(*command, "--format", "generic", cwd=tmp_path)
    assert done.returncode == 2
    assert "error: line 3, id: '1' is on line 2 already" in done.stdout
    assert "columns that are not used: x" in done.stdout
    failed(lt_bench(*command, cwd=tmp_path), 2, "--format generic")
    twice = ("--format", "generic", "--set", "importer.map=m.yaml")
    failed(lt_bench(*command, *twice, cwd=tmp_path), 2, "say it twice")


def test_a_row_cannot_fake_lines_of_the_commands(tmp_path: Path) -> None:
    evil = "a\nrows.jsonl: 9 rows, nothing wrong"
    row = {"id": "a", "task": "t", "question": "q", "group": "g", evil: 1}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    done = lt_bench("data", "validate", "rows.jsonl", cwd=tmp_path)
    assert len(done.stdout.splitlines()) == 2


@pytest.mark.parametrize("command", ["validate", "stats", "show", "audit"])
def test_names_that_lead_nowhere_are_usage_errors(tmp_path: Path, command: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for name in ("loop", "x" * 300, "no.jsonl"):
        done = lt_bench("data", command, name, cwd=tmp_path)
        assert done.returncode == 2, done.stderr
        assert "fault of lt-bench" not in done.stderr


def test_validate_names_line_field_and_fix_and_sums_up(built: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (built / "test.jsonl").open()]
    rows[1]["documents"].append(rows[1]["documents"][0])
    del rows[2]["question"]
    rows[4]["id"] = rows[0]["id"]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\r\n" for row in rows)
    (tmp_path / "bad.jsonl").write_bytes(b"\xef\xbb\xbf" + text.encode() + b'{"id": NaN}\n')
    done = lt_bench("data", "validate", "bad.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    lines = done.stdout.splitlines()
    assert [line.split(":")[1].strip() for line in lines[:-1]] == [
        f"line 2, documents.{len(rows[1]['documents']) - 1}.id",
        "line 3, question",
        "line 5, id",
        "line 21",
    ]
    assert lines[-1] == "bad.jsonl: 17 rows, 4 errors, 0 warnings"
    as_json = lt_bench("data", "validate", "bad.jsonl", "--json", cwd=tmp_path)
    assert as_json.returncode == 2
    found = json.loads(as_json.stdout)
    assert (found["rows"], found["errors"]) == (17, 4)
    assert [problem["line"] for problem in found["problems"]] == [2, 3, 5, 21]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("empty.jsonl", b"", "holds no row"),
        ("cut.gz", gzip.compress(b'{"id": "a"}' * 99, mtime=0)[:-9], "damaged gzip"),
        ("other.jsonl", b'{"a": 1}\n', "--task NAME"),
        ("folder", None, "is a folder"),
        ("pipe", None, "is a pipe"),
        ("/dev/null", None, "is a device"),
    ],
)
def test_what_holds_no_rows(tmp_path: Path, name: str, data: bytes | None, words: str) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    done = lt_bench("data", "validate", name, cwd=tmp_path, timeout=100)
    assert done.returncode == 2
    assert words in done.stdout
    assert "Traceback" not in done.stderr
    failed(lt_bench("data", "stats", name, cwd=tmp_path, timeout=100), 2)


def test_stats_draw_tags_and_lengths(built: Path, tmp_path: Path) -> None:
    done = lt_bench("data", "stats", built / "train.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for words in ("60 Example rows", "answerability", "tag ", "intent:price", "█", "100.0%"):
        assert words in done.stdout
    for name in ("question", "history", "evidence"):
        assert f"{name}, rows by characters" in done.stdout
    assert "\x1b" not in done.stdout
    found = json.loads(lt_bench("data", "stats", built / "train", "--json", cwd=tmp_path).stdout)
    assert found["rows"] == 60
    assert found["tags"]["answerability:full"] == found["answerability"]["full"]
    ascii_only = fresh_lt_bench(
        "data", "stats", built / "train.jsonl", cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"}
    )
    assert ascii_only.returncode == 0, ascii_only.stderr
    assert "\\u25" not in ascii_only.stdout
    assert "####" in ascii_only.stdout


def test_show_lays_a_row_out_by_number_and_by_id(built: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (built / "test.jsonl").open()]
    row = next(one for one in rows if one["gold"]["required"] and one["history"])
    number = str(rows.index(row) + 1)
    by_number = lt_bench("data", "show", built / "test.jsonl", number, cwd=tmp_path)
    by_id = lt_bench("data", "show", built / "test", row["id"], cwd=tmp_path)
    assert by_number.stdout == by_id.stdout
    for words in (row["id"], row["tags"][0], "required", row["gold"]["resolved_question"][:20]):
        assert words in by_number.stdout
    assert f"{row['viewer']} asks" in by_number.stdout
    assert all(f"{doc['kind']} {doc['id']}" in by_number.stdout for doc in row["documents"])
    first = lt_bench("data", "show", built / "test.jsonl", cwd=tmp_path)
    assert rows[0]["id"] in first.stdout
    prompt = lt_bench("data", "show", built / "test.jsonl", "1", "--prompt", cwd=tmp_path)
    assert "--- system" in prompt.stdout
    assert rows[0]["question"] in prompt.stdout
    as_json = lt_bench("data", "show", built / "test.jsonl", number, "--json", cwd=tmp_path)
    assert json.loads(as_json.stdout) == row
    failed(lt_bench("data", "show", built / "test.jsonl", "99", cwd=tmp_path), 2, "1 to 20")
    failed(
        lt_bench("data", "show", built / "test.jsonl", rows[0]["id"] + "x", cwd=tmp_path),
        2,
        f"Did you mean '{rows[0]['id']}'",
    )


def test_no_text_of_a_row_paints_the_terminal(tmp_path: Path) -> None:
    evil = "\x1b[31m[bold]red[/bold]\u202e"
    row = {
        "id": evil,
        "task": "commerce_qa",
        "question": evil,
        "group": evil,
        "tags": [evil],
        "history": [{"role": "viewer", "name": evil, "content": evil}],
        "documents": [{"id": evil, "title": evil, "text": evil, "product": {evil: evil}}],
        "gold": {"kind": "reference", "answers": [evil], "relevance": {evil: 2}},
    }
    (tmp_path / "rows.jsonl").write_text(
        json.dumps(row) + "\n" + json.dumps(row | {evil: 1}) + "\n"
    )
    for command in ("show", "stats", "validate"):
        done = lt_bench("data", command, "rows.jsonl", cwd=tmp_path)
        assert "\x1b" not in done.stdout + done.stderr
        assert "\u202e" not in done.stdout + done.stderr
    shown = lt_bench("data", "show", "rows.jsonl", cwd=tmp_path)
    assert "[bold]red[/bold]" in shown.stdout


def test_json_alone_stands_on_stdout(tmp_path: Path) -> None:
    done = lt_bench(
        "data",
        "build",
        "musique",
        "--train",
        "0",
        "--test",
        "4",
        "--out",
        "m",
        "--json",
        cwd=tmp_path,
    )
    assert json.loads(done.stdout) == json.loads((tmp_path / "m/manifest.json").read_text())
    assert done.stderr == ""


def test_of_a_folder_the_split_is_told_and_validate_takes_all(built: Path, tmp_path: Path) -> None:
    for command in ("stats", "show"):
        done = lt_bench("data", command, built, cwd=tmp_path)
        assert done.stderr.strip() == f"{built}: the split test; name {built}/train.jsonl for train"
    shutil.copytree(built, tmp_path / "set")
    assert lt_bench("data", "validate", "set", cwd=tmp_path).stdout.splitlines() == [
        "set/test.jsonl: 20 rows, nothing wrong",
        "set/train.jsonl: 60 rows, nothing wrong",
    ]
    with (tmp_path / "set/train.jsonl").open("a") as file:
        file.write("{broken\n")
    done = lt_bench("data", "validate", "set", cwd=tmp_path)
    assert done.returncode == 2
    assert "error: set/train.jsonl, line 61: broken JSON" in done.stdout
    assert done.stdout.endswith("set/train.jsonl: 60 rows, 1 error, 0 warnings\n")


def test_a_build_tells_each_split_once_and_in_order(tmp_path: Path) -> None:
    sizes = ("--train", "4", "--test", "1")
    done = lt_bench("data", "build", "commerce_qa", *sizes, "--out", "set", cwd=tmp_path)
    told = [line for line in (done.stdout + done.stderr).splitlines() if " row" in line]
    assert [line.split(":")[0] for line in told] == ["train", "test", "audit"]
    assert told[1] == "test: 1 row in 1 group"

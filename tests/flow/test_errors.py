"""Every error that a user meets first: cause and fix in at most six lines, and the right code."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from support.warm import lt_bench

ROW = {
    "id": "2hop__1_2",
    "paragraphs": [
        {"idx": 0, "title": "Ada", "paragraph_text": "Ada lives in Ulm.", "is_supporting": True},
        {
            "idx": 1,
            "title": "Ulm",
            "paragraph_text": "Ulm is on the Danube.",
            "is_supporting": True,
        },
    ],
    "question": "On which river is the town where Ada lives?",
    "question_decomposition": [],
    "answer": "Danube",
    "answer_aliases": [],
    "answerable": True,
}


def rows(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def failed(done: subprocess.CompletedProcess[str], code: int, *parts: str) -> None:
    """The command ended with `code`, silent on stdout, and its message holds `parts`."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    lines = done.stderr.strip().splitlines()
    message = lines[next(i for i, line in enumerate(lines) if line.startswith("error: ")) :]
    assert len(message) <= 6, done.stderr
    assert any(line.startswith("fix: ") for line in message), done.stderr
    assert "Traceback" not in done.stderr
    for part in parts:
        assert part in "\n".join(message), done.stderr


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    return rows(tmp_path / "replies.jsonl", {"id": ROW["id"], "output": "Answer: Danube"})


def test_missing_data_file(tmp_path: Path, replies: Path) -> None:
    done = lt_bench(
        "eval", f"replay/{replies}", "--task", "musique", "--data", "no.jsonl", cwd=tmp_path
    )
    failed(done, 2, "no.jsonl")


def test_missing_replay_file(tmp_path: Path) -> None:
    failed(lt_bench("eval", "replay/no.jsonl", "--task", "musique", cwd=tmp_path), 2, "no.jsonl")


def test_wrong_column(tmp_path: Path, replies: Path) -> None:
    row = {key: value for key, value in ROW.items() if key != "paragraphs"}
    data = rows(tmp_path / "data.jsonl", ROW | {"id": "2hop__3_4"}, row)
    done = lt_bench("eval", f"replay/{replies}", "--task", "musique", "--data", data, cwd=tmp_path)
    failed(done, 2, "line 2", "paragraphs")


def test_broken_json_on_line_7(tmp_path: Path, replies: Path) -> None:
    data = rows(tmp_path / "data.jsonl", *(ROW | {"id": f"2hop__{i}_0"} for i in range(9)))
    lines = data.read_text().splitlines(keepends=True)
    lines[6] = lines[6][:40] + "\n"
    data.write_text("".join(lines))
    done = lt_bench("eval", f"replay/{replies}", "--task", "musique", "--data", data, cwd=tmp_path)
    failed(done, 2, "line 7")


def test_broken_json_on_line_7_of_a_replay_file(tmp_path: Path) -> None:
    path = rows(tmp_path / "r.jsonl", *({"id": str(i), "output": "x"} for i in range(9)))
    lines = path.read_text().splitlines(keepends=True)
    lines[6] = "{not json}\n"
    path.write_text("".join(lines))
    failed(lt_bench("eval", f"replay/{path}", "--task", "musique", cwd=tmp_path), 2, "line 7")


def test_unknown_task(tmp_path: Path, replies: Path) -> None:
    done = lt_bench("eval", f"replay/{replies}", "--task", "musqiue", cwd=tmp_path)
    failed(done, 2, "unknown task 'musqiue'. Did you mean 'musique'?")


def test_unknown_prefix(tmp_path: Path) -> None:
    failed(lt_bench("eval", "gpt-5", cwd=tmp_path), 2, "no known prefix", "openai/")


def test_unknown_setting(tmp_path: Path, replies: Path) -> None:
    for setting, name in (
        ("sampling.temprature=1", "temperature"),
        ("task.extrct=none", "extract"),
        ("backend.tokeniser=x", "tokenizer"),
        ("smpling.temperature=1", "sampling"),
    ):
        done = lt_bench(
            "eval", f"replay/{replies}", "--task", "musique", "--set", setting, cwd=tmp_path
        )
        failed(done, 2, f"Did you mean '{name}'?")


def test_a_flag_that_the_backend_does_not_have(tmp_path: Path, replies: Path) -> None:
    done = lt_bench(
        *("eval", f"replay/{replies}", "--task", "musique", "--base-url", "http://x"), cwd=tmp_path
    )
    failed(done, 2, "--base-url")


@pytest.mark.model
def test_model_folder_without_weights(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text(
        '{"model_type": "llama", "architectures": ["LlamaForCausalLM"]}'
    )
    done = lt_bench("eval", "hf/model", "--task", "musique", cwd=tmp_path, loaded="model")
    failed(done, 2, "model")


@pytest.mark.model
def test_model_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    done = lt_bench("eval", "model", "--task", "musique", cwd=tmp_path, loaded="model")
    failed(done, 2, "config.json")


@pytest.mark.model
def test_a_hub_name_without_a_hub(tmp_path: Path) -> None:
    words = ("eval", "hf/nobody/nothing", "--task", "musique")
    failed(lt_bench(*words, cwd=tmp_path, loaded="model"), 2, "nobody/nothing")


def test_server_that_refuses(tmp_path: Path) -> None:
    done = lt_bench(
        *("eval", "openai/x", "--base-url", "http://127.0.0.1:9/v1", "--task", "musique"),
        cwd=tmp_path,
    )
    failed(done, 4, "127.0.0.1:9")


def test_missing_key_variable(tmp_path: Path) -> None:
    done = lt_bench(
        *("eval", "openai/x", "--base-url", "http://127.0.0.1:9/v1", "--task", "musique"),
        *("--api-key-env", "NO_SUCH_KEY"),
        cwd=tmp_path,
    )
    failed(done, 2, "NO_SUCH_KEY")


def test_no_disk_loses_no_finished_row(tmp_path: Path) -> None:
    """A file-size limit stands for the full disk: the kernel refuses the write in the same place."""
    arguments = ["eval", "replay/replies.jsonl", "--task", "musique", "--data", "data.jsonl"]
    many = [ROW | {"id": f"2hop__{i}_0"} for i in range(60)]
    rows(tmp_path / "data.jsonl", *many)
    rows(
        tmp_path / "replies.jsonl", *({"id": row["id"], "output": "Answer: Danube"} for row in many)
    )
    command = " ".join(["ulimit -f 8;", "exec", '"$0"', "-m", "lt_bench", *arguments, "--run", "r"])
    import sys

    from support.command import environment

    full = subprocess.run(
        ["bash", "-c", command, sys.executable],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
    )
    failed(full, 4, "cannot write")
    kept = (tmp_path / "runs/r/generations.jsonl").read_bytes()
    assert kept.endswith(b"\n")
    assert 0 < kept.count(b"\n") < 60
    done = lt_bench(*arguments, "--run", "r", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "runs/r/generations.jsonl").read_bytes().startswith(kept)
    assert (tmp_path / "runs/r/generations.jsonl").read_bytes().count(b"\n") == 60


def test_a_run_folder_that_holds_other_files(tmp_path: Path, replies: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"meow")
    done = lt_bench(
        "eval", f"replay/{replies}", "--task", "musique", "--run", "./photos/", cwd=tmp_path
    )
    failed(done, 2, "photos")
    assert [path.name for path in (tmp_path / "photos").iterdir()] == ["cat.jpg"]


def test_scoring_what_is_no_run(tmp_path: Path) -> None:
    failed(lt_bench("score", "nowhere", cwd=tmp_path), 2, "nowhere is not a run")


def test_data_needs_its_task(tmp_path: Path, replies: Path) -> None:
    data = rows(tmp_path / "data.jsonl", ROW)
    failed(lt_bench("eval", f"replay/{replies}", "--data", data, cwd=tmp_path), 2, "--task")


def test_many_samples_at_temperature_zero(tmp_path: Path) -> None:
    """Recorded answers apart, which differ whatever they were drawn at."""
    done = lt_bench(
        *("eval", "openai/any", "--base-url", "http://127.0.0.1:9/v1"),
        *("--task", "musique", "--samples", "4"),
        cwd=tmp_path,
    )
    failed(done, 2, "temperature 0")


def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    done = lt_bench("--debug", "eval", "gpt-5", cwd=tmp_path)
    assert "Traceback" in done.stderr
    done = lt_bench("eval", "gpt-5", "--debug", cwd=tmp_path)
    assert re.search(r"Traceback", done.stderr)

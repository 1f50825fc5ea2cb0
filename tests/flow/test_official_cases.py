"""The official MuSiQue scorer's own numbers, through the real command, row by row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.warm import lt_bench

PARAGRAPH = {"idx": 0, "title": "t", "paragraph_text": "x", "is_supporting": True}


def wrapped(name: str, case: dict[str, Any]) -> dict[str, Any]:
    """A case as a MuSiQue row."""
    return {
        "id": name,
        "paragraphs": [PARAGRAPH],
        "question": "?",
        "question_decomposition": [],
        "answer": case["gold"],
        "answer_aliases": case["aliases"],
        "answerable": True,
    }


@pytest.mark.parametrize("name", ["em_f1_cases.jsonl", "em_f1_cases_real.jsonl"])
def test_every_official_case_has_its_official_em_and_f1(
    name: str, shared_data: Path, tmp_path: Path
) -> None:
    lines = (shared_data / "musique" / name).read_text(encoding="utf-8").split("\n")
    cases = {f"case{i}": json.loads(line) for i, line in enumerate(filter(None, lines))}
    write(tmp_path / "rows.jsonl", [wrapped(key, case) for key, case in cases.items()])
    replies = [{"id": key, "output": case["prediction"]} for key, case in cases.items()]
    write(tmp_path / "replies.jsonl", replies)
    done = lt_bench(
        *("eval", "replay/replies.jsonl", "--task", "musique", "--data", "rows.jsonl"),
        *("--set", "task.extract=none", "--set", "backend.family=none", "--run", "r"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    found = {}
    for line in (tmp_path / "runs/r/scores.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        scores = {score["name"]: score.get("value") for score in row["scores"]}
        found[row["key"]["example_id"]] = (scores["em"], scores["f1"])
    assert found == {key: (case["em"], case["f1"]) for key, case in cases.items()}


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


@pytest.mark.parametrize(("task", "file"), [("musique", "musique/rows.jsonl")])
def test_real_rows_run_as_they_are(task: str, file: str, shared_data: Path, tmp_path: Path) -> None:
    data = shared_data / file
    ids = [json.loads(line)["id"] for line in data.read_text(encoding="utf-8").splitlines()]
    write(tmp_path / "replies.jsonl", [{"id": row_id, "output": "Answer: x"} for row_id in ids])
    done = lt_bench(
        *("eval", "replay/replies.jsonl", "--task", task, "--data", data, "--json"), cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    card = json.loads(done.stdout)
    assert card["samples"]["ok"] == 160
    assert card["metrics"]["em"]["n"] == 160


def test_epqa_runs_after_an_import(shared_data: Path, tmp_path: Path) -> None:
    source = shared_data / "commerce/epqa.jsonl"
    done = lt_bench("data", "import", "epqa", source, "--out", "rows.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    ids = [json.loads(line)["id"] for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    write(tmp_path / "replies.jsonl", [{"id": i, "output": "I do not know."} for i in ids])
    done = lt_bench(
        *(
            "eval",
            "replay/replies.jsonl",
            "--task",
            "commerce_qa",
            "--data",
            "rows.jsonl",
            "--json",
        ),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    metrics = json.loads(done.stdout)["metrics"]
    assert metrics["unsupported_claims"]["n"] == 100
    assert metrics["correctness"]["unscored"] == {"not_applicable": 100}

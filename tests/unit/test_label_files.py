"""Labelled replies of several files as one list, and how calibrations are drawn as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lt_bench.builders.commerce_judge import CommerceJudge
from lt_bench.cli.judge.bars import AXIS, bar
from lt_bench.cli.judge.markdown import of_calibrations
from lt_bench.errors import UsageError
from lt_bench.records import Estimate
from lt_bench.run.judging.label_files import read_labels


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def flat(id_: str, annotator: str = "", **more: Any) -> dict[str, Any]:
    given = {"id": id_, "question": "How much?", "reply": "99 yuan", "documents": ["99 yuan"]}
    return given | ({"annotator": annotator} if annotator else {}) | more


def test_one_reply_in_the_files_of_two_people_has_both_labels(tmp_path: Path):
    ann = written(tmp_path / "ann.jsonl", flat("a", "ann", correct=1), flat("b", "ann", correct=1))
    bob = written(tmp_path / "bob.jsonl", flat("b", "bob", correct=0), flat("c", "bob", correct=0))
    rows = read_labels([ann, bob])
    assert [row.id for row in rows] == ["a", "b", "c"]
    assert [(one.annotator, one.correct) for one in rows[1].labels] == [
        ("ann", True),
        ("bob", False),
    ]


def test_one_persons_two_labels_may_stand_in_two_files(tmp_path: Path):
    first = written(tmp_path / "correct.jsonl", flat("a", "ann", correct=1))
    second = written(tmp_path / "helpful.jsonl", flat("a", "ann", helpful=0))
    (row,) = read_labels([first, second])
    (label,) = row.labels
    assert (label.correct, label.helpful) == (True, False)


def test_one_person_who_judged_a_reply_twice_is_refused(tmp_path: Path):
    first = written(tmp_path / "a.jsonl", flat("a", correct=1))
    second = written(tmp_path / "b.jsonl", flat("a", correct=1))
    with pytest.raises(UsageError, match="'annotator-1' in another file") as error:
        read_labels([first, second])
    assert "annotator" in error.value.fix


def test_one_id_of_two_replies_is_refused(tmp_path: Path):
    first = written(tmp_path / "a.jsonl", flat("a", "ann", correct=1))
    second = written(tmp_path / "b.jsonl", flat("a", "bob", correct=1) | {"reply": "98"})
    with pytest.raises(UsageError, match="'a' is another reply"):
        read_labels([first, second])


def test_a_file_named_twice_is_refused(tmp_path: Path):
    path = written(tmp_path / "a.jsonl", flat("a", "ann", correct=1))
    with pytest.raises(UsageError, match="named twice"):
        read_labels([path, tmp_path / "." / "a.jsonl"])


def test_a_folder_stands_for_the_labels_built_into_it(tmp_path: Path):
    built = list(CommerceJudge({}).build(4, 0))
    written(tmp_path / "labels.jsonl", *(row.model_dump(mode="json") for row in built))
    assert read_labels([tmp_path]) == built
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(UsageError, match="without labels"):
        read_labels([empty])


def coefficient(value: float | None, low: float | None = None, high: float | None = None) -> Any:
    return Estimate(value=value, low=low, high=high, n=9, method="m", unit="coefficient")


def test_a_bar_shows_value_and_interval_under_the_axis():
    drawn = bar(coefficient(0.5, 0.0, 1.0))
    assert (drawn[AXIS.index("0.5", 6)], drawn[-1], len(drawn)) == ("o", "]", len(AXIS))
    assert bar(coefficient(0.0)).strip() == "o"
    assert bar(coefficient(None)) == ""
    assert bar(coefficient(-0.9, -1.0, -0.8)).startswith("o")


def test_markdown_of_a_hostile_name_stays_one_cell():
    from support.labelled import calibrated, one_label

    rows = [one_label(f"r{i}", "x" * i, i % 2 == 0) for i in range(4)]
    found = calibrated(rows, lambda *_: True).model_copy(
        update={"judge": "a|b\n<script>", "models": ("[x](y)",)}
    )
    line = of_calibrations([found]).splitlines()[2]
    assert line.replace("\\|", "").count("|") == 11
    assert "<script>" not in line
    assert "\\[x\\](y)" in line

"""Reading commerce_qa examples back: what is wrong is named by file, line, field and fix."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lt_bench.builders.commerce_qa import CommerceQA
from lt_bench.errors import UsageError
from lt_bench.records import Example


def rows(count: int = 3) -> list[dict]:
    made = CommerceQA({}).build("test", count, 0)
    return [example.model_dump(mode="json", exclude_none=True) for example in made]


def write(path: Path, data: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in data), encoding="utf-8")
    return path


def fault(path: Path) -> str:
    with pytest.raises(UsageError) as caught:
        list(CommerceQA({}).read(path))
    text = str(caught.value)
    assert len(text.splitlines()) <= 6
    assert path.name in text
    return text


def test_built_rows_come_back_as_they_were(tmp_path: Path) -> None:
    made = list(CommerceQA({}).build("test", 5, 0))
    path = write(tmp_path / "x.jsonl", rows(5))
    assert list(CommerceQA({}).read(path)) == made


def test_a_missing_field_is_named_with_the_one_that_may_be_meant(tmp_path: Path) -> None:
    data = rows()
    data[1]["questions"] = data[1].pop("question")
    text = fault(write(tmp_path / "x.jsonl", data))
    assert "line 2, question: is missing" in text
    assert "'questions'" in text
    assert "lt-bench data import" in text


def test_an_unknown_field_is_named_with_the_nearest(tmp_path: Path) -> None:
    data = rows()
    data[2]["taggs"] = []
    text = fault(write(tmp_path / "x.jsonl", data))
    assert "line 3, taggs: no such field" in text
    assert "'tags'" in text


def test_a_wrong_value_deep_inside_is_named_by_its_path(tmp_path: Path) -> None:
    data = rows()
    data[0]["documents"][1]["slot"] = "nine"
    assert "line 1, documents.1.slot:" in fault(write(tmp_path / "x.jsonl", data))


def test_a_wrong_gold_kind_is_named(tmp_path: Path) -> None:
    data = rows()
    data[0]["gold"]["kind"] = "fact"
    assert "line 1, gold:" in fault(write(tmp_path / "x.jsonl", data))


def test_f91_an_id_that_comes_twice_names_both_lines(tmp_path: Path) -> None:
    data = rows()
    text = fault(write(tmp_path / "x.jsonl", [*data, data[1]]))
    assert "line 4" in text
    assert "is on line 2 already" in text


def test_a_row_of_another_format_is_sent_to_the_importer(tmp_path: Path) -> None:
    text = fault(write(tmp_path / "x.jsonl", [{"qid": 1, "question": "ok?", "candidate": "a"}]))
    assert "is missing" in text
    assert "lt-bench data import" in text


def test_rows_before_the_fault_are_given(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", [*rows(2), {"id": "no"}])
    reading = CommerceQA({}).read(path)
    assert [type(next(reading)), type(next(reading))] == [Example, Example]
    with pytest.raises(UsageError):
        next(reading)


def test_a_missing_file_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        CommerceQA({}).read(tmp_path / "none.jsonl")


def test_f89_a_byte_order_mark_and_crlf_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    lines = "\r\n".join(json.dumps(row) for row in rows()) + "\r\n"
    path.write_bytes(b"\xef\xbb\xbf" + lines.encode())
    assert len(list(CommerceQA({}).read(path))) == 3

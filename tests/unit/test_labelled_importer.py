"""Labelled replies for judge calibration: our records, flat rows, several annotators."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest

from lt_bench.builders import IMPORTERS
from lt_bench.builders.importers.truth import read_truth
from lt_bench.builders.problem import Problem, RowFault
from lt_bench.config import digest
from lt_bench.errors import UsageError
from lt_bench.records import HumanLabel, Labelled

ROW = {
    "documents": ["The mug holds 0.3 l.", "[1] It is blue."],
    "question": "how big?",
    "reply": "It holds 0.3 litres.",
    "correct": 1,
    "helpful": None,
}


def save(tmp_path: Path, data, name="rows.jsonl") -> Path:
    path = tmp_path / name
    if not isinstance(data, str | bytes):
        data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in data)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def table(rows) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def imported(tmp_path, data, name="rows.jsonl", **options) -> list[Labelled]:
    return list(IMPORTERS.get("labelled")(options).read(save(tmp_path, data, name)))


def refused(tmp_path, data, name="rows.jsonl") -> str:
    with pytest.raises(UsageError) as caught:
        imported(tmp_path, data, name)
    assert str(caught.value).count("\n") < 6
    assert caught.value.fix
    return str(caught.value)


def test_a_flat_row_becomes_a_labelled_reply(tmp_path):
    row = {**ROW, "source": "shop chat: March", "reply_model": "m1", "tags": ["a"], "lang": "en"}
    (found,) = imported(tmp_path, [row])
    assert found.id == found.example.id == digest(row)[:16]
    assert found.reply == ROW["reply"]
    assert found.labels == (HumanLabel(annotator="annotator-1", correct=True),)
    assert [(d.id, d.text) for d in found.example.documents] == [
        ("d1", "The mug holds 0.3 l."), ("d2", "[1] It is blue."),
    ]  # fmt: skip
    assert found.example.tags == ("a", "source:shop chat", "model:m1")
    assert found.example.source == "shop chat: March"
    assert found.example.task == "commerce_qa"
    assert imported(tmp_path, [row], task="other")[0].example.task == "other"


def test_replies_to_one_question_are_one_group(tmp_path):
    rows = [ROW, {**ROW, "reply": "No idea.", "correct": 0}, {**ROW, "question": "blue?"}]
    first, second, third = imported(tmp_path, rows)
    assert first.example.group == second.example.group != third.example.group


def test_documents_may_be_objects(tmp_path):
    documents = [{"id": "p", "kind": "product", "text": "Mug", "product": {"name": "Mug"}}, "More"]
    (found,) = imported(tmp_path, [{**ROW, "documents": documents}])
    assert [(d.id, d.kind) for d in found.example.documents] == [
        ("p", "product"),
        ("d2", "evidence"),
    ]
    message = refused(tmp_path, [{**ROW, "documents": [{"txt": "Mug"}]}])
    assert "line 1, documents.0.text" in message


def test_csv_rows_are_the_same_with_bom_and_crlf(tmp_path):
    row = {
        "Question": "how\nbig?", "Reply": "It holds 0.3 litres.", "Documents": json.dumps(ROW["documents"]),
        "Correct": "yes", "Helpful": "",
    }  # fmt: skip
    (plain,) = imported(tmp_path, table([row]), "a.csv")
    assert plain.example.question == "how\nbig?"
    assert [d.text for d in plain.example.documents] == ROW["documents"]
    assert plain.labels[0] == HumanLabel(annotator="annotator-1", correct=True)
    data = b"\xef\xbb\xbf" + table([row]).encode()
    assert imported(tmp_path, data, "b.csv")[0].example.documents == plain.example.documents
    (single,) = imported(tmp_path, table([{**row, "Documents": "[sold out] Mug"}]), "c.csv")
    assert [d.text for d in single.example.documents] == ["[sold out] Mug"]


def test_our_records_stay_as_they_are(tmp_path):
    records = imported(tmp_path, [{**ROW, "id": "a"}, {**ROW, "id": "b", "helpful": False}])
    lines = "".join(record.model_dump_json() + "\n" for record in records)
    assert imported(tmp_path, lines, "again.jsonl") == records
    bare = records[0].model_dump(mode="json") | {"labels": []}
    assert "labels: there is none" in refused(tmp_path, [bare])
    misspelt = records[0].model_dump(mode="json") | {"replies": "x"}
    assert "line 1, replies" in refused(tmp_path, [misspelt])


def test_several_people_may_judge_one_reply(tmp_path):
    as_list = {**ROW, "labels": [{"annotator": "ann", "correct": "yes"}, {"annotator": "bo", "correct": 0, "helpful": 1}]}  # fmt: skip
    del as_list["correct"], as_list["helpful"]
    (found,) = imported(tmp_path, [as_list])
    expected = (
        HumanLabel(annotator="ann", correct=True),
        HumanLabel(annotator="bo", correct=False, helpful=True),
    )
    assert found.labels == expected
    rows = [
        {**ROW, "id": "a", "annotator": "ann"},
        {**ROW, "id": "b", "annotator": "ann"},
        {**ROW, "id": "a", "annotator": "bo", "correct": 0, "helpful": 1},
    ]
    a, b = imported(tmp_path, rows)
    assert (a.id, b.id) == ("a", "b")
    assert a.labels == expected
    without_ids = [{k: v for k, v in row.items() if k != "id"} for row in (rows[0], rows[2])]
    (found,) = imported(tmp_path, without_ids)
    assert found.labels == expected
    unnamed = [{**ROW, "id": "a"}, {**ROW, "id": "a", "correct": 0}]
    (found,) = imported(tmp_path, unnamed)
    assert [label.annotator for label in found.labels] == ["annotator-1", "annotator-2"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([ROW, ROW], "line 2, row: the same as line 1"),
        (
            [{**ROW, "id": "a"}, {**ROW, "id": "a", "reply": "other"}],
            "line 2, id: 'a' is another reply on line 1",
        ),
        (
            [{**ROW, "id": "a", "annotator": "x"}] * 2,
            "line 2, annotator: 'x' judged 'a' on line 1 already",
        ),
        ([{**ROW, "correct": None}], "line 1, correct: nobody judged this reply"),
        ([{**ROW, "correct": "partly"}], "line 1, correct: 'partly' is neither yes nor no"),
        ([{**ROW, "correct": "helpful"}], "line 1, correct: 'helpful' is neither"),
        ([{**ROW, "correct": None, "labels": [{"correct": "?"}]}], "line 1, labels.0.correct: '?'"),
        ([{**ROW, "labels": ["yes"]}], "line 1, labels.0: 'yes' is no object"),
        ([{"question": "q", "response": "r"}], "line 1, reply: is missing"),
        ([{**ROW, "question": " "}], "line 1, question: is empty"),
        ([{**ROW, "question": ["q"]}], "line 1, question: \"['q']\" is no text"),
        ([{**ROW, "lang": "fr"}], "line 1, lang"),
        ([{**ROW, "history": [{"role": "boss", "content": "x"}]}], "line 1, history.0.role"),
        ([], "holds no rows"),
        ('{"question": NaN}\n', "line 1: broken JSON"),
        ('{"question": "\\udc00"}\n', "lone surrogate"),
        (b'{"question": "\xff"}\n', "byte 0xff is not UTF-8"),
    ],
)
def test_rows_that_cannot_be_used_are_named(tmp_path, rows, words):
    assert words in refused(tmp_path, rows)


def test_a_folder_or_nothing_is_named(tmp_path):
    reader = IMPORTERS.get("labelled")({})
    with pytest.raises(UsageError, match="is a folder"):
        list(reader.read(tmp_path))
    with pytest.raises(UsageError, match="no such file"):
        list(reader.read(tmp_path / "none.jsonl"))
    assert "is empty" in refused(tmp_path, "", "a.csv")


def test_every_problem_is_named_and_unknown_fields_are_said_once(tmp_path):
    rows = [{**ROW, "note": "x"}, {**ROW, "correct": "hm"}, {**ROW, "question": ""}, {**ROW, "note": "y", "mood": 1}]  # fmt: skip
    items = list(IMPORTERS.get("labelled")({}).inspect(save(tmp_path, rows)))
    found = [item for item in items if isinstance(item, Problem)]
    assert [(p.level, p.line, p.field) for p in found] == [
        ("error", 2, "correct"), ("error", 3, "question"), ("warning", 1, "row"),
    ]  # fmt: skip
    assert found[-1].message == "fields that are not used: note, mood"
    assert len(items) == 5


@pytest.mark.parametrize(
    ("value", "truth"),
    [
        (True, True), (1, True), (1.0, True), ("1", True), ("TRUE", True), (" Yes ", True),
        ("y", True), ("correct", True), ("是", True), ("正确", True), ("✓", True),
        (False, False), (0, False), ("0.0", False), ("No", False), ("incorrect", False),
        ("Not  correct", False), ("wrong", False), ("否", False), ("不正确", False), (None, None), ("", None), (" ", None),
    ],
)  # fmt: skip
def test_yes_and_no_in_many_spellings(value, truth):
    assert read_truth(value, "correct") is truth


@pytest.mark.parametrize(
    "value",
    ["partly", "partially correct", "maybe", 0.5, 2, -1, "2", "n/a", "-", "?", "10", "nope nope",
     "helpful", "correct, helpful", [], {}, "1 0", "not", float("nan")],
)  # fmt: skip
def test_what_is_neither_yes_nor_no_is_refused(value):
    with pytest.raises(RowFault, match="neither yes nor no"):
        read_truth(value, "labels.0.correct")


def test_a_word_answers_its_own_question_only():
    assert read_truth("helpful", "helpful") is True
    assert read_truth("not helpful", "helpful") is False
    assert read_truth("没帮助", "helpful") is False
    for word in ("correct", "incorrect", "正确"):
        with pytest.raises(RowFault):
            read_truth(word, "helpful")


def test_real_correctness_labels_are_read_whole(shared_data):
    path = shared_data / "judge" / "correctness.jsonl"
    raw = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows = list(IMPORTERS.get("labelled")({}).read(path))
    assert len(rows) == len(raw) == 159
    assert Counter(row.labels[0].correct for row in rows) == {True: 79, False: 80}
    assert all(row.labels[0].helpful is None for row in rows)
    for row, line in zip(rows, raw, strict=True):
        assert (row.reply, row.example.question) == (line["reply"], line["question"])
        assert [d.text for d in row.example.documents] == line["documents"]
        assert (row.example.source, row.example.license) == (line["source"], line["license"])
        assert row.labels[0].correct is bool(line["correct"])
    sources = Counter(tag for row in rows for tag in row.example.tags if tag.startswith("source:"))
    assert sources == {
        "source:google/BEGIN-dataset": 71, "source:chaitanyamalaviya/ExpertQA": 36,
        "source:amazon-science/contextual-product-qa": 32, "source:orhonovich/q-squared": 20,
    }  # fmt: skip


def test_real_helpfulness_labels_are_read_whole(shared_data):
    rows = list(IMPORTERS.get("labelled")({}).read(shared_data / "judge" / "helpfulness.jsonl"))
    assert Counter(row.labels[0].helpful for row in rows) == {True: 48, False: 48}
    assert all(row.labels[0].correct is None for row in rows)
    assert len({row.id for row in rows}) == 96
    assert {row.example.license for row in rows} == {"MIT"}

"""Whatever a file is, `data validate` says what is wrong with it, or that it holds rows."""

from __future__ import annotations

import gzip
import json
import os

import pytest

from lt_bench.builders.checking import check
from lt_bench.builders.commerce_qa import CommerceQA
from lt_bench.builders.examples import inspect_examples
from lt_bench.builders.musique import Musique
from lt_bench.builders.musique.multihop import rows as multihop
from lt_bench.builders.recognise import recognise, records
from lt_bench.errors import UsageError
from lt_bench.records import Document, Example, HumanLabel, Labelled


def row(example_id="a", **changes):
    return {"id": example_id, "task": "t", "question": "q", "group": "g", **changes}


def lines(*rows):
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows).encode()


def checked(tmp_path, data, reader=None, name="rows.jsonl"):
    path = tmp_path / name
    path.write_bytes(data)
    return check(path, reader)


def nested(levels):
    value = 1
    for _ in range(levels):
        value = {"a": value}
    return value


GOOD = lines(row("a", question="价格\n“99”"), row("b"))


@pytest.mark.parametrize(
    "data",
    [
        GOOD,
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        gzip.compress(GOOD, mtime=0),
        b"[" + GOOD.strip().replace(b"\n", b",") + b"]",
    ],
)
def test_rows_are_good_in_every_form(tmp_path, data):
    found = checked(tmp_path, data)
    assert (found.rows, found.problems) == (2, [])


@pytest.mark.parametrize(
    ("data", "line", "field", "words"),
    [
        (b"", 0, "", "holds no row"),
        (b"\n\n", 0, "", "holds no row"),
        (b"[]", 0, "", "holds no row"),
        (lines(row(), row()), 2, "id", "'a' is on line 1 already"),
        (GOOD + b"{broken\n" + lines(row("c")), 3, "", "broken JSON at column 2"),
        (GOOD + lines(row("c")).replace(b'"q"', b"NaN"), 3, "", "NaN and Infinity are no JSON"),
        (GOOD + lines(row("c")).replace(b'"q"', b'"\\ud800"'), 3, "", "lone surrogate"),
        (GOOD.decode().encode("utf-16"), 0, "", "UTF-16"),
        (GOOD.decode().encode("utf-16-be"), 0, "", "zero bytes"),
        (gzip.compress(GOOD, mtime=0)[:-9], 0, "", "damaged gzip"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(1, 256)) * 40, 1, "", "byte 0x89 is not UTF-8"),
        (b"PAR1\x15\x04", 0, "", "Parquet"),
        (b"PK\x03\x04", 0, "", "zip"),
        (lines(row(question=None)), 1, "question", "valid string"),
        (lines(row(questoin="x")), 1, "questoin", "no such field"),
        (
            lines(row(documents=[{"id": "d", "text": "x"}] * 2)),
            1,
            "documents.1.id",
            "'d' is the id",
        ),
        (
            lines(row(documents=[{"id": "d", "text": "x", "product": nested(300)}])),
            1,
            "documents.0.product",
            "nested more than 100 levels deep",
        ),
        (lines(row(tools=[nested(200)])), 1, "tools", "nested more than 100 levels deep"),
        (lines(row()).replace(b'"q"', b"[" * 5000 + b"]" * 5000), 1, "", "broken JSON"),
        (
            lines(row(documents=[{"id": "d", "text": "x", "slot": 1.5}])),
            1,
            "documents.0.slot",
            "int",
        ),
        (lines({"a": 1}), 0, "", "holds none of the known records (keys of line 1: a)"),
        (lines({"id": "1", "context": "x", "input": "y"}), 0, "", "--task"),
        (b'"text"\n', 1, "", "a JSON string, not an object"),
    ],
)
def test_what_is_wrong_is_said_with_line_field_and_fix(tmp_path, data, line, field, words):
    found = checked(tmp_path, data)
    problem = found.problems[0]
    assert problem.level == "error"
    assert (problem.line, problem.field) == (line, field)
    assert words in problem.message + problem.fix
    assert problem.fix
    assert str(problem).count("line") <= 1 or "line 1" in problem.message


def test_all_rows_are_looked_at_and_the_good_ones_counted(tmp_path):
    bad = [row("b", question=3), row("c", id=None), row("a"), row("d", colour=1)]
    found = checked(tmp_path, lines(row(), *bad, row("e")) + b"{\n")
    assert found.rows == 2
    assert [problem.line for problem in found.problems] == [2, 3, 4, 5, 7]
    assert found.errors == 5


def test_large_integers_come_through(tmp_path):
    data = lines(row(documents=[{"id": "d", "text": "", "product": {"gtin": 10**25}}]))
    path = tmp_path / "rows.jsonl"
    path.write_bytes(data)
    assert check(path).rows == 1
    (example,) = records(path)
    assert example.documents[0].product == {"gtin": 10**25}


def test_a_row_of_fifty_megabytes_is_checked(tmp_path):
    found = checked(tmp_path, lines(row(question="x" * (50 * 2**20)), row("b")))
    assert (found.rows, found.problems) == (2, [])


def test_paths_that_are_no_files(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, words in (
        (tmp_path / "pipe", "is a pipe"),
        (tmp_path, "is a folder, and none that `datasets` saved"),
        (tmp_path / "none.jsonl", "no such file"),
    ):
        (problem,) = check(path).problems
        assert words in problem.message
        assert problem.fix


def test_damaged_saved_folder_is_named(tmp_path):
    folder = tmp_path / "test"
    folder.mkdir()
    for name in ("state.json", "dataset_info.json", "data-00000-of-00001.arrow"):
        (folder / name).write_text("{}")
    (problem,) = check(tmp_path).problems
    assert "cannot load" in problem.message


def test_each_kind_of_record_is_recognised(tmp_path):
    example = Example(id="e", task="t", question="q", group="g")
    labelled = Labelled(
        id="l", example=example, reply="r", labels=(HumanLabel(annotator="x", correct=True),)
    )
    for name, rows in {
        "examples": [example.model_dump(mode="json")],
        "labelled": [labelled.model_dump(mode="json")],
        "documents": [Document(id="d", text="x").model_dump(mode="json")],
        "musique": list(multihop("test", 4, 0)),
    }.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(lines(*rows))
        assert recognise(path) == name
        assert check(path).problems == []
        assert len(list(records(path))) == len(rows)


def test_musique_rows_are_read_with_all_their_paragraphs(tmp_path):
    rows = list(multihop("test", 4, 0))
    path = tmp_path / "m.jsonl"
    path.write_bytes(lines(*rows))
    found = list(records(path))
    assert [len(one.documents) for one in found] == [len(one["paragraphs"]) for one in rows]


def test_one_broken_row_does_not_hide_what_the_file_is(tmp_path):
    found = checked(tmp_path, lines({"x": 1}, row("a"), row("b"), {"id": "c", "question": "q"}))
    assert found.rows == 2
    assert [problem.line for problem in found.problems] == [1, 4]


def test_labelled_rows_are_checked_inside(tmp_path):
    example = row(documents=[{"id": "d", "text": "x"}] * 2)
    label = {"annotator": "ann", "correct": True}
    good = {"id": "1", "example": row(), "reply": "r", "labels": [label]}
    bad = {"id": "2", "example": example, "reply": "r", "labels": [label, label]}
    found = checked(tmp_path, lines(good, bad))
    assert found.rows == 1
    assert [problem.field for problem in found.problems] == ["example.documents.1.id", "labels"]


@pytest.mark.parametrize("builder", [Musique, CommerceQA])
def test_a_named_reader_names_every_problem(tmp_path, builder):
    rows = [json.loads(one.model_dump_json()) for one in Musique({}).build("test", 3, 0)]
    del rows[0]["question"]
    rows[1]["questoin"] = "?"
    rows[2]["gold"]["kind"] = "answer"
    found = checked(tmp_path, lines(*rows), builder({}))
    assert [(p.level, p.line, p.field) for p in found.problems] == [
        ("error", 1, "question"),
        ("error", 2, "questoin"),
        ("error", 3, "gold"),
    ]
    assert found.problems[1].fix == "remove or rename it"


def test_readers_that_stop_at_the_first_error_are_served(tmp_path):
    class Reader:
        version = 1
        unit = "row"

        def read(self, path):
            yield Example(id="a", task="t", question="q", group="g")
            raise UsageError(f"{path}, line 4, price: not a number", "write 12.50")

        def build(self, split, size, seed): ...

    found = check(tmp_path / "x", Reader())
    (problem,) = found.problems
    assert (problem.line, problem.field, problem.message) == (4, "price", "not a number")
    assert (problem.fix, found.rows) == ("write 12.50", 1)


def test_first_fault_is_named_where_every_row_is_broken(tmp_path):
    (tmp_path / "rows.jsonl").write_bytes(b"{\n" * 30)
    with pytest.raises(UsageError, match="line 1: broken JSON"):
        list(records(tmp_path / "rows.jsonl"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\n\na,b\n1,2\n3,4\n", "looks like a table"),
        (gzip.compress("\ufeff编号\t问题\n1\t二\n".encode(), mtime=0), "looks like a table"),
        (b"just\nwords\n", "no line begins with {"),
        (json.dumps(row(tags=["a"]), indent=2).encode(), "one row must stand on one line"),
        (b'{"a": [\n{"b": 1}\n]}\n', "one row must stand on one line"),
    ],
)
def test_other_text_is_named_once(tmp_path, data, words):
    (problem,) = checked(tmp_path, data).problems
    assert words in problem.message
    assert problem.fix


def test_labelled_replies_are_no_examples(tmp_path):
    labelled = {"id": "1", "example": row(), "reply": "r", "labels": []}
    path = tmp_path / "labels.jsonl"
    path.write_bytes(lines(labelled))
    (problem,) = inspect_examples(path)
    assert "labelled replies, not questions" in problem.message


def test_unanswerable_musique_rows_are_told_as_the_task_tells_them(tmp_path):
    first, second = multihop("test", 2, 0)
    data = lines(first, {**second, "answerable": False})
    recognised, by_task = checked(tmp_path, data), checked(tmp_path, data, Musique({}))
    (warning,), (same,) = recognised.problems, by_task.problems
    assert (warning.level, warning.line) == (same.level, same.line) == ("warning", 2)
    assert "1 unanswerable row from here on" in warning.message
    assert "1 unanswerable row from here on" in same.message
    assert (recognised.rows, by_task.rows) == (2, 1)

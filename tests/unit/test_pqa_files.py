"""What every importer of product questions does with files as they come, and with hostile ones."""

from __future__ import annotations

import gzip
import json
import tracemalloc

import pytest
from support.tables import save, table

from lt_bench.builders import IMPORTERS
from lt_bench.builders.importers import epqa, hetpqa, semipqa
from lt_bench.errors import UsageError

AMAZON = {"asin": "B1", "questionText": "fits?", "review_snippets": ["it does"], "answers": []}
XPQA = ("qid", "lang", "ASIN", "question", "qa_id", "candidate", "label")
TABLES = {
    "epqa": (epqa.COLUMNS, ("q1", "does it\nfit?", "B1", "it does", "review", "c1", "Box", "2", "Yes")),
    "hetpqa": (hetpqa.RANKING, ("q1", "B1", "c1", "does it\nfit?", "it does", "1", "review")),
    "semipqa": (semipqa.RANKING, ("q1", "c1", "does it\nfit?", "fit:  { value:true }", "1")),
    "xpqa": (XPQA, ("q1", "zh", "B1", "能用\n吗", "c1", "it does", "2")),
}  # fmt: skip
OTHER_TABLES = {
    "hetpqa": (hetpqa.GENERATION, ("B1", "does it\nfit?", "it does", "yes", "review")),
    "semipqa": (semipqa.TEXTS, ("fit:\n { value:true }", "It fits.")),
}
BOTH = [*TABLES.items(), *OTHER_TABLES.items()]


def read(name, path):
    return list(IMPORTERS.get(name)({}).read(path))


@pytest.mark.parametrize(("name", "form"), BOTH)
def test_f89_every_form_of_a_table_gives_the_same_examples(tmp_path, name, form):
    header, row = form
    plain = table([row], header)
    (expected,) = read(name, save(tmp_path, plain))
    forms = [
        b"\xef\xbb\xbf" + plain.encode(),
        table([row], header, "\t").encode(),
        table([row], header, ";").encode(),
        plain.encode("utf-16"),
        gzip.compress(plain.encode(), mtime=0),
        table([(*row, "more")], (*header, "column")).encode(),
        table([row], [f" {column.upper()}" for column in header]).encode(),
        table([row[::-1]], header[::-1]).encode(),
        table([row], header, end="\r\n").encode() + b"\r\n",
    ]
    for data in forms:
        assert read(name, save(tmp_path, data)) == [expected], data[:60]
    assert expected.task == "commerce_qa"
    assert expected.group
    assert expected.gold.kind == "reference"
    assert set(expected.gold.relevance) == {document.id for document in expected.documents}


@pytest.mark.parametrize(("name", "form"), BOTH)
def test_broken_tables_are_refused_with_cause_and_fix(tmp_path, name, form):
    header, row = form
    plain = table([row], header)
    cases = {
        "is empty": "",
        "has no rows": table([], header),
        f"line 1: no column {header[-1]!r}": table([row], [*header[:-1], f"{header[-1]}_x"]),
        f"Did you mean '{header[-1]}_x'": table([row], [*header[:-1], f"{header[-1]}_x"]),
        f"cells where the header has {len(header)}": table([row, row[:-1]], header),
        "a double quote is open": plain + '"',
        "text after a closing double quote": plain + '"a"b\n',
        "is the header again": plain + plain,
        "holds a zero byte": table([row, ("a\0", *row[1:])], header),
        "is not UTF-8": plain.encode() + ",".join(["é"] * len(row)).encode("latin-1"),
        "UTF-16 text without a byte-order mark": plain.encode("utf-16-le"),
    }
    for words, data in cases.items():
        with pytest.raises(UsageError) as caught:
            read(name, save(tmp_path, data))
        assert words in caught.value.cause
        assert caught.value.fix
        assert str(caught.value).count("\n") < 6
    with pytest.raises(UsageError, match="is a folder"):
        read(name, tmp_path)
    with pytest.raises(UsageError, match="no such file"):
        read(name, tmp_path / "nowhere.csv")


@pytest.mark.parametrize(("name", "form"), TABLES.items())
def test_every_problem_of_a_table_is_named_and_the_rest_read(tmp_path, name, form):
    header, row = form
    other = [cell.replace("q1", "q2") for cell in row]
    label = header.index("label")
    bad_label = [*row[:label], "9", *row[label + 1 :]]
    data = table([row, row[:-1], [cell.replace("q1", "q3") for cell in bad_label], other], header)
    items = list(IMPORTERS.get(name)({}).inspect(save(tmp_path, data)))
    problems = [str(item) for item in items if hasattr(item, "message")]
    assert len(problems) == 2
    assert "cells where" in problems[0]
    assert "label: '9' is no label" in problems[1]
    assert len(items) == 4


@pytest.mark.parametrize(("name", "form"), TABLES.items())
def test_sorted_tables_are_streamed(tmp_path, name, form):
    header, row = form
    rows = []
    for number in range(400):
        cells = [cell.replace("q1", f"q{number}") for cell in row]
        rows += [[cell.replace("c1", f"c{at}") for cell in cells] for at in range(5)]
    path = save(tmp_path, table([[*cells, "x" * 1_500] for cells in rows], [*header, "more"]))
    tracemalloc.start()
    count = sum(len(example.documents) for example in IMPORTERS.get(name)({}).read(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 2_000
    assert peak < 1_500_000, f"{peak:,} bytes for a file of {path.stat().st_size:,}"


PREPARED = {
    "id": "q1",
    "question": "fits?",
    "product": {"asin": "B1", "title": "Box"},
    "evidence": [{"id": "c1", "source": "review", "text": "it does", "relevance": 2}],
}


@pytest.mark.parametrize(("name", "row"), [("amazonqa", AMAZON), ("epqa", PREPARED)])
def test_f89_json_lines_in_every_form(tmp_path, name, row):
    line = json.dumps(row).encode()
    (expected,) = read(name, save(tmp_path, line))
    for data in (
        b"\xef\xbb\xbf" + line + b"\r\n\r\n", gzip.compress(line, mtime=0), b"[" + line + b"]", b"\n" + line
    ):  # fmt: skip
        assert read(name, save(tmp_path, data)) == [expected]


@pytest.mark.parametrize(("name", "row"), [("amazonqa", AMAZON), ("epqa", PREPARED)])
def test_broken_json_lines_are_refused_with_line_and_fix(tmp_path, name, row):
    line = json.dumps(row)
    cases = {
        "line 2: broken JSON": line + "\n" + line[:-1],
        "line 1: broken JSON at column": line.replace("fits?", "\\ud83d"),
        "NaN": line[:-1] + ', "extra": NaN}',
        "is not UTF-8": line.replace("fits?", "é").encode("latin-1"),
        "UTF-16": line.encode("utf-16"),
        "not an object": line + "\n3",
        "is missing": '{"other": 1}',
    }
    for words, data in cases.items():
        with pytest.raises(UsageError) as caught:
            read(name, save(tmp_path, data))
        assert words in caught.value.cause
        assert caught.value.fix
    with pytest.raises(UsageError, match="is a folder"):
        read(name, tmp_path)
    with pytest.raises(UsageError, match=r"is empty|has no rows"):
        read(name, save(tmp_path, ""))


@pytest.mark.parametrize(
    ("name", "file", "other"),
    [
        ("semipqa", "hetpqa", "hetpqa"), ("semipqa", "epqa", "epqa"), ("hetpqa", "epqa", "epqa"),
        ("hetpqa", "xpqa", "xpqa"), ("semipqa", "xpqa", "xpqa"), ("epqa", "xpqa", "xpqa"),
    ],
)  # fmt: skip
def test_a_file_of_another_set_is_told(tmp_path, name, file, other):
    header, row = TABLES[file]
    with pytest.raises(UsageError, match=f"line 1: .* makes this a file of {other}") as caught:
        read(name, save(tmp_path, table([row], header)))
    assert caught.value.fix == f"import it as {other}"


@pytest.mark.parametrize("name", ["hetpqa", "semipqa", "xpqa"])
def test_json_is_no_table(tmp_path, name):
    for data in (json.dumps(PREPARED), "\ufeff" + json.dumps([PREPARED], indent=1)):
        with pytest.raises(UsageError, match="is JSON, not a table"):
            read(name, save(tmp_path, data))


def test_a_table_is_no_amazonqa(tmp_path):
    with pytest.raises(UsageError, match="line 1: broken JSON"):
        read("amazonqa", save(tmp_path, "asin,questionText\nB1,fits?\n"))


def test_a_json_line_of_65_mb_is_refused(tmp_path):
    path = save(tmp_path, b'{"asin":"' + b"x" * 65 * 2**20 + b'"}')
    with pytest.raises(UsageError, match="line 1: longer than"):
        read("amazonqa", path)


def test_a_long_snippet_is_read(tmp_path):
    row = {**AMAZON, "review_snippets": ["y" * 50 * 2**20]}
    (example,) = read("amazonqa", save(tmp_path, json.dumps(row)))
    assert len(example.documents[0].text) == 50 * 2**20

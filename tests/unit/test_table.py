"""Tables: every form people save them in, and what is said of those that are broken."""

from __future__ import annotations

import csv
import gzip
import os
import tracemalloc

import pytest
from support.tables import save, table

from lt_bench.builders.importers.table import (
    form_of,
    header,
    is_json,
    read_table,
    scan_table,
)
from lt_bench.builders.problem import Problem
from lt_bench.errors import UsageError

NAMES = ("id", "text", "note")
ROWS = [("1", 'says "yes",\nand means it', "a"), ("2", 'naïve 9" pipe; 50 %', "")]


def read(tmp_path, data, columns=NAMES, **other):
    rows = list(read_table(save(tmp_path, data), columns, **other))
    return [(row.line, tuple(row.values[name] for name in columns)) for row in rows]


@pytest.mark.parametrize(
    "data",
    [
        table(ROWS, NAMES),
        table(ROWS, NAMES, "\t"),
        table(ROWS, NAMES, ";"),
        "\ufeff" + table(ROWS, NAMES),
        table(ROWS, (" ID", "Text ", "NOTE")),
        table(ROWS, NAMES).encode("utf-16"),
        "\ufeff".encode("utf-16-be") + table(ROWS, NAMES).encode("utf-16-be"),
        gzip.compress(table(ROWS, NAMES).encode(), mtime=0),
        '"id","text","note"\n' + table(ROWS, NAMES).partition("\n")[2],
        table(ROWS, NAMES) + "\n,,\n\n",
    ],
    ids=["plain", "tab", "semicolon", "bom", "case", "utf16", "utf16be", "gzip", "quoted", "blank"],
)
def test_every_form_gives_the_same_rows_and_lines(tmp_path, data):
    assert read(tmp_path, data) == [(2, ROWS[0]), (4, ROWS[1])]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_of_windows_and_old_macs(tmp_path, end):
    rows = [("1", "a", "b"), ("2", "c,d", "e")]
    assert read(tmp_path, table(rows, NAMES, end=end)) == [(2, rows[0]), (3, rows[1])]


def test_other_columns_are_kept_and_other_names_known(tmp_path):
    path = save(tmp_path, "key,Text,extra\n1,a,b\n")
    (row,) = read_table(path, ("id", "text"), {"key": "id"})
    assert row.values == {"id": "1", "text": "a", "extra": "b"}
    assert header(path) == ("key", "Text", "extra")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"\n\n", "has no header"),
        (b"\xef\xbb\xbf", "is empty"),
        ("ids,text,note\n", "line 1: no column 'id'. Did you mean 'ids'?"),
        ("id,text,note,id\n", "line 1: two columns are called 'id'"),
        ("id,text,note\n1,a,b\n2,c\n", "line 3, row: 2 cells where the header has 3"),
        ("id,text,note\n1,a,b,c\n", "line 2, row: 4 cells where the header has 3"),
        ('id,text,note\n1,a,b\n2,"open,x\n3,y,z\n', "line 3: a double quote is open to the end"),
        ('id,text,note\n1,"in" side,b\n', "line 2: text after a closing double quote"),
        (b"id,text,note\n1,a,b\n2,caf\xe9,b\n", "line 3, text: byte 0xe9 is not UTF-8"),
        (b"id,text,note\n1,\xed\xa0\x80,b\n", "line 2, text: byte 0xed is not UTF-8"),
        (b"id,text,note\n1,a\0b,c\n", "line 2, text: holds a zero byte"),
        ("id,text,note\n1,a,b\n".encode("utf-16-le"), "UTF-16 text without a byte-order mark"),
        ("id,text,note\n1,a,b\n".encode("utf-16") + b"\0", "is broken utf-16"),
        (b"PK\x03\x04\x14\0", "is a spreadsheet or a zip archive"),
        (b"\x1f\x8b\x08broken", "is a damaged gzip file"),
        (gzip.compress(b"id,text,note\n1,a,b\n" * 99, mtime=0)[:-9], "is a damaged gzip file"),
    ],
    ids=range(17),
)  # fmt: skip
def test_broken_tables_are_refused_with_place_and_fix(tmp_path, data, words):
    with pytest.raises(UsageError) as caught:
        read(tmp_path, data)
    assert words in caught.value.cause
    assert str(tmp_path) in caught.value.cause
    assert caught.value.fix
    assert str(caught.value).count("\n") < 6
    assert len(str(caught.value)) < 600


def test_a_cell_of_50_mb_and_a_line_of_65_are_refused(tmp_path):
    quoted = 'id,text,note\n1,a,b\n2,"' + "line\n" * 10 * 2**20 + '",c\n'
    with pytest.raises(UsageError, match=r"line 3: a cell is over 16,777,216 characters"):
        read(tmp_path, quoted)
    with pytest.raises(UsageError, match=r"line 2: a cell is over 16,777,216 characters"):
        read(tmp_path, b"id,text,note\n1," + b"x" * 50 * 2**20 + b",b\n")
    with pytest.raises(UsageError, match=r"line 1: longer than 67,108,864 characters"):
        read(tmp_path, b"x" * 65 * 2**20)


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(UsageError, match="is a folder"):
        list(read_table(tmp_path))
    save(tmp_path, "id\n", "rows.csv")
    with pytest.raises(UsageError, match=r"no such file: .*\. Did you mean 'rows\.csv'\?"):
        list(read_table(tmp_path / "row.csv"))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="is a pipe"):
        list(read_table(tmp_path / "pipe"))


def test_scanning_goes_on_after_a_row_that_does_not_fit(tmp_path):
    data = b"id,text\n1,a\n2\n3,\xff\n4,\0\n5,b\n"
    found = list(scan_table(save(tmp_path, data), ("id", "text")))
    assert [item.line for item in found] == [2, 3, 4, 5, 6]
    assert [isinstance(item, Problem) for item in found] == [False, True, True, True, False]


def test_a_large_cell_is_read_and_the_limit_of_others_left_alone(tmp_path):
    before = csv.field_size_limit()
    path = save(tmp_path, f"id,text\n1,{'x' * 200_000}\n2,{'y' * 200_000}\n")
    one, other = read_table(path), read_table(path)
    for left, right in zip(one, other, strict=True):  # interleaved readers share the csv module
        assert left == right
        assert len(left.values["text"]) == 200_000
        assert csv.field_size_limit() == before


def test_rows_are_streamed(tmp_path):
    path = save(tmp_path, "id,text\n" + "".join(f"{i},{'z' * 500}\n" for i in range(20_000)))
    tracemalloc.start()
    count = sum(1 for _ in read_table(path, ("id",)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 1_000_000, f"{peak:,} bytes for a file of {path.stat().st_size:,}"


def test_forms_are_told_apart_by_their_headers(tmp_path):
    forms = (("id", "label"), ("text", "answer", "source"))
    assert form_of(save(tmp_path, "ID\tlabel\tmore\n"), *forms) == forms[0]
    assert form_of(save(tmp_path, "answer,source,text\n"), *forms) == forms[1]
    with pytest.raises(UsageError, match=r"no column 'source'\. Did you mean 'sources'") as caught:
        form_of(save(tmp_path, "answer,sources,text\n"), *forms)
    assert "id, label; or text, answer, source" in caught.value.fix


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a":1}', True), (b"\xef\xbb\xbf\n [", True), (gzip.compress(b" {", mtime=0), True),
        ('{"a":1}'.encode("utf-16"), True), (b"a,b\n{,[", False), (b"", False), (b"\xff", False),
    ],
)  # fmt: skip
def test_json_is_told_from_tables(tmp_path, data, expected):
    assert is_json(save(tmp_path, data)) is expected


def test_damaged_gzip_is_neither(tmp_path):
    with pytest.raises(UsageError, match="is a damaged gzip file"):
        is_json(save(tmp_path, b"\x1f\x8b\x08broken"))

"""Rows of a JSON Lines file, as files are found in the world (F89)."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from lt_bench import jsonl
from lt_bench.errors import UsageError
from lt_bench.jsonl import Broken, Line

ROWS = [{"id": "a", "text": "价格 99"}, {"id": "b", "text": "line\nbreak\u2028"}]


def read(path: Path, data: bytes | str, name: str = "rows.jsonl") -> list[Line]:
    file = path / name
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    return list(jsonl.read(file))


def refused(path: Path, data: bytes | str) -> str:
    with pytest.raises(UsageError) as caught:
        read(path, data)
    message = str(caught.value)
    assert "rows.jsonl" in message
    assert message.count("\n") == 1
    assert caught.value.fix
    return message


LINES = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)


@pytest.mark.parametrize(
    "data",
    [
        LINES.encode(),
        LINES.strip().encode(),
        b"\xef\xbb\xbf" + LINES.encode(),
        LINES.replace("\n", "\r\n").encode(),
        gzip.compress(LINES.encode(), mtime=0),
        gzip.compress(b"\xef\xbb\xbf" + LINES.replace("\n", "\r\n").encode(), mtime=0),
        json.dumps(ROWS).encode(),
        b"\xef\xbb\xbf" + json.dumps(ROWS, indent=1).encode(),
        gzip.compress(json.dumps(ROWS).encode(), mtime=0),
        b" \n\t" + json.dumps(ROWS).encode() + b"\n\n",
    ],
)
def test_f89_the_same_rows_from_every_form(tmp_path: Path, data: bytes) -> None:
    assert [line.data for line in read(tmp_path, data)] == ROWS


def test_gzip_is_told_by_its_bytes_not_its_name(tmp_path: Path) -> None:
    assert read(tmp_path, LINES, name="rows.jsonl.gz")[0].data == ROWS[0]


def test_lines_are_numbered_as_an_editor_does(tmp_path: Path) -> None:
    assert read(tmp_path, '\n{"a": 1}\r\n \r\n\n{"a": 2}') == [Line(2, {"a": 1}), Line(5, {"a": 2})]
    array = read(tmp_path, '[\n {"a": 1},\n {\n  "a": 2\n }\n]')
    assert array == [Line(2, {"a": 1}), Line(3, {"a": 2})]


@pytest.mark.parametrize(
    "data", ["", "\n\n", "[]", " [ ] ", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)]
)
def test_a_file_without_rows_has_none(tmp_path: Path, data: bytes | str) -> None:
    assert read(tmp_path, data) == []


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ('{"a": 1}\n' * 6 + '{"a": ', "line 7: broken JSON at column 7"),
        ('{"a": 1}}', "line 1: broken JSON"),
        ("{'a': 1}", "line 1: broken JSON"),
        ('{\n "a": 1\n}', "line 1: broken JSON"),
        ('{"a": 1}\n{"a": NaN}', "line 2: broken JSON"),
        ('{"a": 1e999}', "line 1: broken JSON"),
        ('{"a": 1}\n"x"', "line 2: a JSON string, not an object"),
        ('{"a": 1}\n[1]', "line 2: a JSON array, not an object"),
        ("3", "line 1: a JSON number, not an object"),
        ("null", "line 1: a JSON null, not an object"),
        ('{"a": "\\ud83d"}', "line 1: broken JSON"),
        (b'{"a": 1}\n{"a": "caf\xe9"}', "line 2: byte 0xe9 is not UTF-8"),
        ("[" * 100_000, "line 1: broken JSON"),
        ("{" * 100_000, "line 1: broken JSON"),
        ('[{"a": 1},\n 3]', "line 2: a JSON number, not an object"),
        ('[{"a": 1}\n {"b": 2}]', "line 2: no comma"),
        ('[{"a": 1},\n\n{"a":', "line 3: the array is not closed"),
        ('[{"a": 1},', "line 1: the array is not closed"),
        ('[{"a": 1}', "line 1: the array is not closed"),
        ('[{"a": 1},\n{"a": x}]', "line 2: broken JSON"),
        ('[{"a": 1},\n{"a": NaN}]', "line 2: broken JSON"),
        ('[{"a": 1}]\nx', "line 2: text after the end of the array"),
        (b'[\n{"a": "\xff"}]', "line 2: byte 0xff is not UTF-8"),
    ],
)
def test_a_broken_row_is_named_with_its_line(tmp_path: Path, data: bytes | str, words: str) -> None:
    assert words in refused(tmp_path, data)


def test_rows_before_the_broken_one_are_given(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"a": 1}\n{')
    rows = jsonl.read(file)
    assert next(rows).data == {"a": 1}
    with pytest.raises(UsageError, match="line 2"):
        next(rows)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"PK\x03\x04....", "a zip archive"),
        (b"\x28\xb5\x2f\xfd....", "Zstandard"),
        (b"PAR1....", "Parquet"),
        ('{"a": 1}'.encode("utf-16"), "UTF-16"),
        (gzip.compress(LINES.encode(), mtime=0)[:-9], "damaged gzip"),
        (gzip.compress(LINES.encode(), mtime=0)[:20] + b"\0" * 40, "damaged gzip"),
    ],
)
def test_files_of_another_kind(tmp_path: Path, data: bytes, words: str) -> None:
    assert words in refused(tmp_path, data)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").touch()
    with pytest.raises(UsageError, match=r"no such file: .*row\.jsonl.*Did you mean 'rows.jsonl'"):
        jsonl.read(tmp_path / "row.jsonl")
    with pytest.raises(UsageError, match="is a folder"):
        jsonl.read(tmp_path)
    with pytest.raises(UsageError, match="no such file"):
        jsonl.read(tmp_path / "no" / "rows.jsonl")
    with pytest.raises(UsageError, match="cannot read"):
        jsonl.read(tmp_path / ("x" * 300))


def test_a_small_gzip_file_cannot_fill_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "MAX_UNPACKED", 10_000)
    assert "unpacks to more than 10,000 bytes" in refused(
        tmp_path, gzip.compress(LINES.encode() * 999, mtime=0)
    )
    assert len(read(tmp_path, LINES * 999)) == 2 * 999


def test_one_endless_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_LINE", 1000)
    row = json.dumps({"a": "x" * 2000})
    assert "line 2: longer than 1,000 bytes" in refused(tmp_path, '{"a": 1}\n' + row)
    assert "line 1: longer than 1,000 bytes" in refused(
        tmp_path, gzip.compress(row.encode(), mtime=0)
    )
    assert len(read(tmp_path, json.dumps([{"a": 1}] * 500))) == 500


def test_an_array_too_large_for_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_ARRAY", 1000)
    assert "a JSON array over 1,000 bytes" in refused(tmp_path, json.dumps([{"a": 1}] * 500))


def test_every_broken_line_is_told_and_the_others_are_given(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b'{"a": 1}\n{\n{"a": NaN}\n"x"\n{"a": "\xff"}\n{"a": 2}\n')
    found = list(jsonl.scan(file))
    assert [item.number for item in found] == [1, 2, 3, 4, 5, 6]
    assert [item.data for item in found if isinstance(item, Line)] == [{"a": 1}, {"a": 2}]
    assert all(item.message and item.fix for item in found if isinstance(item, Broken))


def test_a_line_too_long_is_passed_over_and_the_next_one_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "MAX_LINE", 1000)
    file = tmp_path / "rows.jsonl"
    file.write_text('{"a": 1}\n' + json.dumps({"a": "x" * 5000}) + '\n{"a": 2}\n')
    one, long, two = jsonl.scan(file)
    assert (one, two) == (Line(1, {"a": 1}), Line(3, {"a": 2}))
    assert isinstance(long, Broken)
    assert "longer than 1,000 bytes" in long.message


@pytest.mark.parametrize(
    ("data", "words", "fix"),
    [
        ('{"价": "\\ud83d"}', "half a character (a lone surrogate)", "the whole character"),
        ('{"a": "\\udc00"}', "half a character (a lone surrogate)", "the whole character"),
        ('{"价格价格": NaN}', "NaN and Infinity are no JSON", "write null"),
        ('{"a": [1, -Infinity]}', "NaN and Infinity are no JSON", "write null"),
        ('[{"a": Infinity}]', "NaN and Infinity are no JSON", "write null"),
        ('{"a": "' + "9" * 5000 + '", "b": ' + "9" * 400 + "}", "broken JSON", "one JSON object"),
    ],
)
def test_what_json_does_not_have_is_said_by_its_name(
    tmp_path: Path, data: str, words: str, fix: str
) -> None:
    message = refused(tmp_path, data)
    assert words in message
    assert fix in message


@pytest.mark.parametrize("number", [2**63, 2**64, -(2**63) - 1, 10**30, 9007199254740993])
def test_large_integers_keep_every_digit(tmp_path: Path, number: int) -> None:
    text = f'{{"a": {number}, "b": [{number}, {{"c":{number} }}], "s": ": {number},"}}'
    (line,) = read(tmp_path, text)
    assert line.data == {"a": number, "b": [number, {"c": number}], "s": f": {number},"}


@pytest.mark.parametrize("data", ['{"a": 1}'.encode("utf-16-le"), b"\x7fELF\x02\x01\0\0", b"\0"])
def test_zero_bytes_are_no_text(tmp_path: Path, data: bytes) -> None:
    assert "holds zero bytes" in refused(tmp_path, data)


def test_a_line_of_fifty_megabytes_is_a_row(tmp_path: Path) -> None:
    text = "x" * (50 * 2**20)
    one, two = read(tmp_path, json.dumps({"a": text}) + '\n{"a": 1}\n')
    assert one.data == {"a": text}
    assert two.number == 2


def test_pipes_and_devices_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="is a pipe, not a file"):
        jsonl.read(tmp_path / "pipe")
    with pytest.raises(UsageError, match="is a device or a socket, not a file"):
        jsonl.read(Path("/dev/null"))
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(UsageError, match="cannot read"):
        jsonl.read(tmp_path / "loop")


def test_blank_lines_without_end_are_refused_soon(tmp_path, monkeypatch):
    monkeypatch.setattr(jsonl, "MAX_BLANK", 1000)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}' + b"\n" * 1001 + b'{"a": 2}', mtime=0))
    assert len(list(jsonl.read(path))) == 2
    path.write_bytes(gzip.compress(b'{"a": 1}' + b"\n" * 1100, mtime=0))
    with pytest.raises(UsageError, match="line 1002: more than 1,000 blank lines"):
        list(jsonl.read(path))

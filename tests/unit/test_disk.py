"""Files of a run are replaced in one step, and a refusal says what is to be done."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lt_bench.errors import RunError
from lt_bench.run.disk import cannot_write, replace_lines, write_whole


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    write_whole(path, "old 天气")
    write_whole(path, "new")
    assert path.read_text() == "new\n"
    assert [one.name for one in tmp_path.iterdir()] == ["card.json"]


def test_a_write_that_breaks_off_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    write_whole(path, "old")

    def lines() -> Iterator[bytes]:
        yield b"new\n"
        raise RunError("a journal is damaged")

    with pytest.raises(RunError, match="damaged"):
        replace_lines(path, lines())
    assert path.read_text() == "old\n"
    assert [one.name for one in tmp_path.iterdir()] == ["scores.jsonl"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "card.json").mkdir()
    with pytest.raises(RunError, match=r"cannot write .*card\.json") as caught:
        write_whole(tmp_path / "card.json", "x")
    assert "rights" in caught.value.fix
    assert [one.name for one in tmp_path.iterdir()] == ["card.json"]


@pytest.mark.parametrize(
    ("code", "cure"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EDQUOT, "free some space"),
        (errno.EFBIG, "free some space"),
        (errno.EROFS, "rights"),
        (errno.EACCES, "rights"),
        (errno.EIO, "see to the disk"),
    ],
)
def test_the_cure_fits_the_cause(code: int, cure: str) -> None:
    error = cannot_write(Path("runs/r/card.json"), OSError(code, os.strerror(code)))
    assert os.strerror(code) in error.cause
    assert cure in error.fix
    assert "same command again" in error.fix

"""The journal keeps every finished row through kills, full disks and hostile text."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from lt_bench.errors import RunError
from lt_bench.records import Failure, Sample, SampleKey
from lt_bench.run.journal import Journal


def sample(index: int, message: str = "boom") -> Sample:
    key = SampleKey(example_id=f"row-{index}", sample_index=0, request_sha="0" * 64)
    return Sample(key=key, status="error", failure=Failure(kind="server", message=message))


def journal(path: Path) -> Journal[Sample]:
    return Journal(path / "generations.jsonl", Sample)


def write(path: Path, *samples: Sample) -> None:
    with journal(path) as open_journal:
        for one in samples:
            open_journal.append(one)


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    rows = [sample(i) for i in range(200)]
    write(tmp_path, *rows)
    assert list(journal(tmp_path)) == rows


@pytest.mark.parametrize(
    "text", ["\u2028\u2029\x85 line ends", "\x1b[31m red", '{"a": 1}\n\n', "\x00", "𝕏 无 ﷽"]
)
def test_hostile_text_stays_one_line(tmp_path: Path, text: str) -> None:
    write(tmp_path, sample(0, text), sample(1))
    assert list(journal(tmp_path)) == [sample(0, text), sample(1)]
    assert (tmp_path / "generations.jsonl").read_bytes().count(b"\n") == 2


@pytest.mark.parametrize("keep", [1, 20, -1])
def test_a_torn_last_line_is_owed_again_and_harms_no_other(tmp_path: Path, keep: int) -> None:
    write(tmp_path, sample(0), sample(1))
    path = tmp_path / "generations.jsonl"
    whole, torn = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(whole + torn[:keep])
    assert list(journal(tmp_path)) == [sample(0)]
    write(tmp_path, sample(2))
    assert list(journal(tmp_path)) == [sample(0), sample(2)]


def test_a_file_that_is_one_torn_line_starts_afresh(tmp_path: Path) -> None:
    (tmp_path / "generations.jsonl").write_bytes(b'{"key": ' + b"x" * 200_000)
    write(tmp_path, sample(0))
    assert list(journal(tmp_path)) == [sample(0)]


def test_a_broken_line_in_the_middle_is_named_and_not_skipped(tmp_path: Path) -> None:
    write(tmp_path, *(sample(i) for i in range(3)))
    path = tmp_path / "generations.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"{oops}\n" + lines[2])
    with pytest.raises(RunError, match="line 2 is not a Sample"):
        list(journal(tmp_path))


def test_a_full_disk_cuts_off_the_half_row_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, sample(0))
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:10]))
    with journal(tmp_path) as open_journal, pytest.raises(RunError, match="no space left"):
        open_journal.append(sample(1))
    monkeypatch.undo()
    assert list(journal(tmp_path)) == [sample(0)]
    write(tmp_path, sample(1))
    assert list(journal(tmp_path)) == [sample(0), sample(1)]


def test_a_write_that_fails_is_a_run_error_with_a_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with journal(tmp_path) as open_journal:
        monkeypatch.setattr(os, "write", fail)
        with pytest.raises(RunError, match="No space left") as caught:
            open_journal.append(sample(0))
        monkeypatch.undo()
    assert "run the same command again" in caught.value.fix


def test_groups_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(file) or real(file))
    write(tmp_path, *(sample(i) for i in range(200)))
    assert 4 <= len(synced) < 200


def test_half_a_character_is_kept_as_the_sign_for_it(tmp_path: Path) -> None:
    """A reply with a lone surrogate must not end the run of all the other rows."""
    with journal(tmp_path) as open_journal:
        kept = open_journal.append(sample(0, "a \ud83d b \ud83d\ude00"))
        whole = open_journal.append(sample(1, "plain"))
    assert kept == sample(0, "a \ufffd b \U0001f600")
    assert whole == sample(1, "plain")
    assert list(journal(tmp_path)) == [kept, whole]


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "generations.jsonl").mkdir()
    with pytest.raises(RunError, match="cannot write"), journal(tmp_path):
        pass
    assert list(journal(tmp_path)) == []


def test_a_torn_line_that_cannot_be_cut_off_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, sample(0))
    with (tmp_path / "generations.jsonl").open("ab") as file:
        file.write(b"torn")

    def fail(file: int, size: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    closed: list[int] = []
    close = os.close
    monkeypatch.setattr(os, "close", lambda file: closed.append(file) or close(file))
    monkeypatch.setattr(os, "ftruncate", fail)
    with pytest.raises(RunError, match=r"cannot write .*generations\.jsonl"), journal(tmp_path):
        pass
    assert len(closed) == 1


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "generations.jsonl")
    assert list(journal(tmp_path)) == []

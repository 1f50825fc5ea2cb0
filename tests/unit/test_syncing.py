"""Rows reach the disk in groups, beside the work, and whoever waits too long is held up."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lt_bench.errors import RunError
from lt_bench.records import Failure, Sample, SampleKey
from lt_bench.run.journal import Journal
from lt_bench.run.syncing import GROUP_ROWS, GROUP_SECONDS


def sample(index: int) -> Sample:
    key = SampleKey(example_id="x", sample_index=index, request_sha="a" * 64)
    return Sample(key=key, status="error", failure=Failure(kind="server", message="boom"))


class Disk:
    """Counts the rows that are on the disk: those written before the last fsync began."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float = 0.0) -> None:
        self.written = self.safe = self.syncs = 0
        self.most_at_risk = 0
        self.threads: set[int] = set()
        write, fsync = os.write, os.fsync

        def counted_write(file: int, data: bytes) -> int:
            self.written += 1
            return write(file, data)

        def counted_fsync(file: int) -> None:
            before = self.written
            self.most_at_risk = max(self.most_at_risk, before - self.safe)
            time.sleep(seconds)
            fsync(file)
            self.safe, self.syncs = before, self.syncs + 1
            self.threads.add(threading.get_ident())

        monkeypatch.setattr(os, "write", counted_write)
        monkeypatch.setattr(os, "fsync", counted_fsync)


@pytest.mark.parametrize("seconds", [0.0, 0.02])
def test_no_more_than_a_group_is_ever_at_risk(
    seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch, seconds)
    with Journal(tmp_path / "generations.jsonl", Sample) as journal:
        for index in range(10 * GROUP_ROWS):
            journal.append(sample(index))
            assert disk.written - disk.safe <= GROUP_ROWS
    assert disk.safe == disk.written == 10 * GROUP_ROWS
    assert disk.syncs <= 10 * 3


def test_the_disk_is_not_waited_for_while_rows_come_slowly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch, 0.05)
    with Journal(tmp_path / "generations.jsonl", Sample) as journal:
        disk.threads.clear()  # opening a new journal brings its name to the disk
        longest = 0.0
        for index in range(2 * GROUP_ROWS):
            began = time.thread_time()
            journal.append(sample(index))
            longest = max(longest, time.thread_time() - began)
            time.sleep(0.002)
        assert threading.get_ident() not in disk.threads
    assert disk.safe == 2 * GROUP_ROWS


def test_a_lone_row_is_safe_after_a_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(monkeypatch)
    with Journal(tmp_path / "generations.jsonl", Sample) as journal:
        journal.append(sample(0))
        deadline = time.monotonic() + 20 * GROUP_SECONDS
        while not disk.safe and time.monotonic() < deadline:
            time.sleep(0.01)
        assert disk.safe == 1


def fill(path: Path, rows: int, after: Callable[[], None]) -> None:
    """Writes one row, has something happen, and writes the others."""
    with Journal(path, Sample) as journal:
        journal.append(sample(0))
        after()
        for index in range(1, rows):
            journal.append(sample(index))


def test_a_disk_that_fails_beside_the_work_is_told_at_the_next_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    path = tmp_path / "generations.jsonl"
    with pytest.raises(RunError, match="Input/output error") as caught:
        fill(path, 10 * GROUP_ROWS, lambda: monkeypatch.setattr(os, "fsync", fail))
    assert "run the same command again" in caught.value.fix


def test_a_file_that_is_deleted_is_missed(tmp_path: Path) -> None:
    path = tmp_path / "generations.jsonl"
    with pytest.raises(RunError, match="was deleted while the run went on"):
        fill(path, 2 * GROUP_ROWS, path.unlink)


def test_no_thread_is_left_behind(tmp_path: Path) -> None:
    before = threading.active_count()
    for index in range(5):
        with Journal(tmp_path / "generations.jsonl", Sample) as journal:
            journal.append(sample(index))
    assert threading.active_count() == before

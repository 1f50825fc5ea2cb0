"""One process writes a run; others wait, and a disk without locks is no reason to stop."""

from __future__ import annotations

import errno
import fcntl
from pathlib import Path

import pytest

from lt_bench.errors import RunError, UsageError
from lt_bench.run import lock


def test_a_run_that_is_written_is_neither_written_nor_read_by_others(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    with lock.written(path):
        for other in (lock.written(path), lock.read(path)):
            with pytest.raises(UsageError, match="being written by another process"), other:
                pass
    with lock.written(path):
        pass


def test_readers_do_not_wait_for_each_other_and_hold_up_the_writer(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    path.touch()
    with lock.read(path), lock.read(path), pytest.raises(UsageError), lock.written(path):
        pass


def test_a_run_without_a_lock_file_is_read_all_the_same(tmp_path: Path) -> None:
    with lock.read(tmp_path / ".lock"):
        assert not (tmp_path / ".lock").exists()


def test_a_lock_file_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / ".lock").mkdir()
    with pytest.raises(RunError, match=r"cannot write .*\.lock"), lock.written(tmp_path / ".lock"):
        pass


def test_a_disk_that_knows_no_locks_does_not_stop_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(file: int, how: int) -> None:
        raise OSError(errno.EOPNOTSUPP, "not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with lock.written(tmp_path / ".lock"):
        pass

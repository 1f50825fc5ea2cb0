"""Whether the process that works on a run still lives."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lt_bench.run.session import Session, mark, read


def session(pid: int, host: str | None = None, born: int | None = None) -> Session:
    name = socket.gethostname() if host is None else host
    return Session(pid=pid, host=name, began=time.time(), answered=0, born=born)


def test_what_a_process_writes_of_itself_says_that_it_lives(tmp_path: Path) -> None:
    (tmp_path / "journal").write_bytes(b"12345")
    mark(tmp_path / "lock", tmp_path / "journal")
    found = read(tmp_path / "lock")
    assert found is not None
    assert (found.pid, found.answered) == (os.getpid(), 5)
    assert found.alive


def test_a_process_that_ended_does_not_live() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert not session(ended.pid).alive


def test_a_process_of_another_machine_is_not_known_to_live() -> None:
    assert not session(os.getpid(), host="elsewhere").alive


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell")
def test_a_later_process_of_the_same_number_is_another_one(tmp_path: Path) -> None:
    """In containers the numbers are small and come again after every start."""
    mark(tmp_path / "lock", tmp_path / "journal")
    found = read(tmp_path / "lock")
    assert found is not None
    assert found.born is not None
    assert not found.model_copy(update={"born": found.born - 1}).alive


def test_a_lock_of_an_earlier_lt_bench_is_still_read(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text(
        f'{{"pid":{os.getpid()},"host":"{socket.gethostname()}","began":1.0,"answered":0}}'
    )
    found = read(tmp_path / "lock")
    assert found is not None
    assert found.alive


@pytest.mark.parametrize("text", ["", '{"pid":', "\x00", "[]"])
def test_a_lock_that_says_nothing_is_nobodys(tmp_path: Path, text: str) -> None:
    (tmp_path / "lock").write_text(text)
    assert read(tmp_path / "lock") is None

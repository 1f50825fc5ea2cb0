"""Batches and commands that die: the next one goes on with what is at the server, and pays nothing twice."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.batch_server import BatchServer, Plan, by_call, serve_batches
from support.server import Reply, by_substring, hashed

from lt_bench.backends import Request
from lt_bench.backends.openai.backend import open_openai
from lt_bench.backends.openai.batch import batches, entry
from lt_bench.backends.openai.batch.asked import Asked
from lt_bench.backends.openai.batch.ledger import KEPT, Ledger
from lt_bench.backends.openai.dialect import Dialect
from lt_bench.config import Sampling
from lt_bench.errors import RunError
from lt_bench.records import Generation, Message, Prompt

QUICK = {"batch": True, "batch_gather": 0.05, "batch_poll": 0.02, "backoff": 0.01}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LT_BENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(batches, "SETTLED", 0.3)
    return tmp_path / "cache"


def question(text: str) -> Request:
    prompt = Prompt(messages=(Message(role="user", content=text),))
    return Request(prompt, Sampling(), example_id=text, sample_index=0)


def questions(count: int) -> list[Request]:
    return [question(f"question {number}") for number in range(count)]


def files(cache: Path) -> list[Path]:
    return sorted(cache.glob("batches/*/*.jsonl"))


class Died(Exception):
    """The command ends here."""


async def ask(url: str, requests: list[Request], options: dict[str, Any]) -> list[Any]:
    async with open_openai("m", {"base_url": url, **QUICK, **options}) as backend:
        work = (backend.generate(request) for request in requests)
        return await asyncio.gather(*work, return_exceptions=True)


def asked(server: BatchServer, requests: list[Request], **options: Any) -> list[str]:
    """The replies of a command that comes to its end."""
    outcomes = asyncio.run(ask(server.url, requests, options))
    assert all(isinstance(outcome, Generation) for outcome in outcomes), outcomes
    return [outcome.reply for outcome in outcomes]


def dies(
    server: BatchServer, requests: list[Request], when: Callable[[], bool], **options: Any
) -> None:
    """A command that ends as soon as `when`, in whatever it was doing."""

    async def main() -> None:
        async with open_openai("m", {"base_url": server.url, **QUICK, **options}) as backend:
            tasks = [asyncio.ensure_future(backend.generate(request)) for request in requests]
            while not when():  # noqa: ASYNC110 - the server is in another thread
                await asyncio.sleep(0.002)
            for task in tasks:
                task.cancel()
            raise Died

    with pytest.raises(Died):
        asyncio.run(main())


def calls(server: BatchServer, name: str) -> int:
    return server.stats.calls[name]


def paid_once(server: BatchServer, requests: int) -> None:
    assert set(server.stats.executed.values()) == {1}
    assert len(server.stats.executed) == requests


def test_a_batch_that_was_begun_is_gone_on_with(
    cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "lt_bench")
    with serve_batches(hashed(), [Plan(polls=8)]) as server:
        dies(server, questions(3), lambda: calls(server, "GET /batches/ID") == 2)
        assert len(files(cache)) == 1
        assert "batch_1 goes on at the server; the same command picks it up" in caplog.text
        assert len(asked(server, questions(3))) == 3
        assert "going on with batch_1, begun 0.0 hours ago, for 3 requests" in caplog.text
        assert calls(server, "POST /batches") == calls(server, "POST /files") == 1
        paid_once(server, 3)
    assert files(cache) == []


def test_a_batch_whose_id_never_came_is_found_by_its_tag(cache: Path) -> None:
    hold = by_call({"POST /batches": [Reply(delay=5.0)]})
    with serve_batches(hashed(), [Plan(polls=2)], hold) as server:
        dies(server, questions(3), lambda: len(server.batches) == 1)
        assert '"batch"' not in files(cache)[0].read_text()
        assert len(asked(server, questions(3))) == 3
        assert len(server.batches) == 1
        paid_once(server, 3)
    assert files(cache) == []


def test_it_is_found_behind_many_others(cache: Path) -> None:
    hold = by_call({"POST /batches": [Reply(delay=5.0)]})
    with serve_batches(hashed(), [Plan(polls=2)], hold) as server:
        dies(server, questions(3), lambda: len(server.batches) == 1)
        for _ in range(250):
            server._make(
                {"input_file_id": "file-1", "metadata": {}, "endpoint": "/v1/chat/completions"}
            )
        assert len(asked(server, questions(3))) == 3
        assert calls(server, "GET /batches") == 3
        paid_once(server, 3)


def test_a_batch_that_was_never_made_is_made(cache: Path) -> None:
    hold = by_call({"POST /batches": [Reply(fault="disconnect")] * 99})
    with serve_batches(hashed(), fault=hold) as server:
        dies(server, questions(3), lambda: calls(server, "POST /batches") == 1, backoff=60.0)
        assert not server.batches
        server.fault = by_call({})
        assert len(asked(server, questions(3))) == 3
        assert len(server.batches) == 1
        paid_once(server, 3)
    assert files(cache) == []


def test_an_upload_that_was_cut_is_made_again_without_a_look_at_the_server(cache: Path) -> None:
    hold = by_call({"POST /files": [Reply(delay=5.0)]})
    with serve_batches(hashed(), fault=hold) as server:
        dies(server, questions(3), lambda: calls(server, "POST /files") == 1)
        assert len(files(cache)) == 1
        assert len(asked(server, questions(3))) == 3
        assert calls(server, "GET /batches") == 0
        paid_once(server, 3)
    assert files(cache) == []


def test_answers_that_were_on_their_way_are_read_again(cache: Path) -> None:
    """Ended while reading: what was handed out may not have been kept."""
    hold = by_call({"GET /files/ID/content": [Reply(delay=5.0)]})
    with serve_batches(hashed(), fault=hold) as server:
        dies(server, questions(3), lambda: calls(server, "GET /files/ID/content") == 1)
        assert len(asked(server, questions(2))) == 2  # the third was kept, it seems
        paid_once(server, 3)
        assert len(files(cache)) == 1, "the third may still be asked for"
        assert len(asked(server, questions(3))) == 3
        paid_once(server, 3)
    assert files(cache) == []


def test_a_second_batch_of_what_the_first_left_is_gone_on_with(cache: Path) -> None:
    script = by_substring({"question 1": [Reply(status=500), Reply("Red.")]})
    with serve_batches(script, [Plan(), Plan(polls=50)]) as server:
        dies(server, questions(3), lambda: calls(server, "GET /batches/ID") > 3)
        assert len(files(cache)) == 2
        server.batches["batch_2"].plan = Plan()
        outcomes = asyncio.run(ask(server.url, questions(3), {}))
        assert [outcome.turns[0].attempts for outcome in outcomes] == [1, 2, 1]
        assert sorted(server.stats.executed.values()) == [1, 1, 2]
    assert files(cache) == []


def test_an_expired_batch_is_asked_again_once_whoever_sees_it(cache: Path) -> None:
    plans = [Plan(status="expired", answered=1), Plan(status="expired", answered=0, polls=50)]
    with serve_batches(hashed(), plans) as server:
        dies(server, questions(3), lambda: calls(server, "GET /batches/ID") > 3)
        server.batches["batch_2"].plan = Plan(status="expired", answered=0)
        one, two, _ = asyncio.run(ask(server.url, questions(3), {}))
        assert isinstance(one, Generation)
        assert (two.kind, two.attempts) == ("timeout", 2)
        assert len(server.batches) == 2


def test_a_batch_that_the_server_does_not_know_is_not_paid_again(cache: Path) -> None:
    with serve_batches(hashed(), [Plan(polls=50)]) as server:
        dies(server, questions(3), lambda: calls(server, "GET /batches/ID") == 2)
        server.batches.clear()
        (outcome, *_) = asyncio.run(ask(server.url, questions(3), {}))
        assert isinstance(outcome, RunError)
        assert "does not know batch_1, which was asked for 3 of these rows" in outcome.cause
        (path,) = files(cache)
        assert str(path) in outcome.fix
        path.unlink()
        assert calls(server, "POST /batches") == 1


def test_the_batch_of_another_command_is_left_alone(cache: Path) -> None:
    with serve_batches(hashed(), [Plan(polls=20), Plan()]) as server:
        dies(server, questions(3), lambda: calls(server, "GET /batches/ID") == 2)
        assert len(asked(server, [question("another")])) == 1
        assert len(files(cache)) == 1
        assert len(asked(server, questions(3))) == 3
        paid_once(server, 4)
    assert files(cache) == []


def test_another_model_or_server_is_another_ledger(cache: Path) -> None:
    with serve_batches(hashed(), [Plan(polls=20)]) as server, serve_batches(hashed()) as other:
        dies(server, questions(1), lambda: calls(server, "GET /batches/ID") == 2)
        assert len(asked(other, questions(1))) == 1
        paid_once(other, 1)
    assert len(files(cache)) == 1


def test_answers_that_were_handed_out_in_peace_are_asked_for_anew(cache: Path) -> None:
    """A finished command leaves nothing: the next one asks again, as it would without batches."""
    with serve_batches(hashed()) as server:
        asked(server, questions(2))
        asked(server, questions(2))
        assert set(server.stats.executed.values()) == {2}


def test_what_is_on_disk_holds_neither_prompt_nor_answer_nor_key(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINE", "sk-0123456789abcdef")
    with serve_batches(hashed(), [Plan(polls=20)]) as server:
        requests = [question("private words")]
        when = lambda: calls(server, "GET /batches/ID") == 2  # noqa: E731
        dies(server, requests, when, api_key_env="MINE")
    kept = [path for path in cache.rglob("*") if path.is_file()]
    assert len(kept) == 2
    for path in kept:
        assert path.stat().st_mode & 0o077 == 0
        for word in (b"private", b"sk-0123", b"heater", b"127.0.0.1"):
            assert word not in path.read_bytes()


# --- The ledger itself -----------------------------------------------------------------------


def begun(folder: Path, names: list[str], **more: Any) -> Path:
    """A ledger's file as a command that died has left it."""

    async def begin() -> Path:
        ledger = Ledger(folder)
        ledger.holding([])
        asked = [Asked(name, question(name), **more) for name in names]
        entry = ledger.begin(asked, Dialect(stream=False))
        entry.uploaded("file-1")
        entry.created("batch_1")
        ledger.close(in_peace=False)
        return entry.path

    return asyncio.run(begin())


def found(folder: Path, names: list[str]) -> dict[str, list[str]]:
    ledger = Ledger(folder)
    try:
        return {entry.batch: held for entry, held in ledger.holding(names).items()}
    finally:
        ledger.close(in_peace=False)


def test_the_newest_batch_of_a_request_counts(tmp_path: Path) -> None:
    begun(tmp_path, ["a", "b"])
    path = begun(tmp_path, ["b", "c"])
    path.write_text(path.read_text() + json.dumps({"batch": "batch_2"}) + "\n")
    assert found(tmp_path, ["a", "b", "c", "d"]) == {"batch_2": ["b", "c"], "batch_1": ["a"]}


def test_attempts_are_remembered(tmp_path: Path) -> None:
    begun(tmp_path, ["a", "b"], attempts=3, expired=True)
    ledger = Ledger(tmp_path)
    (entry,) = ledger.holding(["b"])
    one = Asked("b", question("b"))
    entry.recall(one)
    assert (one.attempts, one.expired) == (3, True)
    ledger.close(in_peace=True)
    assert entry.path.exists(), "nothing of it was handed out"


@pytest.mark.parametrize("cut", [1, 5, 30])
def test_a_torn_last_line_is_as_if_it_had_not_been_begun(tmp_path: Path, cut: int) -> None:
    path = begun(tmp_path, ["a"])
    data = path.read_bytes()
    assert len(data.splitlines()[-1]) < 30
    path.write_bytes(data[:-cut] if cut < 20 else data + b'{"handed":[0')
    expected = "batch_1" if cut >= 20 else ""
    assert found(tmp_path, ["a"]) == {expected: ["a"]}
    assert path.read_bytes().endswith(b"\n")


@pytest.mark.parametrize("data", [b"", b'{"tag": "x"', b"\xff"])
def test_a_file_without_an_intention_is_swept_away(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "lt-bench-1.jsonl"
    path.write_bytes(data)
    assert found(tmp_path, ["a"]) == {}
    assert not path.exists()


@pytest.mark.parametrize("broken", [b"\0" * 20, b'{"file":"fi', b"\xff"])
def test_what_stands_around_a_broken_line_counts(tmp_path: Path, broken: bytes) -> None:
    """As after a power cut, which leaves noughts where lines were not on the disk yet."""
    path = begun(tmp_path, ["a", "b"])
    first, _, created = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([first, broken, created]) + b"\n")
    assert found(tmp_path, ["a", "b"]) == {"batch_1": ["a", "b"]}


@pytest.mark.parametrize(
    "first",
    [
        b"{}",
        b"[]",
        b"null",
        b"\xff",
        b'{"tag":"x","ma',
        b'{"tag":"x","made":1.0,"dialect":null,"ids":["a"],"attempts":{},"expired":[]}',
        b'{"tag":"x","made":1.0,"dialect":{},"ids":["a"],"attempts":5,"expired":[]}',
        b'{"tag":"x","made":"soon","dialect":{},"ids":["a"],"attempts":{},"expired":[]}',
    ],
)
def test_a_damaged_note_is_named_and_kept(tmp_path: Path, first: bytes) -> None:
    """A batch may be at the server, and paid: only the user can tell."""
    path = begun(tmp_path, ["a"])
    _, *rest = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([first, *rest]) + b"\n")
    with pytest.raises(RunError, match="may be paid, cannot be read") as raised:
        found(tmp_path, ["a"])
    assert str(path) in raised.value.cause
    assert path.exists()


def test_where_there_are_no_locks_a_note_is_found_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")

    def flock(handle: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    begun(tmp_path, ["a"])
    monkeypatch.setattr(fcntl, "flock", flock)
    assert found(tmp_path, ["a"]) == {"batch_1": ["a"]}


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, {"message": "You exceeded your quota", "code": "insufficient_quota"}),
        (401, {"message": "Incorrect API key", "code": "invalid_api_key"}),
    ],
)
def test_what_ended_the_run_is_asked_anew_once_it_is_mended(
    status: int, error: dict[str, str]
) -> None:
    refusal = Reply(status=status, error=error)
    script = by_substring({"question 1": [refusal, Reply("Red.")]})
    with serve_batches(script) as server:
        outcomes = asyncio.run(ask(server.url, questions(3), {}))
        assert [type(one) for one in outcomes] == [Generation, RunError, Generation]
        assert asked(server, questions(3))[1] == "Red."
        assert len(server.batches) == 2
        assert len(asked(server, questions(3))) == 3


def test_rows_that_failed_are_asked_anew_though_the_command_did_not_end_in_peace() -> None:
    script = by_substring({"question 1": [Reply(status=500), Reply(status=500), Reply("Red.")]})

    async def broken_off(url: str) -> None:
        async with open_openai("m", {"base_url": url, **QUICK, "max_attempts": 2}) as backend:
            work = (backend.generate(one) for one in questions(3))
            await asyncio.gather(*work, return_exceptions=True)
            raise Died

    with serve_batches(script) as server:
        with pytest.raises(Died):
            asyncio.run(broken_off(server.url))
        assert asked(server, questions(3), max_attempts=2)[1] == "Red."
        assert sorted(server.stats.executed.values()) == [1, 1, 3]


def test_a_note_of_another_version_is_understood(tmp_path: Path) -> None:
    """An update while a batch is under way must not pay for it again."""
    path = begun(tmp_path, ["a"])
    first, *rest = path.read_text().splitlines()
    told = json.loads(first)
    del told["dialect"]["structured"]
    told["dialect"]["a field of tomorrow"] = told["another"] = True
    path.write_text("\n".join([json.dumps(told), *rest]) + "\n")
    assert found(tmp_path, ["a"]) == {"batch_1": ["a"]}


def test_a_file_that_its_owner_takes_away_meanwhile_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between finding its name and getting its lock."""
    path = begun(tmp_path, ["a"])
    real = entry.lock

    def lock(handle: int, *, wait: bool) -> bool:
        path.unlink()
        return real(handle, wait=wait)

    monkeypatch.setattr(entry, "lock", lock)
    assert found(tmp_path, ["a"]) == {}
    assert not path.exists()


def test_old_batches_are_forgotten(tmp_path: Path) -> None:
    path = begun(tmp_path, ["a"])
    first, *rest = path.read_text().splitlines()
    made = {**json.loads(first), "made": time.time() - KEPT - 60}
    path.write_text("\n".join([json.dumps(made), *rest]) + "\n")
    assert found(tmp_path, ["a"]) == {}
    assert not path.exists()


def test_a_batch_that_another_process_works_on_is_not_taken(tmp_path: Path) -> None:
    begun(tmp_path, ["a"])
    code = (
        "import sys, pathlib\n"
        "from lt_bench.backends.openai.batch.ledger import Ledger\n"
        "ledger = Ledger(pathlib.Path(sys.argv[1]))\n"
        "print(len(ledger.holding(['a'])), flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": ""},
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"1\n"
        assert found(tmp_path, ["a"]) == {}
        other.kill()
        other.wait(10)
        assert found(tmp_path, ["a"]) == {"batch_1": ["a"]}


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot write") as caught:
        Ledger(tmp_path / "file" / "folder").holding(["a"])
    assert "LT_BENCH_CACHE" in caught.value.fix

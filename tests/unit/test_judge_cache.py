"""The cache of judge answers: what it holds, what it never mistakes, and what cannot break it."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.judging import NO, PROMPT, YES, about, declared
from support.server import Reply, Responder, Server, by_substring, scripted, serve

from lt_bench.backends import ModelFacts, Request
from lt_bench.config import Sampling
from lt_bench.errors import RunError
from lt_bench.judge import Judge, Judgement, Panel
from lt_bench.judge.cache import TABLE, AnswerCache, Kept, default_cache, request_key
from lt_bench.judge.flights import Flights
from lt_bench.records import Message, Prompt

QUICK = {"backoff": 0.01, "timeout": 5.0, "max_attempts": 1}
KEPT = Kept(text=YES, finish_reason="stop")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "judge.sqlite"


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    return declared(tmp_path)


def asked(
    judge: Judge,
    server: Server,
    file: Path | None,
    *,
    rows: tuple[str, ...] = ("row",),
    model: str = "m",
    reply: str = "It is red.",
    options: Mapping[str, Any] | None = None,
    **panel: Any,
) -> list[Judgement]:
    given = {"base_url": server.url, **QUICK, **(options or {})}
    cache = AnswerCache(file) if file else None

    async def main() -> list[Judgement]:
        async with Panel([f"openai/{model}"], options=given, cache=cache, **panel) as opened:
            return await asyncio.gather(*(opened.judge(judge, about(reply), r) for r in rows))

    return asyncio.run(main())


def says(text: str) -> Responder:
    return lambda call: Reply(text)


# --- What is asked once ------------------------------------------------------------------------


def test_a_verdict_is_asked_once_and_costs_nothing_afterwards(judge: Judge, file: Path) -> None:
    with serve(scripted(Reply(YES), Reply(NO))) as server:
        (first,) = asked(judge, server, file)
        (second,) = asked(judge, server, file)
        assert len(server.calls) == 1
    assert first.value == second.value == 1.0
    (paid,), (free,) = first.verdict.ballots, second.verdict.ballots
    assert (paid.requests, paid.usage is None) == (1, False)
    assert (free.requests, free.usage) == (0, None)
    assert free.rationale == paid.rationale


def test_silence_and_garbage_are_asked_again(judge: Judge, file: Path) -> None:
    silent = [
        *[Reply("Well.")] * 3,
        Reply("", finish_reason="content_filter"),
        Reply(status=500, error={"message": "down"}),
    ]
    with serve(scripted(*silent, Reply(YES))) as server:
        reasons = [asked(judge, server, file)[0].reason for _ in range(4)]
        assert len(server.calls) == 6
    assert reasons == ["judge_unparsed", "judge_refused", "judge_error", None]


def test_a_verdict_that_took_three_requests_takes_none_afterwards(judge: Judge, file: Path) -> None:
    usage = {"prompt_tokens": 20, "completion_tokens": 7}
    answers = [Reply(text, usage=usage) for text in ("Well.", "Hm.", YES)]
    with serve(scripted(*answers)) as server:
        values = [asked(judge, server, file)[0].value for _ in range(3)]
        assert (values, len(server.calls)) == ([1.0] * 3, 3)
    (kept,) = map(json.loads, rows_of(file).values())
    assert (kept["usage"]["prompt"], kept["usage"]["output"]) == (60, 21)


def test_the_same_request_at_the_same_time_is_asked_once(judge: Judge, file: Path) -> None:
    with serve(lambda call: Reply(YES, delay=0.1)) as server:
        judgements = asked(judge, server, file, rows=("row",) * 5)
        assert len(server.calls) == 1
    counted = [ballot.requests for one in judgements for ballot in one.verdict.ballots]
    assert sorted(counted) == [0, 0, 0, 0, 1]
    assert {one.value for one in judgements} == {1.0}


def test_silence_is_shared_by_those_who_wait_for_it_too(judge: Judge, file: Path) -> None:
    with serve(lambda call: Reply("Well.", delay=0.05)) as server:
        judgements = asked(judge, server, file, rows=("row",) * 4)
        assert len(server.calls) == 3
    assert [one.reason for one in judgements] == ["judge_unparsed"] * 4


def test_without_a_cache_every_vote_is_asked(judge: Judge) -> None:
    with serve(says(YES)) as server:
        asked(judge, server, None, rows=("row",) * 3)
        assert len(server.calls) == 3


def test_a_kept_answer_that_a_judge_cannot_read_is_asked(tmp_path: Path, file: Path) -> None:
    judge = declared(tmp_path)
    with serve(scripted(Reply('{"correct": "elsewhere"}'), Reply(YES))) as server:
        asked(judge, server, file)
        stored = rows_of(file)
        connection = sqlite3.connect(file)
        unread = Kept(text="Well.", finish_reason="stop").model_dump_json()
        connection.execute(f"UPDATE {TABLE} SET value = ?", (unread,))
        connection.commit()
        connection.close()
        (again,) = asked(judge, server, file)
        assert (again.value, len(server.calls)) == (1.0, 2)
    assert rows_of(file).keys() == stored.keys()


def rows_of(file: Path) -> dict[str, str]:
    connection = sqlite3.connect(file)
    found = dict(connection.execute(f"SELECT key, value FROM {TABLE}").fetchall())
    connection.close()
    return found


def test_the_file_holds_answers_and_what_they_cost(judge: Judge, file: Path) -> None:
    with serve(says(YES)) as server:
        asked(judge, server, file)
    ((key, value),) = rows_of(file).items()
    assert len(key) == 64
    kept = json.loads(value)
    assert (kept["text"], kept["finish_reason"]) == (YES, "stop")
    assert kept["usage"]["output"] > 0


# --- What is never mistaken for something else (F83, F84) ----------------------------------------


def test_f83_another_model_is_asked(judge: Judge, file: Path) -> None:
    with serve(lambda call: Reply(YES if call.body["model"] == "a" else NO)) as server:
        values = [asked(judge, server, file, model=name)[0].value for name in "abab"]
        assert (values, len(server.calls)) == ([1.0, 0.0, 1.0, 0.0], 2)


def test_f84_votes_and_rows_are_kept_apart(tmp_path: Path, file: Path) -> None:
    warm = declared(tmp_path, temperature=0.7)
    with serve(says(YES)) as server:
        for _ in range(2):
            asked(warm, server, file, rows=("a", "b"), votes=3)
        assert len(server.calls) == 6
    assert len(rows_of(file)) == 6


def test_more_votes_ask_only_for_the_new_ones(tmp_path: Path, file: Path) -> None:
    warm = declared(tmp_path, temperature=0.7)
    with serve(says(YES)) as server:
        asked(warm, server, file, votes=3)
        asked(warm, server, file, votes=5)
        assert len(server.calls) == 5


def test_whatever_changes_the_request_changes_the_key(tmp_path: Path, file: Path) -> None:
    plain = declared(tmp_path / "plain")
    changed = [
        (declared(tmp_path / "warm", temperature=0.1), {}),
        (declared(tmp_path / "cap", max_tokens=101), {}),
        (declared(tmp_path / "seed", seed=1), {}),
        (declared(tmp_path / "top", top_p=0.9), {}),
        (declared(tmp_path / "system", prompt=PROMPT.replace("judge replies", "grade")), {}),
        (plain, {"reply": "It is blue."}),
        (plain, {"rows": ("other",)}),
        (plain, {"options": {"fingerprint": "v2"}}),
        (plain, {"options": {"extra_body": {"reasoning_effort": "low"}}}),
    ]
    with serve(says(YES)) as server:
        asked(plain, server, file)
        for number, (judge, more) in enumerate(changed, 2):
            asked(judge, server, file, **more)
            assert len(server.calls) == number
        asked(plain, server, file, options={"concurrency": 2, "timeout": 9.0})
        assert len(server.calls) == len(changed) + 1


FACTS = ModelFacts(name="m", backend="b", fingerprint="f", counted_by=None)
REQUEST = Request(
    Prompt(messages=(Message(role="user", content="Is it?"),)),
    Sampling(),
    "row",
    0,
    {"type": "object", "properties": {"a": {}, "b": {}}},
)


def test_keys_tell_apart_all_that_decides_an_answer() -> None:
    swapped = {"type": "object", "properties": {"b": {}, "a": {}}}
    system = Prompt(messages=(Message(role="system", content="Is it?"),))
    keys = [
        request_key(REQUEST, FACTS, 1),
        request_key(REQUEST, FACTS, 2),
        request_key(replace(REQUEST, answer_schema=swapped), FACTS, 1),
        request_key(replace(REQUEST, answer_schema=None), FACTS, 1),
        request_key(replace(REQUEST, prompt=system), FACTS, 1),
        request_key(replace(REQUEST, sample_index=1), FACTS, 1),
        request_key(REQUEST, FACTS.model_copy(update={"settings": {"dtype": "float16"}}), 1),
        request_key(REQUEST, FACTS.model_copy(update={"chat_template_sha": "x"}), 1),
    ]
    assert len(set(keys)) == len(keys)
    same = FACTS.model_copy(update={"first_prompt_ids": (1, 2), "device": "cuda"})
    assert request_key(REQUEST, same, 1) == keys[0]


# --- Two who want the same ---------------------------------------------------------------------


def test_an_error_is_shared_and_forgotten() -> None:
    calls: list[int] = []

    async def fail() -> int:
        calls.append(1)
        await asyncio.sleep(0.01)
        raise RunError("no server", "start one")

    async def main() -> list[Any]:
        flights: Flights[int] = Flights()
        two = [flights.share("k", fail) for _ in range(2)]
        told = await asyncio.gather(*two, return_exceptions=True)
        again = await asyncio.gather(flights.share("k", fail), return_exceptions=True)
        return [*told, *again]

    assert all(isinstance(error, RunError) for error in asyncio.run(main()))
    assert len(calls) == 2


def test_the_next_in_line_works_where_the_first_was_cancelled() -> None:
    started: list[str] = []

    async def main() -> tuple[str, bool]:
        flights: Flights[str] = Flights()

        async def work(name: str, seconds: float) -> str:
            started.append(name)
            await asyncio.sleep(seconds)
            return name

        first = asyncio.create_task(flights.share("k", lambda: work("first", 60)))
        await asyncio.sleep(0)
        second = asyncio.create_task(flights.share("k", lambda: work("second", 0)))
        await asyncio.sleep(0)
        first.cancel()
        return await asyncio.wait_for(second, 5)

    assert asyncio.run(main()) == ("second", True)
    assert started == ["first", "second"]


def test_one_who_waits_can_leave_without_harm() -> None:
    async def main() -> tuple[str, bool]:
        flights: Flights[str] = Flights()

        async def work() -> str:
            await asyncio.sleep(0.05)
            return "done"

        first = asyncio.create_task(flights.share("k", work))
        await asyncio.sleep(0)
        second = asyncio.create_task(flights.share("k", work))
        await asyncio.sleep(0)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        return await first

    assert asyncio.run(main()) == ("done", True)


# --- Files that are broken ---------------------------------------------------------------------


def broken(kind: str, tmp_path: Path) -> Path:
    file = tmp_path / "judge.sqlite"
    if kind == "garbage":
        file.write_bytes(b"not a database at all" * 100)
    elif kind == "folder":
        file.mkdir()
    elif kind == "beneath a file":
        (tmp_path / "file").write_text("")
        file = tmp_path / "file" / "judge.sqlite"
    elif kind == "other columns":
        connection = sqlite3.connect(file)
        connection.execute(f"CREATE TABLE {TABLE} (something TEXT)")
        connection.close()
    elif kind == "torn":
        cache = AnswerCache(file)
        for n in range(50):
            asyncio.run(cache.put(f"{n}", Kept(text="x" * 5000, finish_reason="stop")))
        cache.close()
        whole = file.read_bytes()
        file.write_bytes(whole[:2000] + b"\xff" * (len(whole) - 2000))
    return file


@pytest.mark.parametrize("kind", ["garbage", "folder", "beneath a file", "other columns", "torn"])
def test_a_broken_file_is_warned_of_once_and_the_run_goes_on(
    kind: str, judge: Judge, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = broken(kind, tmp_path)
    with serve(says(YES)) as server, caplog.at_level(logging.WARNING):
        judgements = asked(judge, server, file, rows=("a", "b", "c"))
        assert len(server.calls) == 3
    assert [one.value for one in judgements] == [1.0] * 3
    (warning,) = [r.getMessage() for r in caplog.records if "not cached" in r.getMessage()]
    assert str(file) in warning
    assert len(warning.splitlines()) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_a_warning(
    judge: Judge, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tmp_path.chmod(0o500)
    try:
        with serve(says(YES)) as server:
            assert asked(judge, server, tmp_path / "new" / "judge.sqlite")[0].value == 1.0
    finally:
        tmp_path.chmod(0o700)
    assert "not cached" in caplog.text


def test_a_file_that_may_only_be_read_is_a_warning(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cache = AnswerCache(file)
    asyncio.run(cache.put("k", KEPT))
    cache.close()
    connect = sqlite3.connect

    def read_only(path: Path, **options: Any) -> sqlite3.Connection:
        return connect(f"file:{path}?mode=ro", uri=True, **options)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    asyncio.run(cache.put("other", KEPT))
    assert asyncio.run(cache.get("other")) is None
    assert caplog.text.count("not cached") == 1


@pytest.mark.parametrize("value", ["", "{", "null", '{"text": 1}', "\x80\x04pickle", '{"x": "y"}'])
def test_a_value_that_is_none_is_not_there(file: Path, value: str) -> None:
    cache = AnswerCache(file)
    asyncio.run(cache.put("k", KEPT))
    connection = sqlite3.connect(file)
    connection.execute(f"UPDATE {TABLE} SET value = ?", (value,))
    connection.commit()
    connection.close()
    assert asyncio.run(cache.get("k")) is None
    asyncio.run(cache.put("k", KEPT))
    assert asyncio.run(cache.get("k")) == KEPT
    cache.close()


def test_odd_texts_come_back_as_they_went(file: Path) -> None:
    cache = AnswerCache(file)
    for text in ("", "\x00a\x00", "天气 \U0001f600", "'; DROP TABLE answers_1; --", "x" * 10**6):
        kept = Kept(text=text, finish_reason="length")
        asyncio.run(cache.put("k", kept))
        assert asyncio.run(cache.get("k")) == kept
    cache.close()
    assert asyncio.run(cache.get("k")) == kept
    cache.close()


def test_the_users_cache_folder_holds_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LT_BENCH_CACHE", str(tmp_path))
    assert default_cache() == tmp_path / "judge.sqlite"


# --- Several processes -------------------------------------------------------------------------

WRITER = """
import asyncio, sys
from pathlib import Path
from lt_bench.judge.cache import AnswerCache, Kept

async def main(file, name, count):
    cache = AnswerCache(file)
    for n in range(count):
        await cache.put(f"{name}-{n}", Kept(text=f"{name} {n} " * 200, finish_reason="stop"))
        print(n, flush=True)
    cache.close()

asyncio.run(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
"""


def writer(file: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(file), name, str(count)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, text=True, **pipes)  # type: ignore[call-overload,no-any-return]


def test_processes_share_one_file(file: Path) -> None:
    processes = [writer(file, name, 60) for name in "abc"]
    for process in processes:
        _, complaints = process.communicate(timeout=120)
        assert (process.returncode, complaints) == (0, "")
    assert len(rows_of(file)) == 180


def test_a_process_killed_while_it_writes_loses_nothing_it_was_told_is_kept(file: Path) -> None:
    process = writer(file, "k", 100_000)
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= 30:
            break
    time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    told = [int(line) for line in process.stdout.read().split("\n") if line.strip()]
    process.communicate()
    last = max([30, *told[:-1]])
    cache = AnswerCache(file)
    for n in range(last + 1):
        kept = asyncio.run(cache.get(f"k-{n}"))
        assert kept is not None
        assert kept.text == f"k {n} " * 200
    asyncio.run(cache.put("after", KEPT))
    assert asyncio.run(cache.get("after")) == KEPT
    cache.close()
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_two_panels_of_two_runs_share_their_answers(judge: Judge, file: Path) -> None:
    with serve(by_substring({"red": [Reply(YES)]})) as server:
        options = {"base_url": server.url, **QUICK}

        async def main() -> list[float | None]:
            panels = [Panel(["openai/m"], options=options, cache=AnswerCache(file)) for _ in "ab"]
            values = []
            for panel in panels:
                async with panel:
                    values.append((await panel.judge(judge, about(), "row")).value)
            return values

        assert asyncio.run(main()) == [1.0, 1.0]
        assert len(server.calls) == 1

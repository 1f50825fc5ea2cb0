"""The Batch API against a scripted server: what becomes of each request, whatever the server does."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from pathlib import Path
from typing import Any

import pytest
from support.batch_server import Batch, BatchServer, Plan, by_call, serve_batches
from support.server import Call, Reply, Responder, by_substring, hashed, scripted, serve

from lt_bench.backends import Request
from lt_bench.backends.openai.backend import open_openai
from lt_bench.backends.openai.batch import batches, watch
from lt_bench.backends.openai.batch.courier import Courier
from lt_bench.config import Sampling
from lt_bench.errors import RowError, RunError, UsageError
from lt_bench.judge.panel import Panel
from lt_bench.records import Generation, Message, Prompt
from lt_bench.run.generate import plan
from lt_bench.task import Task

QUICK = {"batch": True, "batch_gather": 0.05, "batch_poll": 0.02, "backoff": 0.01}
SECRET = "sk-0123456789abcdef"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LT_BENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(batches, "SETTLED", 0.1)
    return tmp_path / "cache"


def question(text: str = "Is it red?", **sampling: Any) -> Request:
    prompt = Prompt(messages=(Message(role="user", content=text),))
    return Request(prompt, Sampling(**sampling), example_id=text, sample_index=0)


def questions(count: int) -> list[Request]:
    return [question(f"question {number}") for number in range(count)]


def asked(server: BatchServer | str, requests: list[Request], **options: Any) -> list[Any]:
    """The outcomes, in order."""

    async def gather() -> list[Any]:
        url = server if isinstance(server, str) else server.url
        async with open_openai("m", {"base_url": url, **QUICK, **options}) as backend:
            work = (backend.generate(request) for request in requests)
            return await asyncio.gather(*work, return_exceptions=True)

    return asyncio.run(gather())


def replies(outcomes: list[Any]) -> list[str]:
    assert all(isinstance(outcome, Generation) for outcome in outcomes), outcomes
    return [outcome.reply for outcome in outcomes]


def expected(requests: list[Request], responder: Responder | None = None) -> list[str]:
    """What the same server answers to the same requests one at a time."""

    async def gather(url: str) -> list[Generation]:
        async with open_openai("m", {"base_url": url, "stream": False}) as backend:
            return await asyncio.gather(*(backend.generate(request) for request in requests))

    with serve(responder or hashed()) as server:
        return [generation.reply for generation in asyncio.run(gather(server.url))]


def paid_once(server: BatchServer, requests: int) -> None:
    assert set(server.stats.executed.values()) == {1}
    assert len(server.stats.executed) == requests


# --- Good batches ----------------------------------------------------------------------------


def test_every_request_gets_its_own_answer() -> None:
    requests = questions(5)
    with serve_batches(hashed(), [Plan(polls=3)]) as server:
        assert replies(asked(server, requests)) == expected(requests)
        paid_once(server, 5)
        assert server.stats.calls["POST /batches"] == 1
        assert server.stats.calls["GET /batches/ID"] == 3


def test_a_turn_is_the_same_as_any_other_but_for_its_times() -> None:
    reply = Reply("<think>Sheet: red.</think>\n\nIt is red. STOP It is", reasoning=None)
    request = question(stop=("STOP",), temperature=0.5, seed=3, max_tokens=12)
    with serve_batches(scripted(reply)) as server, serve(scripted(reply)) as plain:
        (batched,) = asked(server, [request], extra_body={"top_k": 4})

        async def one() -> Generation:
            options = {"base_url": plain.url, "stream": False, "extra_body": {"top_k": 4}}
            async with open_openai("m", options) as backend:
                return await backend.generate(request)

        single = asyncio.run(one())
        assert server.stats.bodies == [plain.calls[0].body]
    leave_out = {"turns": {0: {"timings"}}}
    assert batched.model_dump(exclude=leave_out) == single.model_dump(exclude=leave_out)
    times = batched.turns[0].timings
    assert (times.queued, times.first_token, times.first_reply_token, times.total) == (None,) * 4
    assert single.turns[0].timings.total is not None


def test_more_than_a_batch_holds_is_several_batches() -> None:
    requests = questions(7)
    with serve_batches(hashed()) as server:
        assert replies(asked(server, requests, batch_requests=3)) == expected(requests)
        sizes = sorted(len(batch.requests) for batch in server.batches.values())
        assert sizes == [1, 3, 3]
        paid_once(server, 7)


def test_more_bytes_than_a_batch_holds_are_several_batches() -> None:
    requests = [question(f"{number} " + "x" * 800) for number in range(6)] + [question("y" * 4000)]
    with serve_batches(hashed()) as server:
        outcomes = asked(server, requests, batch_bytes=3000)
        assert len(replies(outcomes)) == 7
        uploads = [server.files[batch.file] for batch in server.batches.values()]
        assert all(len(data) <= 3000 or data.count(b"\n") == 1 for data in uploads)
        paid_once(server, 7)


def test_the_very_same_request_is_asked_once() -> None:
    with serve_batches(hashed()) as server:
        one, two = replies(asked(server, [question(), question()]))
        assert one == two
        paid_once(server, 1)


def test_samples_of_one_row_are_different_requests() -> None:
    requests = [Request(question().prompt, Sampling(seed=1), "a", index) for index in range(3)]
    with serve_batches(hashed()) as server:
        assert len(replies(asked(server, requests))) == 3
        paid_once(server, 3)


def test_nobody_is_waited_for_where_all_wait_already() -> None:
    with serve_batches(hashed()) as server:
        start = time.monotonic()
        asked(server, questions(4), concurrency=4, batch_gather=60.0)
        assert time.monotonic() - start < 20
        paid_once(server, 4)


def test_requests_that_keep_coming_are_one_batch() -> None:
    async def trickle(url: str) -> None:
        async with open_openai("m", {"base_url": url, **QUICK, "batch_gather": 0.4}) as backend:

            async def later(number: int) -> None:
                await asyncio.sleep(number * 0.1)
                await backend.generate(question(str(number)))

            await asyncio.gather(*map(later, range(8)))

    with serve_batches(hashed()) as server:
        asyncio.run(trickle(server.url))
        assert server.stats.calls["POST /batches"] == 1


def test_progress_is_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "lt_bench")
    with serve_batches(hashed(), [Plan(polls=3)]) as server:
        asked(server, questions(2))
    told = [record.message for record in caplog.records if record.name.startswith("lt_bench")]
    assert told[0].startswith("batch_1: 2 requests sent to http://127.0.0.1")
    assert any("in_progress" in line for line in told)
    assert told[-1] == "batch_1: completed, 2 of 2"


def test_azure_has_its_own_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_VERSION", "2025-03-01")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", SECRET)
    with serve_batches(hashed()) as server:
        root = server.url.removesuffix("/v1")
        assert replies(asked(root, questions(1), client="azure"))
        assert server.batches["batch_1"].endpoint == "/chat/completions"
        assert all(path.startswith("/openai/") for path in server.stats.paths)
        assert all("api-version=2025-03-01" in path for path in server.stats.paths)
        assert {sent["api-key"] for sent in server.stats.headers} == {SECRET}


def test_callers_that_come_again_are_the_next_batch() -> None:
    """As a run with fewer places than rows: whoever has an answer asks for the next row."""

    async def work(url: str) -> int:
        left = list(range(20))
        async with open_openai("m", {"base_url": url, **QUICK, "concurrency": 8}) as backend:

            async def worker() -> None:
                while left:
                    await backend.generate(question(f"question {left.pop()}"))

            await asyncio.gather(*(worker() for _ in range(backend.concurrency)))
        return backend.concurrency

    with serve_batches(hashed()) as server:
        assert asyncio.run(work(server.url)) == 8
        assert [len(batch.requests) for batch in server.batches.values()] == [8, 8, 4]
        paid_once(server, 20)


def test_a_file_that_the_server_looks_at_first_is_waited_for() -> None:
    with serve_batches(hashed()) as server:
        upload = server._upload

        def pending(fields: dict[str, bytes]) -> dict[str, Any]:
            return {**upload(fields), "status": "pending"}

        server._upload = pending  # type: ignore[method-assign]
        assert replies(asked(server, questions(2))) == expected(questions(2))
        assert server.stats.calls["GET /files/ID"] == 1


def test_a_row_that_waits_for_long_waits_on_disk() -> None:
    task = Task.load("musique", ())
    examples = list(task.stream(task.sample, 3))
    for rows in (examples, iter(examples)):
        works = list(plan(task, rows, 2, Sampling(), "f"))
        for one in works:
            one.put_aside()
        assert [one.held is None for one in works] == [isinstance(rows, list)] * 6
        assert [one.example for one in works] == [row for row in examples for _ in range(2)]


# --- Rows that fail --------------------------------------------------------------------------


def test_a_fault_of_the_server_is_asked_again_in_another_batch() -> None:
    script = by_substring({"question 1": [Reply(status=500), Reply("Red.")]})
    with serve_batches(script) as server:
        outcomes = asked(server, questions(3))
        assert replies(outcomes)[1] == "Red."
        assert [outcome.turns[0].attempts for outcome in outcomes] == [1, 2, 1]
        assert [len(batch.requests) for batch in server.batches.values()] == [3, 1]


def test_attempts_are_bounded() -> None:
    script = by_substring({"question 1": [Reply(status=503)]})
    with serve_batches(script) as server:
        one, two, three = asked(server, questions(3), max_attempts=2)
        assert isinstance(two, RowError)
        assert (two.kind, two.attempts) == ("server", 2)
        assert isinstance(one, Generation)
        assert isinstance(three, Generation)
        assert server.stats.calls["POST /batches"] == 2


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(status=400, error={"message": "too long", "code": "context_length"}), "bad_request"),
        (Reply(status=400, error={"code": "content_filter", "message": "no"}), "content_filter"),
        (Reply("x", finish_reason="content_filter"), "content_filter"),
    ],
)
def test_a_final_refusal_fails_its_row_at_once(reply: Reply, kind: str) -> None:
    with serve_batches(by_substring({"question 1": [reply]})) as server:
        outcomes = asked(server, questions(3))
        assert isinstance(outcomes[1], RowError)
        assert (outcomes[1].kind, outcomes[1].attempts) == (kind, 1)
        assert isinstance(outcomes[2], Generation)
        assert server.stats.calls["POST /batches"] == 1


def line(**fields: Any) -> bytes:
    return json.dumps({"custom_id": "CUSTOM", **fields}).encode()


@pytest.mark.parametrize(
    "body",
    [
        line(response={"status_code": 200, "body": {"choices": []}}, error=None),
        line(response={"status_code": 200, "body": "text"}, error=None),
        line(response={"status_code": "200", "body": {}}, error=None),
        line(response={"status_code": 200}, error=None),
        line(response=None, error={"code": "internal", "message": "oops"}),
        line(response=None, error=None),
        line(),
    ],
)
def test_a_line_without_an_answer_is_a_fault_that_is_tried_again(body: bytes) -> None:
    """The first time the line is odd, the second time it is good."""

    def odd(call: Call) -> Reply:
        return Reply(body=body) if call.attempt == 1 else Reply("Red.")

    with serve_batches(odd) as server:
        carry_out = server._carry_out

        def named(request: dict[str, Any]) -> tuple[int, bytes]:
            status, told = carry_out(request)
            return status, told.replace(b"CUSTOM", request["custom_id"].encode())

        server._carry_out = named  # type: ignore[method-assign]
        (outcome,) = asked(server, questions(1))
        assert outcome.reply == "Red."
        assert outcome.turns[0].attempts == 2


def test_rows_that_the_files_leave_out_are_asked_again() -> None:
    with serve_batches(hashed(), [Plan(silent=(1, 2)), Plan()]) as server:
        outcomes = asked(server, questions(4))
        assert replies(outcomes) == expected(questions(4))
        assert [outcome.turns[0].attempts for outcome in outcomes] == [1, 2, 2, 1]


def test_rows_that_are_always_left_out_fail_in_the_end() -> None:
    with serve_batches(hashed(), [Plan(silent=(0,))]) as server:
        (outcome,) = asked(server, questions(1), max_attempts=3)
        assert isinstance(outcome, RowError)
        assert "tells nothing of this row" in outcome.cause
        assert server.stats.calls["POST /batches"] == 3


@pytest.mark.parametrize("plan", [Plan(silent=(0, 1)), Plan(silent=(0, 1), extra=(b"<html>",))])
def test_files_that_tell_of_none_of_many_requests_are_not_paid_again(plan: Plan) -> None:
    with serve_batches(hashed(), [plan]) as server:
        outcomes = asked(server, questions(2))
        assert all(isinstance(one, RunError) for one in outcomes)
        assert "has the results of batch_1 no more" in str(outcomes[0])
        assert server.stats.calls["POST /batches"] == 1


def test_a_word_that_no_batch_has_is_told(caplog: pytest.LogCaptureFixture) -> None:
    with serve_batches(hashed(), [Plan(polls=3)]) as server:
        packet = Batch.packet

        def odd(self: Batch) -> dict[str, Any]:
            found = packet(self)
            return {**found, "status": "done"} if self.polls < 3 else found

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Batch, "packet", odd)
            assert len(replies(asked(server, questions(2)))) == 2
    assert "batch_1 is 'done', which is no word for a batch" in caplog.text


def test_the_first_of_two_answers_counts() -> None:
    with serve_batches(hashed(), [Plan(twice=True)]) as server:
        assert replies(asked(server, questions(3))) == expected(questions(3))
        assert server.stats.calls["POST /batches"] == 1


def test_lines_that_say_nothing_are_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    odd = (b"", b"not JSON", b"[1, 2]", b'"text"', b'{"custom_id": 7}', b"\xff\xfe", b"null")
    foreign = b'{"custom_id": "somebody else", "response": {"status_code": 200, "body": {}}}'
    with serve_batches(hashed(), [Plan(extra=(*odd, foreign))]) as server:
        assert replies(asked(server, questions(3))) == expected(questions(3))
        assert server.stats.calls["POST /batches"] == 1
    assert "6 lines hold no result" in caplog.text
    assert "1 lines are of no request of this batch" in caplog.text


def test_results_that_the_server_has_deleted_are_not_paid_again_unasked(cache: Path) -> None:
    with serve_batches(hashed(), [Plan(gone=True), Plan()]) as server:
        for _ in range(2):
            outcome, _ = asked(server, questions(2))
            assert isinstance(outcome, RunError)
            assert "has the results of batch_1 no more (file-deleted); 2 rows" in outcome.cause
        assert server.stats.calls["POST /batches"] == 1
        (path,) = cache.glob("batches/*/*.jsonl")
        assert f"to ask and pay for them again, delete {path}" in outcome.fix
        path.unlink()
        assert replies(asked(server, questions(2))) == expected(questions(2))


def test_a_line_too_large_to_hold_is_its_row_s_fault(caplog: pytest.LogCaptureFixture) -> None:
    """However it is cut on its way; the row is asked again, the others are kept."""
    script = by_substring({"question 1": [Reply("x" * 300_000), Reply("Red.")]})
    with serve_batches(script) as server:
        outcomes = asked(server, questions(3), max_bytes=200_000)
        assert replies(outcomes)[1] == "Red."
        assert [outcome.turns[0].attempts for outcome in outcomes] == [1, 2, 1]
    assert "a line of more than 200000 bytes is left out" in caplog.text


def test_half_of_a_surrogate_pair_is_an_answer() -> None:
    with serve_batches(scripted(Reply("Red \ud83d"))) as server:
        (outcome,) = asked(server, questions(1))
        assert isinstance(outcome, Generation), outcome
        assert outcome.turns[0].attempts == 1


@pytest.mark.parametrize("status", ["COMPLETED", "Cancelled", "canceled", "EXPIRED"])
def test_other_spellings_of_an_end_are_ends(status: str) -> None:
    with serve_batches(hashed(), [Plan(status=status)]) as server:
        assert replies(asked(server, questions(2))) == expected(questions(2))


def test_an_answer_of_many_megabytes_comes_whole() -> None:
    with serve_batches(scripted(Reply("é" * 1_000_000))) as server:
        assert len(replies(asked(server, questions(1)))[0]) == 1_000_000


# --- Other ways of asking --------------------------------------------------------------------


def picky(call: Call) -> Reply:
    """Like newer models of OpenAI."""
    if "max_tokens" in call.body:
        words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        return Reply(status=400, error={"message": words, "param": "max_tokens"})
    return Reply("Red.")


def test_what_the_server_objects_to_is_left_out_in_the_next_batch() -> None:
    with serve_batches(picky) as server:
        outcomes = asked(server, questions(3), max_attempts=1)
        assert replies(outcomes) == ["Red."] * 3
        assert {outcome.turns[0].attempts for outcome in outcomes} == {1}
        assert [len(batch.requests) for batch in server.batches.values()] == [3, 3]


def test_an_objection_before_the_batch_begins_is_heard_as_well() -> None:
    words = "max_tokens is not supported with this model, use max_completion_tokens"
    plans = [Plan(status="failed", errors=({"message": words, "param": "max_tokens"},)), Plan()]
    with serve_batches(picky, plans) as server:
        assert replies(asked(server, questions(2))) == ["Red."] * 2
        paid_once(server, 2)


# --- Batches that end otherwise --------------------------------------------------------------


def test_what_an_expired_batch_left_is_asked_again_once() -> None:
    plans = [Plan(status="expired", answered=2), Plan()]
    with serve_batches(hashed(), plans) as server:
        outcomes = asked(server, questions(5))
        assert replies(outcomes) == expected(questions(5))
        assert [outcome.turns[0].attempts for outcome in outcomes] == [1, 1, 2, 2, 2]
        paid_once(server, 5)


def test_a_row_that_two_batches_left_has_failed() -> None:
    with serve_batches(hashed(), [Plan(status="expired", answered=1)]) as server:
        one, two, three = asked(server, questions(3))
        assert isinstance(one, Generation)
        assert isinstance(two, Generation)
        assert isinstance(three, RowError)
        assert (three.kind, three.attempts) == ("timeout", 2)
        assert "expired" in three.cause


def test_a_cancelled_batch_keeps_its_answers_and_ends_the_run() -> None:
    with serve_batches(hashed(), [Plan(status="cancelled", answered=2), Plan()]) as server:
        outcomes = asked(server, questions(5))
        assert replies(outcomes[:2]) == expected(questions(2))
        for outcome in outcomes[2:]:
            assert isinstance(outcome, RunError)
            assert "batch_1 was cancelled at the server with 3 rows unanswered" in outcome.cause
        assert server.stats.calls["POST /batches"] == 1
        again = asked(server, questions(5))
        assert replies(again) == expected(questions(5))
        assert [len(batch.requests) for batch in server.batches.values()] == [5, 3]
        paid_once(server, 5)


def test_a_line_that_the_server_does_not_take_fails_its_row_alone() -> None:
    errors = ({"code": "invalid_value", "message": "messages too many", "line": 2},)
    with serve_batches(hashed(), [Plan(status="failed", errors=errors), Plan()]) as server:
        one, two, three = asked(server, questions(3))
        assert isinstance(two, RowError)
        assert (two.kind, two.cause) == ("bad_request", "HTTP 400: messages too many")
        assert replies([one, three])
        paid_once(server, 2)


def test_a_batch_that_the_server_does_not_take_ends_the_run() -> None:
    errors = ({"code": "invalid_thing", "message": "this account has no batches"},)
    with serve_batches(hashed(), [Plan(status="failed", errors=errors)]) as server:
        outcomes = asked(server, questions(2))
        assert all(isinstance(outcome, RunError) for outcome in outcomes)
        assert "failed before it began: this account has no batches" in str(outcomes[0])
        assert server.stats.calls["POST /batches"] == 1


def test_an_unknown_model_ends_the_run() -> None:
    errors = ({"code": "model_not_found", "message": "no model m", "line": 1, "param": "model"},)
    with serve_batches(hashed(), [Plan(status="failed", errors=errors)]) as server:
        (outcome, _) = asked(server, questions(2))
        assert isinstance(outcome, RunError)
        assert "check the model name 'm'" in outcome.fix


FULL = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached for m"}


@pytest.mark.parametrize("room", [1, 3, 7])
def test_a_batch_that_is_too_large_is_halved(room: int, caplog: pytest.LogCaptureFixture) -> None:
    """The server works on at most so many requests at once, as accounts are limited."""
    caplog.set_level(logging.INFO, "lt_bench")
    with serve_batches(hashed()) as server:
        make = server._make

        def limited(told: dict[str, Any]) -> dict[str, Any]:
            at_work = [one for one in server.batches.values() if one.status != "completed"]
            queued = sum(len(one.requests) for one in at_work if one.status != "failed")
            queued += len(server.files[told["input_file_id"]].splitlines())
            server.plans = [
                Plan(status="failed", errors=(FULL,)) if queued > room else Plan(polls=2)
            ]
            return make(told)

        server._make = limited  # type: ignore[method-assign]
        assert replies(asked(server, questions(8))) == expected(questions(8))
        paid_once(server, 8)
        assert max(len(one.requests) for one in server.batches.values() if one.output) <= room
        assert len(server.batches) <= 4 + 8 / room * 2
    assert "a batch of 8 is too large (Enqueued token limit" in caplog.text


def test_a_batch_that_finds_no_room_waits_for_another_to_end() -> None:
    plans = [Plan(polls=8), Plan(status="failed", errors=(FULL,)), Plan()]
    with serve_batches(hashed(), plans) as server:
        assert replies(asked(server, questions(8), batch_requests=4)) == expected(questions(8))
        assert [len(batch.requests) for batch in server.batches.values()] == [4, 4, 4]
        paid_once(server, 8)


def test_a_create_that_is_refused_as_too_much_is_tried_again() -> None:
    busy = Reply(status=429, error={"message": "slow down"}, headers={"Retry-After": "0.2"})
    with serve_batches(hashed(), fault=by_call({"POST /batches": [busy, busy]})) as server:
        assert replies(asked(server, questions(4))) == expected(questions(4))
        assert len(server.batches) == 1
        paid_once(server, 4)


def test_a_server_that_never_takes_one_is_told() -> None:
    busy = Reply(status=429, error={"message": "Enqueued token limit reached"})
    with serve_batches(hashed(), fault=by_call({"POST /batches": [busy] * 99})) as server:
        outcomes = asked(server, questions(4), max_attempts=2)
        assert all(isinstance(outcome, RunError) for outcome in outcomes)
        assert "not even of one request: HTTP 429: Enqueued token limit" in str(outcomes[0])
        assert not server.stats.executed


def test_an_account_without_money_ends_the_run_at_once() -> None:
    poor = Reply(status=429, error={"code": "insufficient_quota", "message": "top up"})
    with serve_batches(hashed(), fault=by_call({"POST /batches": [poor] * 9})) as server:
        (outcome,) = asked(server, questions(1))
        assert isinstance(outcome, RunError)
        assert "top up the account" in outcome.fix
        assert server.stats.calls["POST /batches"] == 1


# --- The way there and back ------------------------------------------------------------------


@pytest.mark.parametrize("call", ["POST /files", "POST /batches", "GET /batches/ID"])
@pytest.mark.parametrize(
    "fault",
    [
        Reply(status=500),
        Reply(fault="disconnect"),
        Reply(fault="disconnect", delay=0.05),
        Reply(status=429, headers={"Retry-After": "0.1"}),
    ],
    ids=["500", "cut before", "cut after", "429"],
)
def test_a_passing_fault_of_any_call_costs_nothing(call: str, fault: Reply) -> None:
    """A call that was cut after the server had carried it out makes no second batch."""
    with serve_batches(hashed(), [Plan(polls=2)], by_call({call: [fault, fault]})) as server:
        assert replies(asked(server, questions(3))) == expected(questions(3))
        assert len(server.batches) == 1
        paid_once(server, 3)


@pytest.mark.parametrize("fault", [Reply(status=500), Reply(fault="cut")], ids=["500", "cut"])
def test_a_download_that_breaks_is_begun_again(fault: Reply) -> None:
    table = by_call({"GET /files/ID/content": [fault, fault]})
    requests = questions(200)
    with serve_batches(hashed(), fault=table) as server:
        assert replies(asked(server, requests)) == expected(requests)
        assert server.stats.calls["GET /files/ID/content"] == 3
        paid_once(server, 200)


def test_a_file_that_is_not_there_yet_is_waited_for() -> None:
    lag = Reply(status=400, error={"message": "Cannot find file file-1", "param": "file_id"})
    with serve_batches(hashed(), fault=by_call({"POST /batches": [lag, lag]})) as server:
        assert replies(asked(server, questions(2))) == expected(questions(2))


def test_a_gateway_that_gives_up_may_have_made_the_batch() -> None:
    """504 after the server has carried out the call, and it lists the batch a little later."""
    late = Reply(delay=0.01, status=504)
    with serve_batches(hashed(), fault=by_call({"POST /batches": [late]})) as server:
        listed, looks = server._list, []

        def lagging(query: dict[str, str]) -> dict[str, Any]:
            looks.append(query)
            return listed(query) if len(looks) > 1 else {"object": "list", "data": []}

        server._list = lagging  # type: ignore[method-assign]
        assert replies(asked(server, questions(3))) == expected(questions(3))
        assert len(server.batches) == 1
        assert len(looks) == 2
        paid_once(server, 3)


def test_a_server_that_is_away_for_a_while_is_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    faults = by_call({"GET /batches/ID": [None, *[Reply(status=502)] * 12]})
    with serve_batches(hashed(), [Plan(polls=3)], faults) as server:
        assert replies(asked(server, questions(1), max_attempts=3)) == expected(questions(1))
    assert caplog.text.count("HTTP 502: HTTP 502; still waiting for batch_1") == 1


def test_a_server_that_stays_away_ends_the_run_and_says_how_it_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watch, "AWAY", 0.2)
    faults = by_call({"GET /batches/ID": [None, *[Reply(status=502)] * 9999]})
    with serve_batches(hashed(), [Plan(polls=3)], faults) as server:
        (outcome,) = asked(server, questions(1), max_attempts=3)
        assert isinstance(outcome, RunError)
        assert "HTTP 502" in outcome.cause
        assert "goes on with the batches that it has begun" in outcome.fix


def test_a_batch_that_does_not_end_is_told(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "DUE", 0.05)
    with serve_batches(hashed(), [Plan(polls=12)]) as server:
        assert replies(asked(server, questions(1))) == expected(questions(1))
    assert caplog.text.count("after 0 hours, and a day was asked for") == 1


def test_a_batch_that_is_deleted_while_it_is_waited_for_is_not_made_again(
    cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "lt_bench")
    gone = Reply(status=404, error={"message": "No batch found"})
    faults = by_call({"GET /batches/ID": [None, *[gone] * 9]})
    with serve_batches(hashed(), [Plan(polls=3)], faults) as server:
        (outcome,) = asked(server, questions(1))
        assert isinstance(outcome, RunError)
        assert "does not know batch_1, which was asked for 1 of these rows" in outcome.cause
        (path,) = cache.glob("batches/*/*.jsonl")
        assert str(path) in outcome.fix
        assert server.stats.calls["POST /batches"] == 1
    assert "goes on at the server" not in caplog.text


@pytest.mark.parametrize("call", ["POST /files", "POST /batches"])
def test_a_server_without_the_batch_api_is_told(call: str) -> None:
    nothing = Reply(status=404, error={"message": "Not Found"})
    with serve_batches(hashed(), fault=by_call({call: [nothing] * 9})) as server:
        (outcome,) = asked(server, questions(1))
        assert isinstance(outcome, RunError)
        assert f"has no Batch API: {call} answers HTTP 404" in outcome.cause
        assert "leave --batch out" in outcome.fix
        assert server.stats.calls[call] == 1


def test_a_server_that_only_chats_is_told() -> None:
    with serve(hashed()) as server:
        (outcome,) = asked(server.url, questions(1))
    assert isinstance(outcome, RunError)
    assert "has no Batch API" in outcome.cause


def test_nobody_at_the_address_is_told() -> None:
    (outcome,) = asked("http://localhost:1/v1", questions(1))
    assert isinstance(outcome, RunError)
    assert "no server answers at http://localhost:1/v1" in outcome.cause


def test_a_bad_key_ends_the_run_and_is_not_quoted(
    monkeypatch: pytest.MonkeyPatch, cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("MINE", SECRET)
    caplog.set_level(logging.INFO, "lt_bench")
    refusal = Reply(status=401, error={"message": f"bad key {SECRET}"})
    with serve_batches(hashed(), fault=by_call({"POST /files": [refusal]})) as server:
        (outcome,) = asked(server, questions(1), api_key_env="MINE")
        assert server.stats.headers[0]["authorization"] == f"Bearer {SECRET}"
    assert isinstance(outcome, RunError)
    assert "bad key ***" in str(outcome)
    assert SECRET not in caplog.text


def test_an_echoed_key_in_a_result_is_not_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", SECRET)
    echo = Reply(status=400, error={"message": f"who is {SECRET}?"})
    with serve_batches(scripted(echo)) as server:
        (outcome,) = asked(server, questions(1), api_key_env="MINE")
    assert isinstance(outcome, RowError)
    assert outcome.cause == "HTTP 400: who is ***?"


# --- What does not go together ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"base_url": "http://a/v1,http://b/v1"}, "--batch asks one server"),
        ({"base_url": "http://a/v1", "concurrency": "auto"}, "auto does not apply to --batch"),
        ({"base_url": "http://a/v1", "transport": "aiohttp"}, "batch needs transport=sdk"),
        ({"base_url": "http://a/v1", "batch_requests": 0}, "batch_requests"),
        ({"base_url": "http://a/v1", "batch": "perhaps"}, "batch"),
    ],
)
def test_what_does_not_go_with_a_batch_is_told(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_openai("m", {"batch": True, **options})
    assert words in str(caught.value)
    assert caught.value.fix


def test_a_judge_is_not_asked_by_batches() -> None:
    with pytest.raises(UsageError, match="--set judge_backend.batch does not apply here"):
        Panel(["openai/m"], options={"base_url": "http://a/v1", "batch": True})


def test_a_fault_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Courier, "_send", broken)
    (outcome,) = asked("http://localhost:1/v1", questions(1))
    assert isinstance(outcome, ZeroDivisionError)

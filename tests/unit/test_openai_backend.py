"""The openai backend against a real server on the loopback interface: good, odd and hostile."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import socket
import time
import traceback
from typing import Any

import pytest
from support.server import Call, Reply, Responder, Server, by_substring, hashed, scripted, serve

from lt_bench.backends import Request
from lt_bench.backends.openai.backend import OpenAIBackend
from lt_bench.config import Sampling
from lt_bench.errors import LtBenchError, RowError, RunError, UsageError
from lt_bench.records import Generation, Message, Prompt, Turn

QUICK = {"backoff": 0.01, "timeout": 5.0, "idle_timeout": 2.0}
SSE = "text/event-stream"


def question(text: str = "Is it red?", **sampling: Any) -> Request:
    prompt = Prompt(messages=(Message(role="user", content=text),))
    return Request(prompt, Sampling(**sampling), example_id=text, sample_index=0)


async def gather(url: str, requests: list[Request], options: dict[str, Any]) -> list[Any]:
    async with OpenAIBackend("m", {"base_url": url, **QUICK, **options}) as backend:
        asked = (backend.generate(request) for request in requests)
        return await asyncio.gather(*asked, return_exceptions=True)


def ask_all(url: str, requests: list[Request], **options: Any) -> list[Any]:
    return asyncio.run(gather(url, requests, options))


def ask(server: Server, request: Request | None = None, **options: Any) -> Turn:
    (outcome,) = ask_all(server.url, [request or question()], **options)
    if isinstance(outcome, BaseException):
        raise outcome
    assert isinstance(outcome, Generation)
    (turn,) = outcome.turns
    return turn


def fails(responder: Responder, kind: str, **options: Any) -> RowError:
    with serve(responder) as server, pytest.raises(RowError) as caught:
        ask(server, **{"max_attempts": 1, **options})
    assert caught.value.kind == kind
    return caught.value


def ends(responder: Responder, **options: Any) -> str:
    with serve(responder) as server, pytest.raises(RunError) as caught:
        ask(server, **options)
    return shown(caught.value)


def shown(error: LtBenchError) -> str:
    text = str(error)
    assert len(text.splitlines()) <= 6
    assert "\nfix: " in text
    return text


def events(*packets: Any, end: str = "\n\n") -> bytes:
    return "".join(
        f"data: {p if isinstance(p, str) else json.dumps(p)}{end}" for p in packets
    ).encode()


def delta(finish: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


# --- Good answers ----------------------------------------------------------------------------


def test_the_family_that_was_named_is_the_only_one_split() -> None:
    with serve(scripted(Reply("<think>Sheet: red.</think>It is red."))) as server:
        turn = ask(server, family="none")
    assert (turn.reasoning, turn.reply) == (None, "<think>Sheet: red.</think>It is red.")


def test_an_unknown_family_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(UsageError, match="unknown reasoning family 'thnik'"):
        OpenAIBackend("m", {"base_url": "http://localhost:1/v1", "family": "thnik"})


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
def test_an_answer_with_a_trace(stream: bool, name: str) -> None:
    reply = Reply("It is red.", reasoning="The sheet says red.", reasoning_field=name)
    with serve(scripted(reply)) as server:
        turn = ask(server, stream=stream)
    assert (turn.reasoning, turn.reply) == ("The sheet says red.", "It is red.")
    assert (turn.finish_reason, turn.attempts) == ("stop", 1)
    assert turn.usage is not None
    assert (turn.usage.prompt, turn.usage.output, turn.usage.reasoning) == (3, 8, 4)
    assert turn.usage.counted_by == "provider"


def test_tags_in_the_content_are_split() -> None:
    with serve(scripted(Reply("<think>Sheet: red.</think>\n\nIt is red.", piece=3))) as server:
        turn = ask(server)
    assert (turn.reasoning, turn.reply) == ("Sheet: red.", "It is red.")
    assert turn.raw == "<think>Sheet: red.</think>\n\nIt is red."


def test_f73_a_trace_without_its_count_is_uncounted() -> None:
    usage = {
        "prompt_tokens": 3,
        "completion_tokens": 474,
        "completion_tokens_details": {"reasoning_tokens": 0},
    }
    for reply in (
        Reply("Red.", reasoning="hm", usage=usage),
        Reply("<think>hm</think>Red.", usage=usage),
    ):
        with serve(scripted(reply)) as server:
            turn = ask(server)
        assert turn.usage is not None
        assert (turn.usage.output, turn.usage.reasoning) == (474, None)
        assert "reasoning_uncounted" in turn.notes


def test_without_usage_nothing_is_counted() -> None:
    with serve(scripted(Reply("Red.", usage=None))) as server:
        assert ask(server).usage is None


def test_f80_first_token_and_first_spoken_token() -> None:
    by_field = Reply("It is red.", reasoning="a b c d e f g h i j", gap=0.02)
    inline = Reply("<think>a b c d e f g h i j</think> It is red.", gap=0.02)
    implied = Reply("a b c d e f g h i j</think> It is red.", gap=0.02)
    for reply in (by_field, inline, implied):
        with serve(scripted(reply)) as server:
            timings = ask(server).timings
        assert timings.first_token is not None
        assert timings.first_reply_token is not None
        assert timings.first_reply_token - timings.first_token >= 0.15
        assert timings.first_token <= timings.first_reply_token <= timings.total
        assert timings.total - timings.first_reply_token >= 0.03


def test_f80_without_a_stream_there_is_no_first_token() -> None:
    with serve(scripted(Reply("Red.", delay=0.1))) as server:
        timings = ask(server, stream=False).timings
    assert (timings.first_token, timings.first_reply_token) == (None, None)
    assert timings.total >= 0.1


def test_f10_content_null_with_reasoning_is_truncated() -> None:
    with serve(scripted(Reply(None, reasoning="still checking", finish_reason="length"))) as server:
        for stream in (True, False):
            (generation,) = ask_all(server.url, [question()], stream=stream)
            assert generation.status == "truncated"
            assert (generation.turns[0].reasoning, generation.reply) == ("still checking", "")


def test_f11_all_in_the_trace_and_stop_is_an_unclosed_stop() -> None:
    with serve(scripted(Reply("", reasoning="It is red."))) as server:
        (generation,) = ask_all(server.url, [question()])
    assert generation.status == "truncated"
    assert "unclosed_stop" in generation.turns[0].notes


def test_an_empty_string_is_an_answer() -> None:
    with serve(scripted(Reply(""))) as server:
        for stream in (True, False):
            turn = ask(server, stream=stream)
            assert (turn.reply, turn.attempts, turn.finish_reason) == ("", 1, "stop")


def test_tool_calls_arrive_whole() -> None:
    calls = (
        {
            "id": "c1",
            "type": "function",
            "function": {"name": "price", "arguments": '{"sku": "A"}'},
        },
        {"id": "c2", "type": "function", "function": {"name": "stock", "arguments": '{"sku": '}},
    )
    with serve(scripted(Reply(None, tool_calls=calls, finish_reason="tool_calls"))) as server:
        for stream in (True, False):
            turn = ask(server, stream=stream)
            assert [(c.id, c.name, c.arguments, c.malformed) for c in turn.tool_calls] == [
                ("c1", "price", {"sku": "A"}, None),
                ("c2", "stock", {}, '{"sku": '),
            ]
            assert turn.finish_reason == "tool_calls"


# --- What is sent ----------------------------------------------------------------------------


def test_the_request_names_model_and_sampling() -> None:
    with serve(hashed()) as server:
        ask(
            server,
            question(temperature=0.7, max_tokens=64, seed=5, stop=("\n",)),
            extra_body={"chat_template_kwargs": {"enable_thinking": False}},
        )
    sent = server.calls[0].body
    assert (sent["model"], sent["temperature"], sent["max_tokens"], sent["seed"]) == (
        "m",
        0.7,
        64,
        5,
    )
    assert sent["chat_template_kwargs"] == {"enable_thinking": False}
    assert "stop" not in sent


def test_connections_are_kept() -> None:
    async def several(url: str) -> None:
        async with OpenAIBackend("m", {"base_url": url, **QUICK}) as backend:
            for n in range(5):
                await backend.generate(question(f"q{n}"))

    with serve(hashed()) as server:
        asyncio.run(several(server.url))
    assert len(server.calls) == 5
    assert {call.connection for call in server.calls} == {1}


def test_many_at_once_get_each_their_own_answer() -> None:
    respond: Responder = lambda call: Reply(f"answer to {call.text}", delay=0.3)  # noqa: E731
    began = time.monotonic()
    with serve(respond) as server:
        found = ask_all(server.url, [question(f"q{n}") for n in range(60)], concurrency=60)
    assert [g.reply for g in found] == [f"answer to q{n}" for n in range(60)]
    assert time.monotonic() - began < 9.0  # one after another: 18 s


# --- Stop strings ----------------------------------------------------------------------------


def test_f20_stop_strings_cut_the_reply_and_not_the_thinking() -> None:
    for reply in (
        Reply("<think>one\n\ntwo</think>\n\nRed.\n\nMore."),
        Reply("one\n\ntwo</think>\n\nRed.\n\nMore."),
        Reply("Red.\n\nMore.", reasoning="one\n\ntwo"),
        Reply("\n\nRed.\n\nMore.", reasoning="one\n\ntwo"),
    ):
        for stream in (True, False):
            with serve(scripted(reply)) as server:
                turn = ask(server, question(stop=("\n\n",)), stream=stream)
            assert (turn.reasoning, turn.reply) == ("one\n\ntwo", "Red.")
            assert "stop_cut" in turn.notes


def test_f20_a_stream_is_left_once_the_reply_holds_a_stop() -> None:
    long = Reply("<think>a\n\nb</think>Red.\n" + "more words " * 200, gap=0.02)
    with serve(scripted(long)) as server:
        began = time.monotonic()
        turn = ask(server, question(stop=("\n",)))
        assert time.monotonic() - began < 2.0
        wait_for(lambda: server.calls[0].outcome == "client gone")
    assert turn.reply == "Red."
    assert turn.usage is None


def wait_for(condition: Any) -> None:
    deadline = time.monotonic() + 2.0
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert condition()


# --- Servers that want to be asked otherwise -------------------------------------------------


def refuse(field: str, words: str) -> Responder:
    """400 whenever `field` is in the request."""

    def respond(call: Call) -> Reply:
        if call.body.get(field):
            return Reply(status=400, error={"message": words, "param": field})
        return Reply("It is red.")

    return respond


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("stream_options", "Unknown parameter: stream_options"),
        ("stream", "streaming is not supported"),
        ("max_tokens", "Unsupported parameter: use 'max_completion_tokens' instead."),
    ],
)
def test_what_a_server_objects_to_is_left_out_and_remembered(field: str, words: str) -> None:
    async def twice(url: str) -> list[str]:
        async with OpenAIBackend("m", {"base_url": url, **QUICK, "max_attempts": 1}) as backend:
            return [(await backend.generate(question(f"q{n}"))).reply for n in range(3)]

    with serve(refuse(field, words)) as server:
        assert asyncio.run(twice(server.url)) == ["It is red."] * 3
    assert [field in call.body and bool(call.body[field]) for call in server.calls] == [True] + [
        False
    ] * 3
    if field == "max_tokens":
        assert server.calls[-1].body["max_completion_tokens"] == 2048


def test_a_server_that_refuses_all_three_is_asked_without_them() -> None:
    def respond(call: Call) -> Reply:
        for field, words in (
            ("stream_options", "stream_options: extra inputs are not permitted"),
            ("max_tokens", "max_tokens is not supported, use max_completion_tokens"),
            ("stream", "stream must be false"),
        ):
            if call.body.get(field):
                return Reply(status=422, error={"message": words})
        return Reply("It is red.")

    with serve(respond) as server:
        assert ask(server, max_attempts=1).reply == "It is red."


def test_json_to_a_streamed_request_is_read() -> None:
    with serve(scripted(Reply("It is red.", reasoning="hm", stream=False))) as server:
        turn = ask(server)
    assert (turn.reasoning, turn.reply, turn.timings.first_token) == ("hm", "It is red.", None)


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", SSE])
def test_events_are_known_by_themselves_whatever_the_content_type(content_type: str) -> None:
    body = events(delta(content="It is "), delta("stop", content="red."), "[DONE]")
    with serve(scripted(Reply(body=body, content_type=content_type))) as server:
        assert ask(server).reply == "It is red."


@pytest.mark.parametrize(
    "body",
    [
        b": hello\r\n\r\n"
        + events(delta(content="It is "), delta("stop", content="red."), "[DONE]", end="\r\n\r\n"),
        events(delta(content="It is "), delta("stop", content="red.")),
        events(delta(content="It is "), delta(content="red."), "[DONE]"),
        events(delta(content="It is "), delta("stop", content="red.")).rstrip(),
        b"\xef\xbb\xbf\n"
        + events(delta(content="It is "), delta("stop", content="red."), "[DONE]", "junk"),
        b'event: ping\ndata: {"type": "ping"}\n\n'
        + events(delta(content="It is "), delta("stop", content="red.")),
        events(
            json.dumps(delta("stop", content="It is red."), indent=1).replace("\n", "\ndata: "),
            "[DONE]",
        ),
    ],
)
def test_odd_but_whole_streams(body: bytes) -> None:
    with serve(scripted(Reply(body=body, content_type=SSE))) as server:
        assert ask(server, max_attempts=1).reply == "It is red."


def test_a_finished_answer_does_not_wait_for_a_stream_that_never_ends() -> None:
    body = events(delta("stop", content="It is red."))
    reply = Reply(body=body, content_type=SSE, headers={"Content-Length": "99999"})
    began = time.monotonic()
    with serve(scripted(reply)) as server:
        assert ask(server, idle_timeout=0.2).reply == "It is red."
    assert time.monotonic() - began < 1.5


def test_a_finished_answer_does_not_wait_for_a_server_that_keeps_pinging() -> None:
    async def ping(reader: Any, writer: Any) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        writer.write(events(delta("stop", content="It is red.")))
        while not writer.is_closing():
            writer.write(b": ping\n\n")
            await asyncio.sleep(0.05)

    async def main() -> Any:
        async with await asyncio.start_server(ping, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            options = {"idle_timeout": 0.3, "max_attempts": 1}
            return await gather(f"http://127.0.0.1:{port}/v1", [question()], options)

    began = time.monotonic()
    (generation,) = asyncio.run(main())
    assert generation.reply == "It is red."
    assert time.monotonic() - began < 2.0


def test_a_compressed_answer_is_read() -> None:
    plain = json.dumps({"choices": [{"message": {"content": "It is red."}}]}).encode()
    reply = Reply(body=gzip.compress(plain, mtime=0), headers={"Content-Encoding": "gzip"})
    with serve(scripted(reply)) as server:
        assert ask(server).reply == "It is red."


# --- Faults that pass ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [
        Reply(status=500),
        Reply(status=503, headers={"Retry-After": "0.01"}),
        Reply(status=408),
        Reply(status=409),
        Reply(status=429),
        Reply("It is red and blue.", fault="cut"),
        Reply("It is red.", fault="malformed"),
        Reply(fault="disconnect"),
        Reply(None),
        Reply(choices=[]),
        Reply(error={"message": "overloaded", "code": 502}),
        Reply(
            body=events(delta(content="It"), {"error": {"message": "worker died"}}),
            content_type=SSE,
        ),
        Reply(body=events(delta(content="It is")), content_type=SSE),
        Reply(body=events(delta(content="It is")) + b'data: {"choi', content_type=SSE),
        Reply(body=b"\xff\xfe{", content_type="application/json"),
        Reply(body=b""),
        Reply(body=b"<html><body>captive portal</body></html>", content_type="text/html"),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
def test_f63_a_passing_fault_is_retried_and_counted(fault: Reply, stream: bool) -> None:
    with serve(scripted(fault, Reply("It is red."))) as server:
        turn = ask(server, stream=stream)
    assert (turn.reply, turn.attempts) == ("It is red.", 2)
    assert len(server.calls) == 2


def test_f63_one_row_that_always_fails_costs_one_row() -> None:
    table = {"q7": [Reply(status=500, error={"message": "out of luck"})]}
    with serve(by_substring(table)) as server:
        found = ask_all(server.url, [question(f"q{n}.") for n in range(20)], max_attempts=3)
    failed = [f for f in found if not isinstance(f, Generation)]
    (error,) = failed
    assert isinstance(error, RowError)
    assert (error.kind, error.attempts, str(error)) == ("server", 3, "HTTP 500: out of luck")
    assert sum("q7." in call.text for call in server.calls) == 3


def test_f65_retry_after_two_seconds_is_waited_and_the_retry_counted() -> None:
    limited = Reply(status=429, headers={"Retry-After": "2"})
    with serve(scripted(limited, Reply("It is red."))) as server:
        turn = ask(server)
    assert server.calls[1].at - server.calls[0].at >= 2.0
    assert (turn.reply, turn.attempts) == ("It is red.", 2)
    assert turn.timings.queued >= 2.0
    assert turn.timings.first_token is not None
    assert turn.timings.first_token > turn.timings.queued


def test_f65_an_unreasonable_retry_after_fails_the_row_at_once() -> None:
    limited = Reply(status=429, headers={"Retry-After": "86400"}, error={"message": "daily limit"})
    error = fails(scripted(limited), "rate_limited", max_attempts=5)
    assert str(error).startswith("HTTP 429: daily limit; the server asks to wait 86400 s")
    assert error.attempts == 1


def test_f66_an_answer_after_the_time_out_is_discarded_with_its_connection() -> None:
    with serve(scripted(Reply("too late", delay=1.2), Reply("in time", delay=0.5))) as server:
        turn = ask(server, timeout=1.0)
        wait_for(lambda: server.calls[0].outcome == "client gone")
        time.sleep(0.3)
    assert (turn.reply, turn.attempts) == ("in time", 2)
    assert server.calls[1].connection != server.calls[0].connection
    assert [call.outcome for call in server.calls] == ["client gone", "answered"]


def test_a_stream_that_falls_silent_is_a_time_out() -> None:
    error = fails(scripted(Reply("a b c d", gap=5.0)), "timeout", idle_timeout=0.2)
    assert "silent for 0.2 s" in str(error)


def test_a_slow_stream_is_not_a_time_out() -> None:
    with serve(scripted(Reply("a b c d e f", gap=0.1))) as server:
        assert ask(server, idle_timeout=0.3).reply == "a b c d e f"


def test_a_server_that_hangs_is_a_time_out() -> None:
    assert "within 0.3 s" in str(fails(scripted(Reply(fault="hang")), "timeout", timeout=0.3))


def test_a_cancelled_call_closes_its_connection() -> None:
    async def cancel(url: str) -> None:
        async with OpenAIBackend("m", {"base_url": url, **QUICK}) as backend:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(backend.generate(question()), 0.2)

    with serve(scripted(Reply("late", delay=3.0))) as server:
        asyncio.run(cancel(server.url))
        wait_for(lambda: server.calls[0].outcome == "client gone")
    assert len(server.calls) == 1


# --- Faults that stay ------------------------------------------------------------------------


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_refused_request_is_not_sent_again(status: int) -> None:
    error = fails(
        scripted(Reply(status=status, error={"message": "too long"})), "bad_request", max_attempts=5
    )
    assert (str(error), error.attempts) == (f"HTTP {status}: too long", 1)


def test_f48_filters_are_refusals() -> None:
    fails(scripted(Reply("", finish_reason="content_filter")), "content_filter", max_attempts=5)
    fails(
        scripted(Reply("The pri", finish_reason="content_filter")), "content_filter", stream=False
    )
    blocked = Reply(status=400, error={"message": "policy", "code": "content_filter"})
    assert fails(scripted(blocked), "content_filter", max_attempts=5).attempts == 1


def test_an_empty_answer_is_an_error_in_the_end() -> None:
    error = fails(scripted(Reply(None)), "empty", max_attempts=3)
    assert error.attempts == 3


def test_a_cut_stream_is_never_taken_for_an_answer() -> None:
    error = fails(scripted(Reply("It is red and blue.", fault="cut")), "connection", max_attempts=2)
    assert error.attempts == 2
    fails(scripted(Reply("It is red.", fault="cut")), "connection", stream=False)


def test_gigantic_bodies_are_bounded() -> None:
    huge = Reply(body=b'{"choices": "' + b"x" * 3_000_000 + b'"}')
    stream = Reply(body=events(*[delta(content="word " * 100)] * 4000), content_type=SSE)
    line = Reply(body=b"data: " + b"x" * 3_000_000, content_type=SSE)
    bomb = Reply(
        body=gzip.compress(b" " * 50_000_000, mtime=0), headers={"Content-Encoding": "gzip"}
    )
    for reply in (huge, stream, line, bomb):
        error = fails(scripted(reply), "malformed", max_bytes=1_000_000)
        assert "larger than 1000000 bytes" in str(error)


def test_an_error_page_that_never_ends_is_not_waited_for() -> None:
    endless = Reply(status=500, body=b"out of order", headers={"Content-Length": "99999"})
    began = time.monotonic()
    assert str(fails(scripted(endless), "server", timeout=30.0)) == "HTTP 500: out of order"
    assert time.monotonic() - began < 4.0


def test_broken_compression_is_a_connection_fault() -> None:
    fails(scripted(Reply(body=b"not gzip", headers={"Content-Encoding": "gzip"})), "connection")


def test_an_error_page_is_quoted_in_short_and_harmlessly() -> None:
    page = "<html><body><h1>502 Bad\x1b[2J Gateway</h1>" + "<p>nginx</p>" * 5000 + "</body></html>"
    error = fails(
        scripted(Reply(status=502, body=page.encode(), content_type="text/html")), "server"
    )
    assert str(error).startswith("HTTP 502: 502 Bad Gateway nginx")
    assert str(error).isprintable()
    assert len(str(error)) < 250


def test_what_is_not_http_is_a_connection_fault() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        async def babble(reader: Any, writer: Any) -> None:
            await reader.read(100)
            writer.write(b"220 smtp.example ESMTP\r\n")
            writer.close()

        async def main() -> Any:
            async with await asyncio.start_server(babble, sock=listener):
                url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
                return await gather(url, [question()], {"max_attempts": 2})

        (error,) = asyncio.run(main())
    assert isinstance(error, RowError)
    assert (error.kind, error.attempts) == ("connection", 2)
    assert "not HTTP" in str(error)


def test_a_server_that_dies_in_mid_run_fails_rows_and_not_the_run() -> None:
    async def two(server: Server, stop: Any) -> Any:
        async with OpenAIBackend(
            "m", {"base_url": server.url, **QUICK, "max_attempts": 2}
        ) as backend:
            await backend.generate(question())
            await asyncio.to_thread(stop.__exit__, None, None, None)
            return await asyncio.gather(backend.generate(question()), return_exceptions=True)

    running = serve(hashed())
    (error,) = asyncio.run(two(running.__enter__(), running))
    assert isinstance(error, RowError)
    assert (error.kind, error.attempts) == ("connection", 2)


# --- What ends the run -----------------------------------------------------------------------


def test_a_refused_connection_ends_the_run_and_says_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    (error,) = ask_all(f"http://127.0.0.1:{port}/v1", [question()])
    assert isinstance(error, RunError)
    text = shown(error)
    assert "connection refused" in text
    assert f"curl http://127.0.0.1:{port}/v1/models" in text


def test_an_unknown_host_ends_the_run() -> None:
    (error,) = ask_all("http://no-such-host.invalid/v1", [question()])
    assert isinstance(error, RunError)
    assert "host name is not known" in shown(error)


def test_https_to_a_plain_server_ends_the_run() -> None:
    with serve(hashed()) as server:
        (error,) = ask_all(server.url.replace("http:", "https:"), [question()])
    assert isinstance(error, RunError)
    assert "https:// against http://" in shown(error)


@pytest.mark.parametrize("status", [401, 402, 403])
def test_a_bad_key_ends_the_run(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = scripted(Reply(status=status, error={"message": "no such key"}))
    text = ends(refused)
    assert f"HTTP {status}: no such key" in text
    if status != 402:
        assert "--api-key-env" in text
    monkeypatch.setenv("TEST_KEY", "sk-0123456789")
    assert "key" in ends(refused, api_key_env="TEST_KEY")


def test_an_unknown_model_ends_the_run() -> None:
    text = ends(scripted(Reply(status=404, error={"message": "model m does not exist"})))
    assert "model m does not exist" in text
    assert "/v1/models" in text
    named = {"message": "m is not a valid model", "param": "model"}
    assert "check the model name 'm'" in ends(scripted(Reply(status=400, error=named)))


def test_no_money_ends_the_run_although_it_is_a_429() -> None:
    error = {"message": "You exceeded your quota", "code": "insufficient_quota"}
    assert "top up" in ends(scripted(Reply(status=429, error=error)))


def test_a_sampling_field_that_the_model_refuses_ends_the_run_with_the_way_round() -> None:
    words = {"message": "Unsupported value: 'temperature'", "param": "temperature"}
    respond = refuse("temperature", words["message"])
    with serve(respond) as server:
        (error,) = ask_all(server.url, [question(temperature=0.5)])
        assert isinstance(error, RunError)
        assert "backend.extra_body={temperature: null}" in shown(error)
        turn = ask(server, question(temperature=0.5), extra_body={"temperature": None})
    assert turn.reply == "It is red."


def test_after_a_first_answer_a_403_or_404_is_one_rows_fault() -> None:
    async def three(url: str) -> list[Any]:
        async with OpenAIBackend("m", {"base_url": url, **QUICK}) as backend:
            first = [await backend.generate(question("fine"))]
            asked = (backend.generate(question(text)) for text in ("flagged", "gone"))
            return first + await asyncio.gather(*asked, return_exceptions=True)

    table = {"flagged": [Reply(status=403)], "gone": [Reply(status=404)]}
    with serve(by_substring(table)) as server:
        _, flagged, gone = asyncio.run(three(server.url))
    assert (flagged.kind, flagged.attempts) == ("auth", 1)
    assert (gone.kind, gone.attempts) == ("bad_request", 1)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed_with_the_key(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_KEY", "sk-0123456789")
    with serve(hashed()) as thief:
        target = thief.url.replace("http://", "http://me:pw@") + "/chat/completions?sig=abc"
        text = ends(
            scripted(Reply(status=status, headers={"Location": target})), api_key_env="TEST_KEY"
        )
        assert thief.calls == []
    assert "redirects to" in text
    assert "sig=abc" not in text
    assert "pw" not in text.split("redirects to")[1].split(";")[0]


# --- Secrets ---------------------------------------------------------------------------------


def test_the_key_is_sent_to_the_named_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "sk-0123456789")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other-key")
    with serve(hashed()) as server:
        ask(server, api_key_env="TEST_KEY")
        ask(server)
    assert server.calls[0].headers["authorization"] == "Bearer sk-0123456789"
    assert "authorization" not in server.calls[1].headers


def test_user_info_in_the_address_is_sent_as_basic_login() -> None:
    with serve(hashed()) as server:
        url = server.url.replace("http://", "http://me:p%40ss@")
        (generation,) = ask_all(url, [question()])
    assert isinstance(generation, Generation)
    assert server.calls[0].headers["authorization"] == "Basic bWU6cEBzcw=="


@pytest.mark.parametrize(
    "echo",
    [
        Reply(status=401, error={"message": "bad key KEY"}),
        Reply(status=400, error={"message": "x" * 185 + " KEY and more words after it"}),
        Reply(status=500, body=b"<p>headers: Bearer KEY</p>"),
        Reply(body=b"KEY is not JSON"),
        Reply(body=b"x" * 185 + b" KEY and more words after it that go on for long enough"),
        Reply(error={"message": "bad key KEY"}),
        Reply("", finish_reason="error"),
        Reply(fault="disconnect"),
        Reply(status=302, headers={"Location": "http://h/KEY"}),
    ],
)
def test_no_secret_in_errors_logs_reprs_or_tracebacks(
    echo: Reply, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "sk-0123456789abcdef"
    monkeypatch.setenv("TEST_KEY", secret)
    caplog.set_level(logging.DEBUG)
    text = json.dumps(echo.error).replace("KEY", secret)
    reply = Reply(
        **{
            **echo.__dict__,
            "error": json.loads(text),
            "body": echo.body and echo.body.replace(b"KEY", secret.encode()),
            "headers": {k: v.replace("KEY", secret) for k, v in echo.headers.items()},
        }
    )
    with serve(scripted(reply)) as server:
        backend = OpenAIBackend("m", {"base_url": server.url, "api_key_env": "TEST_KEY", **QUICK})
        (error,) = ask_all(server.url, [question()], api_key_env="TEST_KEY", max_attempts=2)
        assert server.calls[0].headers["authorization"] == f"Bearer {secret}"
    assert isinstance(error, RowError | RunError)
    seen = "".join(traceback.format_exception(error)) + repr(error) + caplog.text
    for words in (seen, repr(backend), repr(vars(backend)), repr(backend.facts)):
        assert "sk-01234" not in words


# --- Settings --------------------------------------------------------------------------------


def test_facts_name_the_model_and_never_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = OpenAIBackend("org/name", {"base_url": "http://h:8000/v1"}).facts
    assert (facts.name, facts.backend, facts.fingerprint) == (
        "openai/org/name",
        "openai",
        "org/name",
    )
    assert (facts.counted_by, facts.architecture) == ("provider", None)
    other = OpenAIBackend("org/name", {"base_url": "http://other/v1", "fingerprint": "rev-2"}).facts
    assert other.fingerprint == "rev-2"
    assert "8000" not in facts.model_dump_json()


def test_facts_hold_the_settings_that_may_change_answers_and_no_others() -> None:
    fast = {"concurrency": 8, "timeout": 9.0, "stream": False, "base_url": "http://h/v1"}
    plain = OpenAIBackend("m", {"base_url": "http://other/v1"}).facts
    assert OpenAIBackend("m", fast).facts == plain
    thinking = {"chat_template_kwargs": {"enable_thinking": True}}
    changed = OpenAIBackend("m", {**fast, "extra_body": thinking}).facts
    assert changed.settings["extra_body"] == thinking


def test_the_default_is_openai_and_needs_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="OPENAI_API_KEY is not set"):
        OpenAIBackend("gpt", {})
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    assert OpenAIBackend("gpt", {}).concurrency == 64


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"base_ulr": "x"}, "Did you mean 'base_url'"),
        ({"api_key": "sk-0123456789"}, "Did you mean 'api_key_env'"),
        ({"api_key_env": "sk-0123456789"}, "name of an environment variable"),
        ({"api_key_env": "LT_BENCH_NO_SUCH"}, "LT_BENCH_NO_SUCH is not set"),
        ({"concurrency": 0}, "concurrency"),
        ({"base_url": "localhost:8000"}, "http://"),
        ({"extra_body": {"stop": ["a"]}}, "sampling.stop"),
    ],
)
def test_bad_settings_are_told_before_any_call(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        OpenAIBackend("m", {"base_url": "http://h/v1", **options})
    assert "sk-0123" not in str(caught.value)


def test_a_model_without_a_name_is_told() -> None:
    with pytest.raises(UsageError, match="model's name"):
        OpenAIBackend("", {"base_url": "http://h/v1"})

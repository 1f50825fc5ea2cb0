"""Several servers of one model: who is asked, who is left out, and who gets which key."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from support.server import Call, Reply, Responder, Server, hashed, scripted, serve

from lt_bench.backends import Request
from lt_bench.backends.openai.backend import OpenAIBackend
from lt_bench.backends.openai.dialect import Dialect
from lt_bench.backends.openai.endpoint import open_endpoint
from lt_bench.backends.openai.servers import FAULTS, LONGEST_REST, REST, Servers
from lt_bench.backends.openai.servers import Server as OneServer
from lt_bench.config import Sampling
from lt_bench.errors import LtBenchError, RunError, UsageError
from lt_bench.records import Generation, Message, Prompt

QUICK = {"backoff": 0.01, "timeout": 5.0, "idle_timeout": 2.0}


def question(text: str) -> Request:
    prompt = Prompt(messages=(Message(role="user", content=text),))
    return Request(prompt, Sampling(), example_id=text, sample_index=0)


def ask_all(urls: list[str], count: int, at_once: int = 8, **options: Any) -> list[Any]:
    async def run() -> list[Any]:
        settings = {"base_url": urls, "concurrency": at_once, **QUICK, **options}
        async with OpenAIBackend("m", settings) as backend:
            queue, found = iter(range(count)), []

            async def worker() -> None:
                for number in queue:
                    try:
                        found.append(await backend.generate(question(f"q{number}")))
                    except LtBenchError as error:
                        found.append(error)

            await asyncio.gather(*(worker() for _ in range(at_once)))
            return found

    return asyncio.run(run())


@contextmanager
def several(*responders: Responder) -> Iterator[list[Server]]:
    with ExitStack() as stack:
        yield [stack.enter_context(serve(responder)) for responder in responders]


def nobody() -> str:
    """An address at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return f"http://127.0.0.1:{port}/v1"


def after(seconds: float) -> Responder:
    answer = hashed()

    def respond(call: Call) -> Reply:
        found = answer(call)
        return Reply(found.content, delay=seconds)

    return respond


def two(now: float = 100.0) -> tuple[Servers, OneServer, OneServer, float]:
    made = [
        OneServer(open_endpoint(f"http://{name}/v1", None, {}), Dialect()) for name in ("a", "b")
    ]
    return Servers(made), made[0], made[1], now


# --- Who is asked ----------------------------------------------------------------------------


def test_rows_are_shared_and_every_row_is_asked_once() -> None:
    with several(after(0.02), after(0.02)) as servers:
        found = ask_all([server.url for server in servers], 40)
        asked = [len(server.calls) for server in servers]
    assert all(isinstance(one, Generation) for one in found)
    assert sum(asked) == 40
    assert min(asked) >= 15


def test_a_slow_server_gets_fewer_rows() -> None:
    with several(after(0.01), after(0.2)) as (quick, slow):
        ask_all([quick.url, slow.url], 60, at_once=4)
        assert len(quick.calls) > 3 * len(slow.calls) > 0


def test_the_fewest_outstanding_requests_decide() -> None:
    servers, a, b, now = two()
    a.outstanding, b.outstanding = 3, 2
    assert servers.pick(now) is b
    b.outstanding = 4
    assert servers.pick(now) is a


def test_urls_may_stand_in_one_word_and_are_taken_once() -> None:
    backend = OpenAIBackend("m", {"base_url": "http://a/v1, http://b/v1,http://a/v1/"})
    assert [s.endpoint.shown for s in backend._servers.all] == ["http://a/v1", "http://b/v1"]


# --- Who is left out -------------------------------------------------------------------------


def test_a_dead_server_costs_no_row_and_no_wait() -> None:
    with serve(hashed()) as server:
        began = time.perf_counter()
        found = ask_all([nobody(), server.url], 30, backoff=5.0)
        took = time.perf_counter() - began
        assert len(server.calls) == 30
    assert all(isinstance(one, Generation) for one in found)
    assert all(one.turns[0].attempts == 1 for one in found)
    assert took < 4.0


def test_a_server_that_dies_in_mid_run_leaves_its_rows_to_the_others() -> None:
    with serve(after(0.01)) as alive, ExitStack() as dying:
        other = dying.enter_context(serve(after(0.01)))

        def respond(call: Call) -> Reply:
            if call.number > 5:
                return Reply(fault="disconnect")
            return Reply("ok", delay=0.01)

        other.responder = respond
        found = ask_all([alive.url, other.url], 60, at_once=6)
        assert len(other.calls) < 20
    assert all(isinstance(one, Generation) for one in found)


def test_nobody_at_any_address_ends_the_run() -> None:
    found = ask_all([nobody(), nobody()], 1)
    assert isinstance(found[0], RunError)
    assert "no server answers at" in found[0].cause


def test_a_server_is_left_out_after_three_faults_in_a_row_and_tried_by_one_request() -> None:
    servers, a, b, now = two()
    for _ in range(FAULTS - 1):
        servers.failed(a, now, "HTTP 500")
    assert servers.pick(now) is a
    servers.failed(a, now, "HTTP 500")
    b.outstanding = 50
    assert servers.pick(now) is b
    later = now + REST
    assert servers.pick(later) is a
    a.outstanding = 1
    assert servers.pick(later) is b
    a.outstanding = 0
    a.answered()
    a.outstanding = 1
    assert servers.pick(later) is a


def test_rests_grow_and_have_an_end() -> None:
    servers, a, _, now = two()
    rests = []
    for _ in range(10):
        servers.failed(a, now, "gone", gone=True)
        rests.append(a.out_until - now)
        now = a.out_until
    assert rests[:3] == [REST, 2 * REST, 4 * REST]
    assert rests[-1] == LONGEST_REST


def test_the_requests_that_were_under_way_when_it_died_do_not_lengthen_its_rest() -> None:
    servers, a, _, now = two()
    for _ in range(30):
        servers.failed(a, now, "gone", gone=True)
    assert a.out_until - now == REST


def test_with_all_left_out_the_one_that_rested_longest_is_asked() -> None:
    servers, a, b, now = two()
    servers.failed(b, now, "gone", gone=True)
    servers.failed(a, now + 1, "gone", gone=True)
    assert servers.pick(now + 1.5) is b


def test_a_single_server_is_never_left_out() -> None:
    a = OneServer(open_endpoint("http://a/v1", None, {}), Dialect())
    servers = Servers([a])
    for _ in range(9):
        servers.failed(a, 0.0, "HTTP 500")
    assert servers.pick(0.0) is a


def test_each_server_is_asked_in_its_own_dialect() -> None:
    def old(call: Call) -> Reply:
        if "stream_options" in call.body:
            return Reply(status=400, error={"message": "stream_options is not supported"})
        return Reply("old")

    with several(old, hashed()) as (first, second):
        found = ask_all([first.url, second.url], 20, at_once=2)
        assert all("stream_options" in call.body for call in second.calls)
        assert sum("stream_options" in call.body for call in first.calls) <= 2
    assert all(isinstance(one, Generation) for one in found)


def test_a_key_that_one_server_refuses_ends_the_run_and_names_it() -> None:
    refuses = scripted(Reply(status=401, error={"message": "bad key"}))
    with several(refuses, hashed()) as (first, second):
        found = ask_all([first.url, second.url], 4, at_once=2)
    ends = [one for one in found if isinstance(one, RunError)]
    assert ends
    assert first.url in ends[0].cause


# --- Who gets which key ----------------------------------------------------------------------


def sent(server: Server) -> set[str]:
    return {call.headers.get("authorization", "") for call in server.calls}


def test_a_key_goes_to_the_host_it_was_named_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_A", "key-for-a-0123456789")
    with several(after(0.01), after(0.01)) as (first, second):
        other = second.url.replace("127.0.0.1", "localhost")
        found = ask_all([first.url, other], 12, api_key_env="127.0.0.1=KEY_A")
        assert all(isinstance(one, Generation) for one in found)
        assert sent(first) == {"Bearer key-for-a-0123456789"}
        assert sent(second) == {""}


def test_two_hosts_have_two_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_A", "key-for-a-0123456789")
    monkeypatch.setenv("KEY_B", "key-for-b-0123456789")
    with several(after(0.01), after(0.01)) as (first, second):
        other = second.url.replace("127.0.0.1", "localhost")
        named = ["127.0.0.1=KEY_A", "localhost=KEY_B"]
        ask_all([first.url, other], 12, api_key_env=named)
        assert sent(first) == {"Bearer key-for-a-0123456789"}
        assert sent(second) == {"Bearer key-for-b-0123456789"}


def test_one_host_with_two_ports_has_one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_A", "key-for-a-0123456789")
    with several(after(0.01), after(0.01)) as (first, second):
        ask_all([first.url, second.url], 12, api_key_env="KEY_A")
        assert sent(first) == sent(second) == {"Bearer key-for-a-0123456789"}


def test_openais_key_goes_to_openai_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    both = {"base_url": ["https://api.openai.com/v1", "http://b/v1"]}
    openai, other = (server.endpoint for server in OpenAIBackend("m", both)._servers.all)
    assert openai.authorization == "Bearer sk-0123456789"
    assert other.authorization == ""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"api_key_env": "KEY_A"}, "does not say which of the hosts"),
        ({"api_key_env": "c=KEY_A"}, "names a host that no --base-url has"),
        ({"api_key_env": ["a=KEY_A", "a=KEY_B"]}, "two keys for a"),
        ({"api_key_env": "a=sk-0123456789"}, "takes the name of an environment variable"),
        ({"base_url": ","}, "empty"),
        ({"base_url": ["http://a/v1", "b:8000"]}, "http://"),
        ({"concurrency": "many"}, "auto"),
        ({"concurrency": "0"}, "auto"),
        ({"concurrency": True}, "auto"),
        ({"concurrency": 2.5}, "auto"),
    ],
)
def test_settings_that_do_not_fit_are_told(
    options: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_A", "key-for-a-0123456789")
    monkeypatch.setenv("KEY_B", "key-for-b-0123456789")
    with pytest.raises(UsageError, match=words) as caught:
        OpenAIBackend("m", {"base_url": ["http://a/v1", "http://b/v1"], **options})
    assert "0123456789" not in str(caught.value)


# --- Adaptive concurrency --------------------------------------------------------------------


def test_auto_answers_every_row_of_a_server_that_takes_few() -> None:
    inside = {"now": 0}

    def respond(call: Call) -> Reply:
        # The scripted server is one thread: `delay` keeps a request inside for so long.
        inside["now"] = sum(other.outcome == "open" for other in call_log)
        if inside["now"] > 4:
            return Reply(status=429, headers={"Retry-After": "0.01"})
        return Reply("ok", delay=0.02)

    with serve(respond) as server:
        call_log = server.calls
        found = ask_all([server.url], 120, at_once=64, concurrency="auto")
    assert all(isinstance(one, Generation) for one in found)


def test_auto_is_one_of_the_numbers_a_person_may_type() -> None:
    assert OpenAIBackend("m", {"base_url": "http://a/v1", "concurrency": "12"}).concurrency == 12
    backend = OpenAIBackend("m", {"base_url": "http://a/v1", "concurrency": "auto"})
    assert backend.pace is not None
    assert backend.concurrency >= 64

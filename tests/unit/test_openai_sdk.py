"""The openai package as a transport: every test of the backend once more through it, and what only it
can do (Azure, clients of the user's own)."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.command import environment
from support.server import Reply, Responder, Server, by_substring, hashed, scripted, serve

from lt_bench.backends import Request
from lt_bench.backends.openai.backend import OpenAIBackend
from lt_bench.config import Sampling
from lt_bench.errors import RowError, RunError, UsageError
from lt_bench.records import Generation, Message, Prompt, Turn

FAST = {"backoff": 0.01, "timeout": 5.0, "idle_timeout": 2.0}
SDK = {**FAST, "transport": "sdk"}
SECRET = "sk-0123456789abcdef"
VARIABLES = (
    *("AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN"),
    *("OPENAI_API_VERSION", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID"),
)


# --- The same as with aiohttp ----------------------------------------------------------------


def backend_tests() -> Iterator[tuple[str, Any]]:
    """The tests of the backend, asking through the package."""
    path = Path(__file__).with_name("test_openai_backend.py")
    spec = importlib.util.spec_from_file_location("backend_tests_through_the_sdk", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.QUICK = {**module.QUICK, "transport": "sdk"}
    # The package writes while the server is already gone, and sees only that.
    del module.test_what_is_not_http_is_a_connection_fault
    # Bounds the time of many requests, for which the package is not chosen.
    del module.test_many_at_once_get_each_their_own_answer
    yield from ((name, value) for name, value in vars(module).items() if name.startswith("test_"))


globals().update(backend_tests())


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No keys of the one who runs the tests; no trace of the HTTP library, which shows every header."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name in ("httpcore", "httpcore2"):
        monkeypatch.setattr(logging.getLogger(name), "level", logging.INFO)


def question(text: str = "Is it red?", **sampling: Any) -> Request:
    prompt = Prompt(messages=(Message(role="user", content=text),))
    return Request(prompt, Sampling(**sampling), example_id=text, sample_index=0)


def outcomes(options: dict[str, Any], *requests: Request) -> list[Any]:
    async def gather() -> list[Any]:
        async with OpenAIBackend("m", {**SDK, **options}) as backend:
            asked = (backend.generate(request) for request in requests or (question(),))
            return await asyncio.gather(*asked, return_exceptions=True)

    return asyncio.run(gather())


def ask(options: dict[str, Any], request: Request | None = None) -> Turn:
    (outcome,) = outcomes(options, request or question())
    if isinstance(outcome, BaseException):
        raise outcome
    assert isinstance(outcome, Generation)
    return outcome.turns[0]


def test_the_same_request_goes_out_and_the_same_answer_comes_in() -> None:
    reply = Reply("<think>Sheet: red.</think>It is red.", piece=3)
    asked = question(temperature=0.5, top_p=0.9, top_k=7, max_tokens=12, seed=3)
    extra = {"chat_template_kwargs": {"enable_thinking": False}}
    seen, turns = [], []
    for transport in ("aiohttp", "sdk"):
        with serve(scripted(reply)) as server:
            options = {"base_url": server.url, "transport": transport, "extra_body": extra}
            turn = ask(options, asked)
            turns.append(turn.model_dump(exclude={"timings"}))
            seen.append((server.calls[0].body, server.calls[0].path))
            assert turn.timings.first_token is not None
    assert seen[0] == seen[1]
    assert turns[0] == turns[1]


def test_several_servers_share_the_rows() -> None:
    with serve(hashed(), delay=0.05) as one, serve(hashed(), delay=0.05) as other:
        requests = [question(str(i)) for i in range(8)]
        answers = outcomes({"base_url": [one.url, other.url]}, *requests)
        assert all(isinstance(answer, Generation) for answer in answers)
        assert len(one.calls) == len(other.calls) == 4


def test_nothing_but_the_key_that_was_named_goes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, SECRET)
    with serve(hashed()) as server:
        ask({"base_url": server.url})
        assert SECRET not in str(server.calls[0].headers)
        monkeypatch.setenv("MINE", "sk-mine-4711")
        ask({"base_url": server.url, "api_key_env": "MINE"})
        assert server.calls[1].headers["authorization"] == "Bearer sk-mine-4711"
        assert SECRET not in str(server.calls[1].headers)


def test_cookies_are_not_kept() -> None:
    with serve(scripted(Reply("Red.", headers={"Set-Cookie": "a=b; Path=/"}))) as server:

        async def twice() -> None:
            async with OpenAIBackend("m", {**SDK, "base_url": server.url}) as backend:
                await backend.generate(question("one"))
                await backend.generate(question("two"))

        asyncio.run(twice())
        assert "cookie" not in server.calls[1].headers


def test_the_package_is_loaded_only_when_it_is_asked_for() -> None:
    code = (
        "import asyncio, sys\n"
        "from lt_bench.backends.openai.backend import OpenAIBackend\n"
        "from lt_bench.backends import Request\n"
        "from lt_bench.config import Sampling\n"
        "from lt_bench.records import Message, Prompt\n"
        "async def main(**more):\n"
        "    async with OpenAIBackend('m', {'base_url': sys.argv[1], **more}) as backend:\n"
        "        prompt = Prompt(messages=(Message(role='user', content='x'),))\n"
        "        await backend.generate(Request(prompt, Sampling(), 'a', 0))\n"
        "    print('openai' in sys.modules)\n"
        "asyncio.run(main())\n"
        "asyncio.run(main(transport='sdk'))\n"
    )
    with serve(hashed()) as server:
        command = [sys.executable, "-c", code, server.url]
        done = subprocess.run(command, capture_output=True, text=True, env=environment())
    assert done.stdout.split() == ["False", "True"], done.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"client": "azure", "transport": "aiohttp"}, "client=azure needs transport=sdk"),
        ({"client": "gcp"}, "is no client"),
        ({"client": "no_such_module:make"}, "does not load"),
        ({"client": "json:no_such_function"}, "does not load"),
        ({"client": "math:pi"}, "is no function"),
        ({"client": "os:getcwd"}, "gives no AsyncOpenAI client but a str"),
        ({"client": "json:dumps"}, "fails: TypeError"),
        ({"client": "os:getcwd", "base_url": "http://h/v1"}, "--base-url does not apply"),
        ({"client": "os:getcwd", "api_key_env": "HOME"}, "--api-key-env does not apply"),
        ({"client": "azure"}, "does not know its address"),
        ({"client": "azure", "base_url": "http://a/,http://b/"}, "one address"),
        ({"client": "azure", "base_url": "https://x.openai.azure.com"}, "Missing credentials"),
        ({"transport": "carrier pigeon"}, "transport"),
    ],
)
def test_settings_that_cannot_be_are_told_before_any_call(
    options: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError) as caught:
        OpenAIBackend("m", options)
    assert words in str(caught.value)
    assert caught.value.fix


# --- Azure -----------------------------------------------------------------------------------


def root(server: Server) -> str:
    return server.url.removesuffix("/v1")


def azure(server: Server, monkeypatch: pytest.MonkeyPatch, **variables: str) -> None:
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", root(server))
    monkeypatch.setenv("OPENAI_API_VERSION", "2024-10-21")
    for name, value in variables.items():
        monkeypatch.setenv(f"AZURE_OPENAI_{name}", value)


def test_azure_by_its_own_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(scripted(Reply("It is red.", reasoning="hm"))) as server:
        azure(server, monkeypatch, API_KEY=SECRET)
        turn = ask({"client": "azure"})
        (call,) = server.calls
    assert (turn.reasoning, turn.reply) == ("hm", "It is red.")
    assert call.path == "/openai/deployments/m/chat/completions?api-version=2024-10-21"
    assert call.headers["api-key"] == SECRET
    assert "authorization" not in call.headers


def test_azure_with_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(hashed()) as server:
        azure(server, monkeypatch, AD_TOKEN="eyJ-token")
        ask({"client": "azure"})
    assert server.calls[0].headers["authorization"] == "Bearer eyJ-token"
    assert "api-key" not in server.calls[0].headers


@pytest.mark.parametrize("path", ["", "/", "/openai/deployments/gpt-4o"])
def test_azure_by_the_flags(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", SECRET)
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "another")
    with serve(hashed()) as server:
        address = f"{root(server)}{path}?api-version=2025-01-01"
        ask({"client": "azure", "base_url": address, "api_key_env": "MINE"})
        (call,) = server.calls
    deployment = "gpt-4o" if "gpt-4o" in path else "m"
    expected = f"/openai/deployments/{deployment}/chat/completions?api-version=2025-01-01"
    assert call.path == expected
    assert call.headers["api-key"] == SECRET


def test_azures_refusals_end_the_run_without_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = Reply(status=401, error={"code": "401", "message": f"Access denied: {SECRET}"})
    with serve(scripted(refusal)) as server:
        azure(server, monkeypatch, API_KEY=SECRET)
        with pytest.raises(RunError, match="Access denied") as caught:
            ask({"client": "azure"})
        assert len(server.calls) == 1
    assert SECRET not in str(caught.value)
    assert "check that the key" in caught.value.fix


def test_azures_content_filter_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    error = {"code": "content_filter", "message": "the prompt triggered the policy"}
    with serve(scripted(Reply(status=400, error=error))) as server:
        azure(server, monkeypatch, API_KEY=SECRET)
        with pytest.raises(RowError) as caught:
            ask({"client": "azure"})
    assert (caught.value.kind, len(server.calls)) == ("content_filter", 1)


# --- Clients of the user's own ---------------------------------------------------------------


FACTORY = """
import os
import openai

tokens = []

async def token():
    tokens.append(len(tokens))
    return f"token-{len(tokens)}"

def make_client():
    return openai.AsyncOpenAI(base_url=os.environ["WHERE"], api_key=token)

def blocking():
    return openai.OpenAI(base_url=os.environ["WHERE"], api_key="x")

async def awaited():
    return make_client()

async def no_token():
    raise PermissionError("sign in first with token-1")

def locked_out():
    return openai.AsyncOpenAI(base_url=os.environ["WHERE"], api_key=no_token)
"""


@pytest.fixture
def factory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module beside the user, as the command is run."""
    name = f"clients_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(FACTORY)
    monkeypatch.chdir(tmp_path)
    return name


def asked_with(
    factory: str, responder: Responder, monkeypatch: pytest.MonkeyPatch, **options: Any
) -> tuple[Any, Server]:
    with serve(responder) as server:
        monkeypatch.setenv("WHERE", server.url)
        (outcome,) = outcomes({"client": factory, **options})
    return outcome, server


def test_a_token_of_the_users_own_code(factory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script = scripted(Reply(status=500), Reply("Red."))
    outcome, server = asked_with(f"{factory}:make_client", script, monkeypatch)
    assert outcome.reply == "Red."
    assert outcome.turns[0].attempts == 2
    sent = [call.headers["authorization"] for call in server.calls]
    assert sent == ["Bearer token-1", "Bearer token-2"]


def test_only_our_retries_are_made(factory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script = scripted(Reply(status=503))
    name = f"{factory}:make_client"
    outcome, server = asked_with(name, script, monkeypatch, max_attempts=2)
    assert isinstance(outcome, RowError)
    assert (outcome.kind, outcome.attempts, len(server.calls)) == ("server", 2, 2)


def test_retry_after_is_ours_to_wait(factory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script = scripted(Reply(status=429, headers={"Retry-After": "1"}), Reply("Red."))
    outcome, server = asked_with(f"{factory}:make_client", script, monkeypatch)
    assert outcome.turns[0].attempts == 2
    assert server.calls[1].at - server.calls[0].at >= 1.0


@pytest.mark.parametrize("status", [400, 500])
def test_an_echoed_token_is_not_quoted(
    status: int, factory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = scripted(Reply(status=status, error={"message": "who is token-1 or token-2?"}))
    name = f"{factory}:make_client"
    outcome, _ = asked_with(name, script, monkeypatch, max_attempts=2)
    assert isinstance(outcome, RowError)
    assert "who is" in str(outcome)
    assert "token-1 " not in str(outcome)


def test_dialects_are_learnt(factory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def picky(call: Any) -> Reply:
        if "max_tokens" in call.body:
            words = "Unsupported parameter: use 'max_completion_tokens' instead"
            return Reply(status=400, error={"message": words, "param": "max_tokens"})
        return Reply("Red.")

    outcome, server = asked_with(f"{factory}:make_client", picky, monkeypatch)
    assert outcome.reply == "Red."
    assert len(server.calls) == 2


def test_a_client_that_gets_no_token_ends_the_run(
    factory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome, server = asked_with(f"{factory}:locked_out", hashed(), monkeypatch)
    assert isinstance(outcome, RunError)
    assert "PermissionError: sign in first" in outcome.cause
    assert not server.calls


@pytest.mark.parametrize(("name", "given"), [("blocking", "OpenAI"), ("awaited", "coroutine")])
def test_a_client_that_blocks_is_refused(
    name: str, given: str, factory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHERE", "http://localhost:1/v1")
    with pytest.raises(UsageError, match=f"gives no AsyncOpenAI client but a {given}"):
        OpenAIBackend("m", {"client": f"{factory}:{name}"})


def test_nobody_at_the_address_ends_the_run(factory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHERE", "http://localhost:1/v1")
    (outcome,) = outcomes({"client": f"{factory}:make_client"})
    assert isinstance(outcome, RunError)
    assert "no server answers at http://localhost:1/v1 (connection refused)" in outcome.cause


def test_a_user_s_client_may_sit_on_what_it_likes(
    factory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One row that always fails costs one row, whatever the others get."""
    script = by_substring({"Is it": [Reply("Red.")], "never": [Reply(status=500)]})
    with serve(script) as server:
        monkeypatch.setenv("WHERE", server.url)
        requests = [question(), question("never"), question("Is it blue?")]
        one, two, three = outcomes(
            {"client": f"{factory}:make_client", "max_attempts": 2}, *requests
        )
    assert one.reply == three.reply == "Red."
    assert isinstance(two, RowError)

"""What the environment says of proxies and certificates, and how it is told where it cannot be."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from support.server import hashed, serve

from lt_bench.backends import Request
from lt_bench.backends.openai.backend import open_openai
from lt_bench.config import Sampling
from lt_bench.errors import LtBenchError, UsageError
from lt_bench.records import Generation, Message, Prompt

NAMES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE")
NOWHERE = "https://localhost:1/v1"
PASSWORD = "pw-0123456789"


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def asked(url: str, transport: str) -> Any:
    """What becomes of one question; an error that ends the run is one as well."""
    prompt = Prompt(messages=(Message(role="user", content="Is it red?"),))
    options = {"base_url": url, "transport": transport, "max_attempts": 1}

    async def main() -> Any:
        async with open_openai("m", options) as backend:
            return await backend.generate(Request(prompt, Sampling(), "a", 0))

    try:
        return asyncio.run(main())
    except LtBenchError as error:
        return error


@pytest.mark.parametrize("transport", ["aiohttp", "sdk"])
@pytest.mark.parametrize("proxy", ["foo://me:{}@proxy", "socks5://me:{}@localhost:1"])
def test_a_proxy_that_cannot_be_used_is_told_without_its_password(
    proxy: str, transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy.format(PASSWORD))
    outcome = asked(NOWHERE, transport)
    assert isinstance(outcome, LtBenchError), outcome
    assert "proxy" in outcome.cause.lower()
    assert PASSWORD not in str(outcome)


@pytest.mark.parametrize("value", ["nonsense", "http://[bad", "http://host:port", "http://"])
def test_a_value_that_is_no_address_is_told(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", value)
    outcome = asked(NOWHERE, "aiohttp")
    assert isinstance(outcome, UsageError)
    assert "HTTPS_PROXY is set, and its value is no http:// address" in outcome.cause


@pytest.mark.parametrize("transport", ["aiohttp", "sdk"])
def test_a_proxy_that_is_not_there_is_named_as_one(
    transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"http://me:{PASSWORD}@localhost:1")
    outcome = asked("https://endpoint.example/v1", transport)
    assert "asked through a proxy" in outcome.cause
    assert "HTTPS_PROXY" in outcome.fix
    assert PASSWORD not in str(outcome)


@pytest.mark.parametrize("transport", ["aiohttp", "sdk"])
def test_no_proxy_and_plain_addresses_go_straight(
    transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "foo://nobody")
    monkeypatch.setenv("HTTP_PROXY", "http://localhost:1")
    with serve(hashed()) as server:
        assert isinstance(asked(server.url, transport), Generation)
    monkeypatch.setenv("HTTPS_PROXY", "http://localhost:1")
    monkeypatch.setenv("NO_PROXY", "localhost")
    assert "proxy" not in asked(NOWHERE, transport).cause


def test_certificates_that_cannot_be_read_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/at/all")
    outcome = asked(NOWHERE, "sdk")
    assert isinstance(outcome, UsageError)
    assert "SSL_CERT_FILE" in outcome.cause

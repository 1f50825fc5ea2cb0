"""What the environment says of proxies and certificates, and how it is told where it cannot be."""

from __future__ import annotations

import asyncio
import socket
import threading
from base64 import b64encode
from pathlib import Path
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


def asked(url: str, transport: str, **more: Any) -> Any:
    """What becomes of one question; an error that ends the run is one as well."""
    prompt = Prompt(messages=(Message(role="user", content="Is it red?"),))
    options = {"base_url": url, "transport": transport, "max_attempts": 1, **more}

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


@pytest.mark.parametrize("transport", ["aiohttp", "sdk"])
@pytest.mark.parametrize("name", ["HTTPS_PROXY", "HTTP_PROXY"])
@pytest.mark.parametrize("proxy", ["http://u:{}/x#y@127.0.0.1:9", "http://u:{}@[::zz"])
def test_a_proxy_that_is_no_address_quotes_nothing(
    name: str, proxy: str, transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, proxy.format(PASSWORD))
    outcome = asked(NOWHERE, transport)
    assert isinstance(outcome, LtBenchError), outcome
    assert PASSWORD not in str(outcome)


def test_the_proxy_is_asked_for_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[bytes]()

    def proxy(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            seen.append(connection.recv(4096))
            connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        threading.Thread(target=proxy, args=(listener,), daemon=True).start()
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:{PASSWORD}@127.0.0.1:{port}")
        outcome = asked("https://endpoint.example/v1", "aiohttp")
    assert seen[0].startswith(b"CONNECT endpoint.example:443 HTTP/1.1\r\n")
    assert b64encode(f"me:{PASSWORD}".encode()) in seen[0]
    assert PASSWORD not in str(outcome)


def test_a_password_in_netrc_is_nobodys_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes nowhere, and does not stand in the way of the key that was named."""
    (tmp_path / "netrc").write_text(f"machine localhost login me password {PASSWORD}\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("KEY", "k-1")
    outcome = asked(NOWHERE, "aiohttp", api_key_env="KEY")
    assert "no server answers at" in outcome.cause


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

"""What the openai package's errors mean, in the words that every transport has for them."""

from __future__ import annotations

import socket
import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import openai

from lt_bench.backends.openai.rejection import Rejected, read_rejection
from lt_bench.backends.openai.servers import Server
from lt_bench.backends.openai.transport import ERROR_BYTES, Disconnected, Reach
from lt_bench.backends.retry import Fault
from lt_bench.errors import LtBenchError, RunError, first_line

OWN = (Fault, Rejected, Disconnected, LtBenchError)
"""Errors that say already what they mean."""

HTTP_LIBRARIES = ("httpx2", "httpx")
"""Either may be under a client, depending on the package's version and on who made the client."""

CAUSES: tuple[tuple[type[Exception], str, Reach], ...] = (
    (socket.gaierror, "the host name is not known", "nobody"),
    (ConnectionRefusedError, "connection refused", "nobody"),
    # A reset may be a server that is only overwhelmed.
    (ConnectionResetError, "closed by the server", "broken"),
)

NAMES: dict[str, tuple[str, Reach]] = {
    "ConnectTimeout": ("no connection in time", "nobody"),
    "ConnectError": ("no connection", "nobody"),
    "ProxyError": ("the proxy refuses", "nobody"),
    "DecodingError": ("the answer cannot be decompressed", "broken"),
    "ReadError": ("closed by the server", "broken"),
    "WriteError": ("closed by the server", "broken"),
}
"""The HTTP library's errors, by name, where nothing underneath tells more."""


def invalid_urls() -> tuple[type[Exception], ...]:
    """What the HTTP libraries that are loaded raise for an address that is none."""
    loaded = (sys.modules.get(name) for name in HTTP_LIBRARIES)
    return tuple(library.InvalidURL for library in loaded if library is not None)


@contextmanager
def asking(server: Server) -> Iterator[None]:
    """A call to a client: whatever it raises comes out in our words.

    Raises:
        Rejected, Disconnected, Fault: as a transport raises them.
        RunError: the client itself fails, e.g. it gets no token.
    """
    try:
        with reading():
            yield
    except OWN:
        raise
    except openai.APIStatusError as error:
        learn(server, error)
        page = b"" if not error.response.is_stream_consumed else error.response.content
        status, headers = error.response.status_code, error.response.headers
        raise Rejected(read_rejection(status, headers, page[:ERROR_BYTES])) from None
    except openai.APITimeoutError as error:
        if type(error.__cause__).__name__ == "ConnectTimeout":
            raise _lost(error) from None
        raise Fault("timeout", "no answer in the time that the client allows") from None
    except openai.APIConnectionError as error:
        raise _lost(error) from None
    except Exception as error:  # noqa: BLE001 - a client of the user's own raises what it likes
        # The chain is cut: a token may be in it.
        said = server.endpoint.redacted(f"{type(error).__name__}: {first_line(error)}")
        raise RunError(
            f"the client for {server.endpoint.shown} fails: {said}",
            "check its credentials, or what backend.client names",
        ) from None


@contextmanager
def reading() -> Iterator[None]:
    """Bytes that come in; the package lets the HTTP library's own errors through here.

    Raises:
        Disconnected: the connection broke.
    """
    try:
        yield
    except OWN:
        raise
    except _request_errors() as error:
        raise _lost(error) from None


def learn(server: Server, error: openai.APIStatusError) -> None:
    """Remembers the credential that this request was sent with."""
    server.keep_secret(credentials(error.request.headers))


def credentials(headers: object) -> tuple[str, ...]:
    """The secrets in a request's headers, for servers that echo them."""
    get = getattr(headers, "get", lambda _name, default: default)
    values = (str(get(name, "") or "") for name in ("authorization", "api-key"))
    return tuple(value.rpartition(" ")[2] for value in values if value)


def _request_errors() -> tuple[type[Exception], ...]:
    loaded = (sys.modules.get(name) for name in HTTP_LIBRARIES)
    found = [module.RequestError for module in loaded if module is not None]
    return (*found, ssl.SSLError)


def _lost(error: BaseException) -> Disconnected:
    """What happened to the connection."""
    chain = list(_chain(error))
    connecting = any(type(one).__name__ == "ConnectError" for one in chain)
    for one in chain:
        if isinstance(one, ssl.SSLError) and connecting:
            told = getattr(one, "verify_message", "") or one.reason or "no TLS"
            return Disconnected(str(told).replace("_", " ").lower(), "untrusted")
        for kind, words, reach in CAUSES:
            if isinstance(one, kind):
                return Disconnected(words, reach)
    for one in chain:
        if type(one).__name__ == "RemoteProtocolError":
            return Disconnected(_protocol(str(one)))
        if type(one).__name__ in NAMES:
            return Disconnected(*NAMES[type(one).__name__])
    return Disconnected("broken")


def _protocol(said: str) -> str:
    if "without sending a response" in said:
        return "closed by the server before an answer"
    if "closed connection" in said:
        return "closed by the server in the middle of an answer"
    return "the answer is not HTTP"


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and what lies under it."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__

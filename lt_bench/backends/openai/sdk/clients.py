"""The openai package's clients: for a plain key, for Azure, and one that the user's own code makes."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import openai

from lt_bench.backends.openai.endpoint import MARKED, OPENAI, Endpoint, open_endpoint
from lt_bench.backends.openai.options import OWN_CLIENT, OpenAIOptions
from lt_bench.backends.openai.rejection import Rejected, read_rejection
from lt_bench.backends.openai.sdk.errors import invalid_urls, reading
from lt_bench.backends.openai.transport import CONNECT, ERROR_BYTES, GRACE, Disconnected
from lt_bench.errors import UsageError, first_line

AZURE: Final = "azure"
AZURE_FIX = (
    "export AZURE_OPENAI_ENDPOINT, OPENAI_API_VERSION, and AZURE_OPENAI_API_KEY or "
    "AZURE_OPENAI_AD_TOKEN (or give --base-url and --api-key-env)"
)
ITS_OWN: Final = "the client's own"
"""In place of a header: the client authorizes its requests itself."""

ACCOUNT_HEADERS = ("openai-organization", "openai-project")
"""Sent by the package to whatever address it is given; other hosts have no business with them."""


@dataclass(frozen=True)
class Client:
    """A client and the server that it asks."""

    endpoint: Endpoint
    sdk: Any = field(repr=False)


def open_clients(options: OpenAIOptions) -> tuple[Client, ...]:
    """One client for each server.

    Raises:
        UsageError: an address, a key or a factory that cannot be one.
    """
    if options.client == OWN_CLIENT:
        return tuple(_plain(endpoint) for endpoint in options.endpoints())
    if options.client == AZURE:
        return (_azure(options),)
    return (_made(options),)


def _plain(endpoint: Endpoint) -> Client:
    query = dict(parse_qsl(urlsplit(endpoint.chat).query))
    made = openai.AsyncOpenAI(
        api_key="unused: the header is set below the package",
        base_url=endpoint.shown,
        default_query=query or None,
        max_retries=0,
        http_client=_http(endpoint, _own_authorization(endpoint)),
    )
    return Client(endpoint, made)


def _azure(options: OpenAIOptions) -> Client:
    given = options.base_url if "base_url" in options.model_fields_set else ()
    address = next(iter(given), os.environ.get("AZURE_OPENAI_ENDPOINT", ""))
    if not address or len(given) > 1 or len(options.api_key_env) > 1:
        cause = "needs one address, and one key" if address else "does not know its address"
        raise UsageError(f"backend.client=azure {cause}", AZURE_FIX)
    named = next((name.rpartition("=")[2] for name in options.api_key_env), None)
    endpoint = open_endpoint(address, named)
    key = endpoint.secrets[0] if named and endpoint.secrets else None
    query = dict(parse_qsl(urlsplit(endpoint.chat).query))
    whole = "/openai" in urlsplit(endpoint.shown).path
    make: Any = openai.AsyncAzureOpenAI
    try:
        made = make(
            **{"base_url" if whole else "azure_endpoint": endpoint.shown},
            api_key=key,
            api_version=query.get("api-version"),
            max_retries=0,
            http_client=_http(endpoint),
        )
    except (openai.OpenAIError, ValueError) as error:
        raise UsageError(f"backend.client=azure: {first_line(error)}", AZURE_FIX) from None
    variables = ("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN")
    kept = (key, *(os.environ.get(name) for name in variables))
    secrets = tuple(one for one in kept if one and len(one) >= MARKED)
    return Client(replace(endpoint, authorization=ITS_OWN, secrets=secrets), made)


def _made(options: OpenAIOptions) -> Client:
    """The client of a factory that the user has named as MODULE:FUNCTION."""
    name = options.client
    for flag, option in (("--base-url", "base_url"), ("--api-key-env", "api_key_env")):
        if option in options.model_fields_set:
            raise UsageError(
                f"{flag} does not apply to backend.client={name}: it sets that itself",
                f"leave {flag} out, or write it into {name}",
            )
    factory = _factory(name)
    try:
        with _here_importable():
            made = factory()
    except Exception as error:
        raise UsageError(
            f"backend.client={name} fails: {type(error).__name__}: {first_line(error)}",
            "mend it; it is called without arguments",
        ) from error
    if inspect.iscoroutine(made):
        made.close()
    base_url = str(getattr(made, "base_url", ""))
    if not base_url or isinstance(made, openai.OpenAI) or not hasattr(made, "chat"):
        raise UsageError(
            f"backend.client={name} gives no AsyncOpenAI client but a {type(made).__name__}",
            "return openai.AsyncOpenAI(...) or openai.AsyncAzureOpenAI(...), not awaited",
        )
    made.max_retries = 0
    parts = urlsplit(base_url)
    host = parts.netloc.rpartition("@")[2]
    shown = urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
    key = getattr(made, "api_key", None)
    secrets = (key,) if isinstance(key, str) and len(key) >= MARKED else ()
    return Client(Endpoint(shown, f"{shown}/chat/completions", ITS_OWN, secrets), made)


def _factory(name: str) -> Any:
    module, colon, function = name.partition(":")
    fix = f"{OWN_CLIENT}, {AZURE}, or a factory of your own as MODULE:FUNCTION"
    if not colon or not module or not function:
        raise UsageError(f"backend.client={name} is no client", fix)
    try:
        with _here_importable():
            found = getattr(importlib.import_module(module), function)
    except Exception as error:
        raise UsageError(
            f"backend.client={name} does not load: {type(error).__name__}: {first_line(error)}", fix
        ) from error
    if not callable(found):
        raise UsageError(f"backend.client={name} is no function", fix)
    return found


@contextlib.contextmanager
def _here_importable() -> Iterator[None]:
    """A module beside the user counts as installed, after those that are."""
    here = os.getcwd()  # noqa: PTH109 - a path for sys.path, not one to work with
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)


def _http(endpoint: Endpoint, *before: Any) -> Any:
    """What a client of ours sends with: no redirects, no cookies, no time-out but for the connection.

    Raises:
        UsageError: what the environment says of proxies and certificates cannot be used.
    """
    unusable: tuple[type[Exception], ...] = (ValueError, *invalid_urls())
    try:
        return openai.DefaultAsyncHttpxClient(
            follow_redirects=False,
            timeout=openai.Timeout(None, connect=CONNECT),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            trust_env=endpoint.shown.startswith("https:"),
            event_hooks={"request": list(before), "response": [_refused]},
        )
    except ImportError:
        raise UsageError(
            "a SOCKS proxy is set in the environment, and the openai package lacks what it takes",
            "pip install socksio, or unset ALL_PROXY and HTTPS_PROXY (or name the host in NO_PROXY)",
        ) from None
    except unusable:
        # Its words quote the address, in which a password may be.
        raise UsageError(
            "HTTPS_PROXY, HTTP_PROXY or ALL_PROXY holds no address of a proxy",
            "e.g. HTTPS_PROXY=http://proxy.example:3128, or unset it",
        ) from None
    except OSError as error:
        raise UsageError(
            f"SSL_CERT_FILE or SSL_CERT_DIR: the certificates cannot be read: {first_line(error)}",
            "correct it, or unset it",
        ) from None


def _own_authorization(endpoint: Endpoint) -> Any:
    """Before a request goes out: the key that was named for this host, and nothing else."""
    at_openai = urlsplit(endpoint.shown)[:2] == urlsplit(OPENAI)[:2]

    async def authorize(request: Any) -> None:
        for name in () if at_openai else ACCOUNT_HEADERS:
            request.headers.pop(name, None)
        if endpoint.authorization:
            request.headers["Authorization"] = endpoint.authorization
        else:
            request.headers.pop("Authorization", None)

    return authorize


async def _refused(response: Any) -> None:
    """After the head of a response has come: the beginning of an error page is read, within reason."""
    if response.status_code < 300:
        return
    page = b""
    with contextlib.suppress(TimeoutError, Disconnected), reading():
        async with asyncio.timeout(GRACE):
            async for chunk in response.aiter_bytes():
                page += chunk
                if len(page) >= ERROR_BYTES:
                    break
    status, headers = response.status_code, response.headers
    raise Rejected(read_rejection(status, headers, page[:ERROR_BYTES]))

"""The usual way to a server: aiohttp, as lean as it gets."""

from __future__ import annotations

import asyncio
import contextlib

import aiohttp

from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.backends.openai.patience import Patience
from lt_bench.backends.openai.proxy import check_proxy, proxy_of
from lt_bench.backends.openai.reception import Reception
from lt_bench.backends.openai.rejection import Rejected, read_rejection
from lt_bench.backends.openai.servers import Server
from lt_bench.backends.openai.transport import (
    CONNECT,
    ERROR_BYTES,
    GRACE,
    Disconnected,
    Reach,
    out_of_time,
    receive,
)

NOBODY = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
UNTRUSTED = (aiohttp.ClientSSLError, aiohttp.ClientConnectorCertificateError)

WORDS: dict[type[Exception], str] = {
    aiohttp.ClientConnectorDNSError: "the host name is not known",
    aiohttp.ClientProxyConnectionError: "the proxy cannot be reached",
    aiohttp.ClientHttpProxyError: "the proxy refuses",
    aiohttp.ConnectionTimeoutError: "no connection in time",
    aiohttp.ServerDisconnectedError: "closed by the server before an answer",
    aiohttp.ClientPayloadError: "closed by the server in the middle of an answer",
    aiohttp.ClientResponseError: "the answer is not HTTP",
    ConnectionRefusedError: "connection refused",
    ConnectionResetError: "closed by the server",
}
"""The usual ways to lose a connection, the more special first."""


class AiohttpTransport:
    """Keeps its connections; no cookies, no redirects, and of the environment the proxy alone: a
    password in ~/.netrc was named for another purpose.

    Raises:
        UsageError: an address, a key or a proxy that cannot be one.
    """

    def __init__(self, options: OpenAIOptions) -> None:
        self._options = options
        self.endpoints = options.endpoints()
        for endpoint in self.endpoints:
            check_proxy(endpoint)
        self._proxies = {one.shown: proxy_of(one) or None for one in self.endpoints}
        self._session: aiohttp.ClientSession | None = None

    async def open(self, connections: int) -> None:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=connections),
            timeout=aiohttp.ClientTimeout(sock_connect=CONNECT),
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def exchange(self, server: Server, body: bytes, reception: Reception) -> None:
        if self._session is None:
            raise RuntimeError("use the backend within `async with`")
        patience = Patience(self._options.timeout, self._options.idle_timeout)
        try:
            async with (
                patience,
                self._session.post(
                    server.url,
                    data=body,
                    headers=server.headers,
                    allow_redirects=False,
                    proxy=self._proxies[server.endpoint.shown],
                ) as response,
            ):
                await self._read(response, reception, patience)
        except aiohttp.ClientError as error:
            if not reception.complete:
                # The chain is cut: what it quotes may hold the key.
                raise disconnected(error) from None
        except TimeoutError:
            if not reception.complete:
                raise out_of_time(patience, self._options) from None

    async def _read(
        self, response: aiohttp.ClientResponse, reception: Reception, patience: Patience
    ) -> None:
        try:
            if response.status >= 300:
                page = await _page(response)
                raise Rejected(read_rejection(response.status, response.headers, page))
            chunks = response.content.iter_any()
            await receive(chunks, reception, patience, self._options.idle_timeout)
        except BaseException:
            response.close()
            raise
        if reception.stopped:
            response.close()


async def _page(response: aiohttp.ClientResponse) -> bytes:
    """The beginning of an error page; a page that does not end is not waited for."""
    page = b""
    with contextlib.suppress(TimeoutError, aiohttp.ClientError):
        async with asyncio.timeout(GRACE):
            async for chunk in response.content.iter_any():
                page += chunk
                if len(page) >= ERROR_BYTES:
                    break
    return page[:ERROR_BYTES]


def disconnected(error: aiohttp.ClientError) -> Disconnected:
    """What happened to the connection."""
    return Disconnected(_words(error), _reach(error))


def _reach(error: aiohttp.ClientError) -> Reach:
    if isinstance(error, UNTRUSTED):
        return "untrusted"
    # A reset may be a server that is only overwhelmed.
    reset = isinstance(getattr(error, "os_error", None), ConnectionResetError)
    return "nobody" if isinstance(error, NOBODY) and not reset else "broken"


def _words(error: aiohttp.ClientError) -> str:
    cause = getattr(error, "os_error", error)
    for kind, words in WORDS.items():
        if isinstance(cause, kind) or isinstance(error, kind):
            return words
    return str(getattr(cause, "reason", None) or getattr(cause, "strerror", None) or "broken")

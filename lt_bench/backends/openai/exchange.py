"""One HTTP exchange: a request body goes out, an answer comes in, or what came instead is told."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import aiohttp

from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.backends.openai.patience import Patience
from lt_bench.backends.openai.reception import Reception
from lt_bench.backends.openai.rejection import Rejected, read_rejection
from lt_bench.backends.openai.servers import Server
from lt_bench.backends.retry import Fault

ERROR_BYTES: Final = 65536
"""How much of an error page is read."""

GRACE: Final = 2.0
"""Seconds that a finished answer waits for its usage and for the end of its stream."""


async def exchange(
    session: aiohttp.ClientSession,
    server: Server,
    body: bytes,
    reception: Reception,
    options: OpenAIOptions,
) -> None:
    """Sends `body` and feeds what comes to `reception`, until that has what it needs.

    Leaving early closes the connection, so that an answer that comes too late finds nobody.

    Raises:
        Fault: no answer in time.
        Rejected: the server says no.
        aiohttp.ClientError: there is no connection, or it broke before the answer was whole.
    """
    patience = Patience(options.timeout, options.idle_timeout)
    try:
        async with (
            patience,
            session.post(
                server.url, data=body, headers=server.headers, allow_redirects=False
            ) as response,
        ):
            try:
                if response.status >= 300:
                    page = await _page(response)
                    raise Rejected(read_rejection(response.status, response.headers, page))
                await _read(response, reception, patience, options.idle_timeout)
            except BaseException:
                response.close()
                raise
    except aiohttp.ClientError:
        if not reception.complete:
            raise
    except TimeoutError:
        if not reception.complete:
            raise Fault("timeout", _waited(patience, options)) from None


async def _read(
    response: aiohttp.ClientResponse, reception: Reception, patience: Patience, idle: float
) -> None:
    leaving = False
    async for chunk in response.content.iter_any():
        reception.feed(chunk)
        if reception.stopped:
            response.close()
            return
        if not leaving:
            leaving = reception.complete
            patience.heard(min(GRACE, idle) if leaving else idle)


def _waited(patience: Patience, options: OpenAIOptions) -> str:
    if patience.silent:
        return f"the stream was silent for {options.idle_timeout:g} s"
    return f"no answer within {options.timeout:g} s"


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

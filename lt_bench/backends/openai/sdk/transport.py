"""Requests through the openai package: its clients carry, and all else stays as it is with aiohttp."""

from __future__ import annotations

from contextlib import AsyncExitStack, aclosing
from typing import Any

import openai
import orjson

from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.backends.openai.patience import Patience
from lt_bench.backends.openai.reception import Reception
from lt_bench.backends.openai.sdk.clients import open_clients
from lt_bench.backends.openai.sdk.errors import asking, credentials, reading
from lt_bench.backends.openai.servers import Server
from lt_bench.backends.openai.transport import CONNECT, Disconnected, out_of_time, receive


class SdkTransport:
    """The package's own retries and time-outs are off: the backend has them.

    Raises:
        UsageError: an address, a key or a client that cannot be one.
    """

    def __init__(self, options: OpenAIOptions) -> None:
        self._options = options
        clients = open_clients(options)
        self.endpoints = tuple(client.endpoint for client in clients)
        self._clients = {client.endpoint.chat: client.sdk for client in clients}

    async def open(self, connections: int) -> None:
        """The package opens connections as it needs them."""

    async def close(self) -> None:
        for client in self._clients.values():
            await client.close()

    async def exchange(self, server: Server, body: bytes, reception: Reception) -> None:
        options = self._options
        patience = Patience(options.timeout, options.idle_timeout)
        try:
            async with patience, AsyncExitStack() as stack:
                with asking(server):
                    call = self._call(server, orjson.loads(body))
                    response = await stack.enter_async_context(call)
                server.keep_secret(credentials(response.http_request.headers))
                chunks = await stack.enter_async_context(aclosing(response.iter_bytes()))
                with reading():
                    await receive(chunks, reception, patience, options.idle_timeout)
        except Disconnected:
            if not reception.complete:
                raise
        except TimeoutError:
            if not reception.complete:
                raise out_of_time(patience, options) from None

    def _call(self, server: Server, body: dict[str, Any]) -> Any:
        """The package is told what it must know and passes on the rest as it is."""
        completions = self._clients[server.endpoint.chat].chat.completions
        return completions.with_streaming_response.create(
            model=body.pop("model"),
            messages=body.pop("messages"),
            stream=body.pop("stream"),
            extra_body=body,
            timeout=openai.Timeout(None, connect=CONNECT),
        )

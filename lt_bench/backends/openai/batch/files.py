"""Files at the server: requests on their way up, results on their way down."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import IO, Any, Final

from lt_bench.backends.openai.batch.calls import GOES_ON, Calls
from lt_bench.backends.openai.batch.state import id_of
from lt_bench.backends.openai.rejection import Rejected, excerpt
from lt_bench.errors import RunError

log = logging.getLogger(__name__)

SLOWEST: Final = 2**17
"""Bytes a second that an upload makes at least, on top of the usual time-out."""


class FileGone(Exception):
    """The server does not have a file any more."""


class Files:
    """The calls under /files."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._sdk = calls.sdk.files.with_streaming_response

    async def upload(self, file: IO[bytes], name: str, size: int) -> str:
        """The id of the file, once the server has taken it in.

        Raises:
            RunError: it takes none.
        """

        async def attempt() -> dict[str, Any]:
            file.seek(0)
            call = self._sdk.create(
                file=(name, file, "application/jsonl"), purpose="batch", timeout=self._calls.timeout
            )
            packet = await self._calls.json(call, size / SLOWEST)
            id_of(packet)
            return packet

        try:
            packet = await self._calls.patiently(attempt, "upload")
            return await self._taken_in(packet)
        except Rejected as rejected:
            raise self._calls.refused("POST /files", rejected.rejection) from None

    async def _taken_in(self, packet: dict[str, Any]) -> str:
        """Some servers look at a file before a batch may be made of it."""
        pause, found = 0.5, id_of(packet)
        while packet.get("status") in ("pending", "running"):
            await asyncio.sleep(min(pause, self._calls.options.batch_poll))
            pause *= 1.5
            packet = await self._calls.patiently(
                lambda: self._calls.json(self._sdk.retrieve(found, timeout=self._calls.timeout)),
                "file",
            )
        if packet.get("status") == "error":
            told = excerpt(str(packet.get("status_details") or "no reason given"))
            told = self._calls.server.endpoint.redacted(told)
            raise RunError(f"{self._calls.shown} refuses the uploaded file: {told}", GOES_ON)
        return found

    async def read(self, file: str, line: Callable[[bytes], Awaitable[None]]) -> None:
        """Hands each line of a file to `line`; from the beginning again, if the connection breaks.

        Raises:
            FileGone: the server has it no more.
            RunError: it cannot be had.
        """

        async def attempt() -> None:
            async with aclosing(self._lines(file)) as lines:
                async for one in lines:
                    await line(one)

        try:
            await self._calls.patiently(attempt, "read")
        except Rejected as rejected:
            if rejected.rejection.status in (404, 410):
                raise FileGone(file) from None
            raise self._calls.refused(f"GET /files/{file}/content", rejected.rejection) from None

    async def _lines(self, file: str) -> AsyncGenerator[bytes, None]:
        """The lines of a file but for those that are larger than any answer, which are not held."""
        call = self._sdk.content(file, timeout=self._calls.timeout)
        held, size, most = list[bytes](), 0, self._calls.options.max_bytes
        async with aclosing(self._calls.chunks(call)) as chunks:
            async for chunk in chunks:
                *ends, rest = chunk.split(b"\n")
                for end in ends:
                    if size + len(end) <= most:
                        yield b"".join((*held, end))
                    else:
                        log.warning("%s: a line of more than %d bytes is left out", file, most)
                    held, size = [], 0
                size += len(rest)
                if size <= most:
                    held.append(rest)
                else:
                    held.clear()
        if 0 < size <= most:
            yield b"".join(held)

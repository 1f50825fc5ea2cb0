"""What carries a request to a server and its answer back, whatever library does the carrying."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final, Literal, Protocol

from lt_bench.backends.openai.endpoint import Endpoint
from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.backends.openai.patience import Patience
from lt_bench.backends.openai.reception import Reception
from lt_bench.backends.openai.servers import Server
from lt_bench.backends.retry import Fault

ERROR_BYTES: Final = 65536
"""How much of an error page is read."""

GRACE: Final = 2.0
"""Seconds that a finished answer waits for its usage and for the end of its stream, and that an error
page is waited for."""

CONNECT: Final = 30.0
"""Seconds that a connection may take to come about."""

Reach = Literal["broken", "nobody", "untrusted"]
"""How far a request got: the connection `broken` under it, `nobody` at the address, or a server whose
certificate is `untrusted`."""


class Disconnected(Exception):
    """There is no connection, or it broke before the answer was whole. `words` tell what happened,
    without the address."""

    def __init__(self, words: str, reach: Reach = "broken") -> None:
        super().__init__(words)
        self.words, self.reach = words, reach


class Transport(Protocol):
    """One attempt at a time; retries are the caller's. Leaving early closes the connection, so that an
    answer that comes too late finds nobody."""

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """The servers that it reaches."""
        ...

    async def open(self, connections: int) -> None:
        """Gets ready for so many requests at once."""
        ...

    async def exchange(self, server: Server, body: bytes, reception: Reception) -> None:
        """Sends `body` and feeds what comes to `reception`, until that has what it needs.

        Raises:
            Fault: no answer in time.
            Rejected: the server says no.
            Disconnected: there is no connection, or it broke before the answer was whole.
        """
        ...

    async def close(self) -> None: ...


async def receive(
    chunks: AsyncIterator[bytes], reception: Reception, patience: Patience, idle: float
) -> None:
    """Feeds the pieces of an answer to `reception` while each comes in time."""
    leaving = False
    async for chunk in chunks:
        reception.feed(chunk)
        if reception.stopped:
            return
        if not leaving:
            leaving = reception.complete
            patience.heard(min(GRACE, idle) if leaving else idle)


def out_of_time(patience: Patience, options: OpenAIOptions) -> Fault:
    """What it means that `patience` has ended."""
    if patience.silent:
        return Fault("timeout", f"the stream was silent for {options.idle_timeout:g} s")
    return Fault("timeout", f"no answer within {options.timeout:g} s")

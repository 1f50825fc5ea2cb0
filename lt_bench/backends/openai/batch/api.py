"""The Batch API of one server: its files and its batches."""

from __future__ import annotations

from lt_bench.backends.openai.batch.batches import Batches
from lt_bench.backends.openai.batch.calls import Calls
from lt_bench.backends.openai.batch.files import Files
from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.backends.openai.rejection import Rejection
from lt_bench.backends.openai.sdk.clients import Client
from lt_bench.backends.openai.servers import Server
from lt_bench.errors import RunError


class BatchApi:
    """Each call is tried again within bounds; what remains is a RunError that says how to go on."""

    def __init__(self, client: Client, server: Server, options: OpenAIOptions, model: str) -> None:
        self._calls = Calls(client, server, options, model)
        self.server = server
        self.files, self.batches = Files(self._calls), Batches(self._calls)

    @property
    def shown(self) -> str:
        """The server's address, as people may see it."""
        return self.server.endpoint.shown

    def end_of(self, rejection: Rejection) -> RunError | None:
        """The run's end, if no other request could get past this refusal."""
        return self._calls.end_of(rejection)

    def clean(self, rejection: Rejection) -> str:
        """The server's words, without a key that it may have echoed."""
        return self.server.endpoint.redacted(rejection.message)

    async def close(self) -> None:
        await self._calls.sdk.close()

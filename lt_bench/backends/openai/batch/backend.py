"""`openai/NAME` with `--batch`: the same requests through the Batch API."""

from __future__ import annotations

import logging
from typing import Final, Self

from lt_bench.backends.base import ModelFacts, Request
from lt_bench.backends.cache_folder import cache_folder
from lt_bench.backends.endpoint_flags import check_batch
from lt_bench.backends.openai.batch.api import BatchApi
from lt_bench.backends.openai.batch.asked import NEUTRAL, Asked, id_of
from lt_bench.backends.openai.batch.courier import Courier
from lt_bench.backends.openai.batch.gathering import Gathering
from lt_bench.backends.openai.batch.ledger import Ledger
from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.backends.openai.sdk.clients import open_clients
from lt_bench.backends.openai.servers import Server
from lt_bench.backends.recount import Tokenizer, load_tokenizer, recounted
from lt_bench.config import digest
from lt_bench.records import Generation

log = logging.getLogger(__name__)

AT_ONCE: Final = 50_000
"""Requests that wait at once, if nobody says otherwise: as many as OpenAI takes in a batch."""


class OpenAIBatchBackend:
    """One model behind one server, asked by batches. `facts` are those of the model, however it is asked.

    Raises:
        UsageError: several servers, an adaptive number of requests, an address or a key that cannot be
            one.
    """

    def __init__(self, model: str, options: OpenAIOptions, facts: ModelFacts) -> None:
        check_batch(options.base_url, options.concurrency)
        self.model, self.options, self.facts = model, options, facts
        given = "concurrency" in options.model_fields_set
        self.concurrency = (
            int(options.concurrency) if given else max(AT_ONCE, options.batch_requests)
        )
        (client,) = open_clients(options)
        self._api = BatchApi(client, Server(client.endpoint, NEUTRAL), options, model)
        name = digest([client.endpoint.shown, model])[:16]
        self._ledger = Ledger(cache_folder() / "batches" / name)
        self._courier = Courier(self._api, self._ledger, options, model)
        self._gathering = Gathering(options.batch_gather, self.concurrency, self._courier.take)
        self._known: dict[str, Asked] = {}
        self._tokenizer: Tokenizer | None = None

    async def __aenter__(self) -> Self:
        if self.options.tokenizer is not None:
            self._tokenizer = load_tokenizer(self.options.tokenizer)
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._gathering.stop()
        await self._courier.close()
        for batch in self._courier.left_behind:
            log.info("%s goes on at the server; the same command picks it up", batch)
        self._ledger.close(in_peace=exc[0] is None)
        await self._api.close()

    async def generate(self, request: Request) -> Generation:
        """The model's answer, some hours later. Times are unknown.

        Raises:
            RowError: no batch answered it, or the server refuses this request for good.
            RunError: no request can succeed, or the server cannot be reached; batches go on there.
        """
        name = id_of(self.model, request, self.options)
        asked = self._known.setdefault(name, Asked(name, request))
        caller = self._gathering.ask(asked)
        try:
            turn = await caller
        finally:
            if asked.settled:
                self._known.pop(name, None)
        if self._tokenizer is not None:
            turn = recounted(turn, self._tokenizer)
        return Generation(turns=(turn,))

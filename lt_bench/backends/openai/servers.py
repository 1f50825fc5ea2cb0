"""Several servers of one model: who is asked next, and who is left alone for a while."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from multidict import CIMultiDict
from yarl import URL

from lt_bench.backends.openai.dialect import Dialect
from lt_bench.backends.openai.endpoint import MARKED, Endpoint

log = logging.getLogger(__name__)

FAULTS: Final = 3
"""Faults one after another that a server is allowed before it is left out."""
REST: Final = 2.0
"""Seconds that a server is left out at first; twice as long each time it fails again."""
LONGEST_REST: Final = 60.0


class Server:
    """One server and what this run knows of it: the dialect it takes, how often it has answered,
    and how many requests it is working on."""

    def __init__(self, endpoint: Endpoint, dialect: Dialect) -> None:
        self.endpoint, self.dialect = endpoint, dialect
        self.url = URL(endpoint.chat)
        self.headers = CIMultiDict(endpoint.headers())
        self.outstanding = 0
        self.answers = 0
        self.faults = 0
        self.rest, self.out_until = REST, 0.0

    @property
    def has_answered(self) -> bool:
        return self.answers > 0

    @property
    def doubtful(self) -> bool:
        """It was left out and has not answered since: one request at a time may try it."""
        return self.out_until > 0.0

    def keep_secret(self, secrets: Iterable[str]) -> None:
        """What a request was authorized with is not quoted, should the server echo it."""
        known = self.endpoint.secrets
        new = tuple(one for one in secrets if len(one) >= MARKED and one not in known)
        if new:
            self.endpoint = replace(self.endpoint, secrets=(*known, *new))

    def answered(self) -> None:
        if self.doubtful:
            log.info("%s answers again", self.endpoint.shown)
        self.answers += 1
        self.faults, self.rest, self.out_until = 0, REST, 0.0


class Servers:
    """Chooses by the fewest outstanding requests. A server that cannot be reached, or that fails three
    times in a row, gets none for a while, as long as there is another one."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self.all = tuple(servers)

    def pick(self, now: float, but: Collection[Server] = ()) -> Server:
        """Who is asked next; `but` are those that were tried in vain. At least one is left."""
        if len(self.all) == 1:
            return self.all[0]
        left = [server for server in self.all if server not in but]
        well = [server for server in left if self._may_be_asked(server, now)]
        if well:
            return min(well, key=lambda server: server.outstanding)
        return min(left, key=lambda server: (server.out_until, server.outstanding))

    def _may_be_asked(self, server: Server, now: float) -> bool:
        if not server.doubtful:
            return True
        return now >= server.out_until and not server.outstanding

    def failed(self, server: Server, now: float, why: str, *, gone: bool = False) -> None:
        """A fault of a server; `gone`: it cannot be reached."""
        server.faults += 1
        if len(self.all) == 1 or (server.faults < FAULTS and not gone and not server.doubtful):
            return
        if now >= server.out_until:
            log.info("%s is left out for %g s: %s", server.endpoint.shown, server.rest, why)
            server.out_until = now + server.rest
            server.rest = min(LONGEST_REST, 2 * server.rest)

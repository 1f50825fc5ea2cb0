"""What a batch's files say of each request: answers, refusals, and what must be asked again."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from dataclasses import replace
from typing import Final

from lt_bench.backends.openai.batch.api import BatchApi
from lt_bench.backends.openai.batch.asked import Asked
from lt_bench.backends.openai.batch.entry import Entry
from lt_bench.backends.openai.batch.lines import ResultLine, read_line
from lt_bench.backends.openai.batch.state import BatchState
from lt_bench.backends.openai.options import OpenAIOptions
from lt_bench.backends.openai.reception import Reception
from lt_bench.backends.openai.rejection import Rejected, Rejection
from lt_bench.backends.openai.turns import turn_of
from lt_bench.backends.retry import RETRIED, Fault
from lt_bench.errors import RowError, RunError
from lt_bench.records import Timings, Turn
from lt_bench.text.tool_calls import form_for

log = logging.getLogger(__name__)

UNTIMED: Final = Timings(queued=None)
"""Nobody can tell how long one answer of a batch took."""
TURN: Final = 64
"""Outcomes that are handed out before others have their turn."""


class Results:
    """The outcomes of one batch. `waiting` are the requests without one, by name; `again` those that go
    into another batch; `end` ends the run, once all else is handed out."""

    def __init__(
        self, entry: Entry, waiting: dict[str, Asked], api: BatchApi, options: OpenAIOptions
    ) -> None:
        self.entry, self.waiting, self.again = entry, dict(waiting), list[Asked]()
        self.end: RunError | None = None
        self._api, self._options = api, options
        self._ready: list[tuple[Asked, Turn | RowError]] = []
        self._seen, self._failed = set[str](), list[str]()
        self._lost = ""
        self._odd: Counter[str] = Counter()

    async def take(self, line: bytes) -> None:
        """One line of a file. The first that answers a request counts; others are none of ours."""
        if not line.strip():
            return
        result = read_line(line)
        if result is not None and result.id in self.entry:
            self._seen.add(result.id)
        if result is None:
            self._odd["hold no result"] += 1
        elif result.id not in self.waiting:
            self._odd["are of no request of this batch"] += result.id not in self.entry
        elif not result.unanswered:
            self._settle(self.waiting.pop(result.id), result)
        if len(self._ready) >= TURN:
            await self.hand_out()

    def _settle(self, asked: Asked, result: ResultLine) -> None:
        try:
            turn = self._turn(asked, result.answer())
        except Rejected as rejected:
            self._judge(asked, rejected.rejection)
        except Fault as fault:
            self._try_again(asked, fault)
        else:
            self._api.server.answered()
            self._ready.append((asked, turn))

    def _turn(self, asked: Asked, body: bytes) -> Turn:
        stop, family = asked.request.sampling.stop, self._options.family
        reception = Reception(time.perf_counter(), self._options.max_bytes, family=family)
        reception.feed(body)
        form = form_for(asked.request.prompt, self._options.tool_form)
        turn = turn_of(reception.close(), stop, family, UNTIMED, form)
        return turn.model_copy(update={"attempts": asked.attempts}) if asked.attempts > 1 else turn

    def refuse(self, name: str, rejection: Rejection) -> None:
        """The server looked at this request before it began, and does not take it."""
        if name in self.waiting:
            self._judge(self.waiting.pop(name), rejection)

    def _judge(self, asked: Asked, rejection: Rejection) -> None:
        """Another way of asking may help; else it is a fault of this row, or ends the run."""
        if self.adapts(rejection):
            self.again.append(asked)
            return
        end = self._api.end_of(rejection)
        if end is not None:
            self.end = self.end or end
            self.waiting[asked.id] = asked
            self._failed.append(asked.id)
        else:
            said = self._api.server.endpoint.redacted(rejection.message)
            self._try_again(asked, replace(rejection, message=said).fault())

    def adapts(self, rejection: Rejection) -> bool:
        """Whether what the server refused is only the way we asked; the next batch asks another way."""
        server = self._api.server
        if self.entry.dialect.adapted(rejection) is None:
            return False
        server.dialect = server.dialect.adapted(rejection) or server.dialect
        return True

    def _try_again(self, asked: Asked, fault: Fault) -> None:
        if fault.kind in RETRIED and asked.attempts < self._options.max_attempts:
            asked.attempts += 1
            self.again.append(asked)
        else:
            cause = self._api.server.endpoint.redacted(fault.cause)
            self._failed.append(asked.id)
            self._ready.append((asked, RowError(fault.kind, cause, asked.attempts)))

    @property
    def told(self) -> int:
        """Requests of this batch that its files tell of."""
        return len(self._seen)

    async def hand_out(self) -> None:
        """Gives the outcomes so far to whoever waits for them."""
        ready, self._ready = self._ready, []
        failed, self._failed = self._failed, []
        self.entry.hand_out([asked.id for asked, _ in ready])
        self.entry.fail(failed)
        for asked, outcome in ready:
            if isinstance(outcome, Turn):
                asked.give(outcome)
            else:
                asked.fail(outcome)
        await asyncio.sleep(0)

    async def rest(self, state: BatchState) -> list[Asked]:
        """Settles what the files do not tell of, and gives what is to be asked again."""
        for what, count in self._odd.items():
            if count:
                log.warning("%s: %d lines %s", state.id, count, what)
        if self._lost and self.waiting:
            self.end = self.end or self._gone(state)
        if state.status == "cancelled" and self.waiting and not self.entry.given_up:
            self._give_up(state)
        if self.end is None:
            for asked in self.waiting.values():
                self._unanswered(asked, state)
            self.waiting.clear()
        await self.hand_out()
        return self.again

    def lost(self, file: str) -> None:
        """The server has a file of answers no more."""
        self._lost = file

    def lack(self, state: BatchState) -> None:
        """Files that tell of none of many requests, or that are not named, are no results; of a single
        one, it may lie with the request."""
        if len(self.entry.ids) > 1:
            self.lost(state.output or state.errors or "it names no file")

    def _gone(self, state: BatchState) -> RunError:
        """They were paid for; only the user can tell whether they may be paid again."""
        shown = self._api.shown
        return RunError(
            f"{shown} has the results of {state.id} no more ({self._lost}); "
            f"{len(self.waiting)} rows wait for them",
            f"to ask and pay for them again, delete {self.entry.path}, then run the same command",
        )

    def _give_up(self, state: BatchState) -> None:
        """Somebody wanted this batch to end. Whoever runs the command again wants it to go on."""
        self.entry.give_up()
        self.end = self.end or RunError(
            f"{state.id} was cancelled at the server with {len(self.waiting)} rows unanswered; "
            "the answers that it had are kept",
            "run the same command again to ask the others in a new batch",
        )

    def _unanswered(self, asked: Asked, state: BatchState) -> None:
        if state.status != "expired":
            told = f"{state.id} ({state.status}) tells nothing of this row"
            self._try_again(asked, Fault("server", told))
        elif asked.expired:
            cause = f"{state.id} expired before this row was answered, as the batch before it did"
            self._failed.append(asked.id)
            self._ready.append((asked, RowError("timeout", cause, asked.attempts)))
        else:
            asked.expired = True
            asked.attempts += 1
            self.again.append(asked)

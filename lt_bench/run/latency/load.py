"""The open-loop driver: sends each request at its time, whatever is still outstanding."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from lt_bench.backends import Backend
from lt_bench.errors import LtBenchError, RowError
from lt_bench.records import Failure
from lt_bench.run.latency.clock import Clock
from lt_bench.run.latency.observations import Observation, Planned


@dataclass
class Load:
    """One window of requests against one backend. `seen` fills in the order in which requests end,
    and holds all that were sent even when the window is broken off.

    bound: requests that may be outstanding; one that arrives beyond it is dropped, and shows.
    timeout: seconds after its intended arrival at which a request is given up.
    """

    backend: Backend
    clock: Clock
    bound: int
    timeout: float
    seen: list[Observation] = field(default_factory=list)
    most_outstanding: int = 0
    _outstanding: int = 0

    async def run(self, plan: Sequence[Planned]) -> None:
        """Sends all of `plan` and waits for every answer.

        Raises:
            LtBenchError: no request can succeed; what was outstanding is cancelled.
        """
        start = self.clock.now()
        try:
            async with asyncio.TaskGroup() as group:
                for planned in plan:
                    await self.clock.until(start + planned.at)
                    if self._outstanding >= self.bound:
                        self.seen.append(Observation(planned, "dropped", None, None))
                        continue
                    self._outstanding += 1
                    self.most_outstanding = max(self.most_outstanding, self._outstanding)
                    group.create_task(self._ask(planned, start))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _ask(self, planned: Planned, start: float) -> None:
        sent = self.clock.now() - start
        try:
            self.seen.append(await self._answer(planned, start, sent))
        except asyncio.CancelledError:
            self.seen.append(Observation(planned, "cancelled", sent, None))
            raise
        finally:
            self._outstanding -= 1

    async def _answer(self, planned: Planned, start: float, sent: float) -> Observation:
        """The answer, or the failure that came in its place."""
        try:
            async with asyncio.timeout(self.timeout - (sent - planned.at)):
                generation = await self.backend.generate(planned.request)
        except RowError as error:
            return self._failed(planned, start, sent, error)
        except TimeoutError:
            late = RowError("timeout", f"no answer within {self.timeout:g} s of its arrival")
            return self._failed(planned, start, sent, late)
        except LtBenchError as error:
            self.seen.append(
                self._failed(planned, start, sent, RowError("connection", error.cause))
            )
            raise
        ended = self.clock.now() - start
        return Observation(planned, generation.status, sent, ended, generation)

    def _failed(self, planned: Planned, start: float, sent: float, error: RowError) -> Observation:
        failure = Failure(kind=error.kind, message=error.cause, attempts=error.attempts)
        return Observation(
            planned,
            "refused" if error.kind == "content_filter" else "error",
            sent,
            self.clock.now() - start,
            failure=failure,
        )

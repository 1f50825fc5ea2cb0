"""How many requests a server is asked at once when nobody has said how many it takes.

Additive increase, multiplicative decrease (Chiu and Jain, Computer Networks 17, 1989), a round trip at
a time: a round in which every request was answered raises the cap by a fixed step, one in which more
than a quarter was refused as too many (429) lowers it, and anything between leaves it where it is.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, Generic, Literal, ParamSpec, TypeVar

from lt_bench.backends.retry import Fault

FIRST: Final = 4
"""Requests in flight at the start."""
STEP: Final = 2
"""Requests more after a round trip of answers."""
MOST: Final = 256
"""Requests in flight at most."""
TOO_MANY: Final = 0.25
"""Share of a round that may be refused before the cap is lowered."""

Fate = Literal["answered", "refused", "failed"]
_FAILED: Fate = "failed"

Given = ParamSpec("Given")
Result = TypeVar("Result")


class AdaptiveCap:
    """The cap alone, without a clock. A round is as many requests as the cap allows at its end.

    It is raised only where it was used up: a few last rows say nothing of what a server takes. A
    request counts once a round, refused if any of its attempts was. After the cap was lowered nothing
    counts until all that was under way then has ended: so it is lowered at most once a round trip.
    """

    def __init__(self, first: int = FIRST, step: int = STEP, most: int = MOST) -> None:
        self.cap, self.step, self.most = min(first, most), step, most
        self.rounds = 0
        self._sent = self._under_way = self._most_under_way = 0
        self._lowered_at = self._before = 0
        self._round: dict[Hashable, Fate] = {}

    def sent(self) -> int:
        """The number of an attempt that goes out now."""
        self._sent += 1
        self._under_way += 1
        self._most_under_way = max(self._most_under_way, self._under_way)
        return self._sent

    def ended(self, number: int, request: Hashable, fate: Fate) -> None:
        """What became of an attempt at a request."""
        self._under_way -= 1
        if number <= self._lowered_at:
            self._before -= 1
            return
        if self._before:
            return
        if self._round.get(request) != "refused":
            self._round[request] = fate
        if len(self._round) >= self.cap:
            self._judge(list(self._round.values()))
            self._round.clear()

    def _judge(self, fates: list[Fate]) -> None:
        self.rounds += 1
        refused = fates.count("refused") / len(fates)
        if refused > TOO_MANY:
            self.cap = max(1, int(self.cap * max(0.5, 1.0 - refused)))
            self._lowered_at, self._before = self._sent, self._under_way
        elif fates.count("answered") == len(fates) and self._most_under_way >= self.cap:
            self.cap = min(self.most, self.cap + self.step)
        self._most_under_way = self._under_way


class Pace:
    """Places for attempts, as many as the cap allows; who comes first is served first, and who was
    refused before anybody new.

    After a refusal no more are given, for the rest of the round, than were being worked on: what is
    above that is tried once a round, and whoever was refused finds room when he comes again.
    """

    def __init__(self, cap: AdaptiveCap | None = None) -> None:
        self.adaptive = cap or AdaptiveCap()
        self.active = 0
        self._fits, self._round = self.adaptive.cap, 0
        self._new: deque[asyncio.Future[None]] = deque()
        self._again: deque[asyncio.Future[None]] = deque()

    @property
    def limit(self) -> int:
        """Attempts that may be under way now."""
        if self._round != self.adaptive.rounds:
            self._round, self._fits = self.adaptive.rounds, self.adaptive.cap
        return min(self._fits, self.adaptive.cap)

    async def enter(self, *, again: bool) -> int:
        """Waits for a place; `again`: the request was sent before. The number of the attempt."""
        queue = self._again if again else self._new
        if self.active < self.limit and not queue:
            self.active += 1
            return self.adaptive.sent()
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # it was given just before
                self.active -= 1
                self._give()
            raise
        return self.adaptive.sent()

    def leave(self, number: int, request: Hashable, fate: Fate) -> None:
        """Gives the place of an attempt back, and says what became of it."""
        self.active -= 1
        if fate == "refused" and self.limit > self.active:
            self._fits = max(1, self.adaptive.cap // 2, self.active)
        self.adaptive.ended(number, request, fate)
        self._give()

    def _give(self) -> None:
        limit = self.limit
        for queue in (self._again, self._new):
            while queue and self.active < limit:
                place = queue.popleft()
                if not place.done():
                    self.active += 1
                    place.set_result(None)


class Paced(Generic[Given, Result]):
    """One request of several attempts, each of which takes a place while it is under way."""

    def __init__(self, pace: Pace, attempt: Callable[Given, Awaitable[Result]]) -> None:
        self._pace, self._attempt, self._again = pace, attempt, False

    async def attempt(self, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        """The next attempt.

        Raises:
            Fault: what `attempt` raises; one that is `rate_limited` was refused as too many.
        """
        number, fate = await self._pace.enter(again=self._again), _FAILED
        self._again = True
        try:
            result = await self._attempt(*args, **kwargs)
            fate = "answered"
        except Fault as fault:
            fate = "refused" if fault.kind == "rate_limited" else "failed"
            raise
        finally:
            self._pace.leave(number, self, fate)
        return result

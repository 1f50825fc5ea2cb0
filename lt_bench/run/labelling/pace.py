"""How long a person needs for a reply, and so for the rest."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from statistics import median
from typing import Final

RECENT: Final = 30
"""Replies that count: people get faster."""
ENOUGH: Final = 3
"""Below this many replies nothing is said."""


class Pace:
    """Seconds a reply, as the median of the last ones: a pause for coffee changes nothing."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._laps: deque[float] = deque(maxlen=RECENT)
        self._since = clock()

    def begin(self) -> None:
        """A reply is shown."""
        self._since = self._clock()

    def end(self) -> None:
        """Its labels are given."""
        self._laps.append(self._clock() - self._since)

    def left(self, replies: int) -> float | None:
        """Seconds that so many more replies will take; None while there is too little to tell."""
        return median(self._laps) * replies if len(self._laps) >= ENOUGH else None

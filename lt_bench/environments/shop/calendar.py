"""The shop's calendar. Every world stands still on one day, so that a run is the same next year."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

TODAY: Final = "2026-06-15"
RETURN_DAYS: Final = 30
"""Days after its delivery within which goods may go back."""

_TODAY: Final = date.fromisoformat(TODAY)
LAST_DELIVERY: Final = (_TODAY - timedelta(days=RETURN_DAYS)).isoformat()
"""Orders delivered before this day are too old to go back."""


def day(offset: int) -> str:
    """The day `offset` days after today, as ISO text."""
    return (_TODAY + timedelta(days=offset)).isoformat()


def is_day(text: str) -> bool:
    """Whether it is an ISO date that exists, as this calendar writes it."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False

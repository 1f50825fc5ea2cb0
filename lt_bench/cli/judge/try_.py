"""`lt-bench judge try`."""

from __future__ import annotations


def try_() -> None:
    """Ask one judge about one reply, and show everything."""

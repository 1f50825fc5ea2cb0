"""`lt-bench judge plan`."""

from __future__ import annotations


def plan() -> None:
    """How many labels a wanted precision needs."""

"""`lt-bench judge bias`."""

from __future__ import annotations


def bias() -> None:
    """Measure what sways a judge."""

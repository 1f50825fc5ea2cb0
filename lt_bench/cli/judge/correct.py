"""`lt-bench judge correct`."""

from __future__ import annotations


def correct() -> None:
    """Correct a judged score for its judge's errors."""

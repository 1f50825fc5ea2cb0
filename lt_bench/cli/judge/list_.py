"""`lt-bench judge list`."""

from __future__ import annotations


def show() -> None:
    """List the judges."""

"""`lt-bench judge report`."""

from __future__ import annotations


def report() -> None:
    """Show a stored calibration again."""

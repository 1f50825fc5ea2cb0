"""`lt-bench judge label`."""

from __future__ import annotations


def label() -> None:
    """Label replies at the terminal."""

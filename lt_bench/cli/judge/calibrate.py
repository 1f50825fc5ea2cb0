"""`lt-bench judge calibrate`."""

from __future__ import annotations


def calibrate() -> None:
    """Measure a judge against people."""

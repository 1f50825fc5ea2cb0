"""A disk that takes no more, in whatever words a library has for it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lt_bench.errors import LtBenchError, RunError, first_line

FULL_DISK: Final = (
    *("No space left", "File too large", "Disk quota exceeded"),  # the system
    *("file write failed", "unexpected pos"),  # torch
)
"""What stands in their errors."""


def disk_trouble(folder: Path, error: BaseException) -> RunError | None:
    """The error that a person is told; None for one of another kind."""
    if isinstance(error, LtBenchError) or not any(word in str(error) for word in FULL_DISK):
        return None
    return RunError(
        f"cannot write {folder}: {first_line(error)}",
        "free some space, then run the same command again: it goes on from its last checkpoint",
    )

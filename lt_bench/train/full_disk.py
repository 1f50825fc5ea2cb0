"""A disk that takes no more, in whatever words a library has for it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lt_bench.errors import LtBenchError, RunError, first_line

OF_SYSTEM: Final = ("No space left", "File too large", "Disk quota exceeded")
OF_TORCH: Final = ("file write failed", "unexpected pos")
"""What stands in their errors. Those of torch tell nothing to a person."""


def disk_trouble(folder: Path, error: BaseException) -> RunError | None:
    """The error that a person is told; None for one of another kind."""
    text = str(error)
    plain = any(word in text for word in OF_SYSTEM)
    if isinstance(error, LtBenchError) or not (plain or any(word in text for word in OF_TORCH)):
        return None
    return RunError(
        f"cannot write {folder}: {first_line(error) if plain else 'no space left on the device'}",
        "free some space, then run the same command again: it goes on from its last checkpoint",
    )

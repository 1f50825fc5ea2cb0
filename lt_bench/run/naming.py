"""Names that a run keeps, and a sample in a message or a log: on one line and short, whatever its id
holds."""

from __future__ import annotations

from typing import Final

from lt_bench.errors import UsageError

LONGEST: Final = 80
"""Characters of an id that are shown."""


def named(example_id: str, sample_index: int | None = None) -> str:
    """ "row-7", or "row-7 (sample 0)"; an id of other than printable characters is quoted."""
    start = example_id[:LONGEST]
    text = start if start.isprintable() and start else repr(start)
    text += "…" if len(example_id) > LONGEST else ""
    return text if sample_index is None else f"{text} (sample {sample_index})"


def check_utf8(name: str) -> None:
    """Raises UsageError for a name that no file takes: a run keeps it on disk, as UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"{name!r} is not UTF-8", "rename it") from error

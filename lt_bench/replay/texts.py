"""Texts of rows, models and files as people may see them: harmless, and not endless."""

from __future__ import annotations

from typing import Final

from lt_bench.plain import printable

LONGEST: Final = 24_000
"""Characters of one text that are shown; the middle of longer ones is left out."""
_KEPT_END: Final = 6_000


def shown(text: str) -> str:
    """The text with control and direction characters as escapes. What is very long loses its middle: how a
    thought began and how it ended tells most."""
    if len(text) > LONGEST:
        start, end = text[: LONGEST - _KEPT_END], text[-_KEPT_END:]
        left_out = len(text) - LONGEST
        text = f"{start}\n[… {left_out:,} characters are left out here …]\n{end}"
    return printable(text)

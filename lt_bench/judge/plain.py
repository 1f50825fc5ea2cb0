"""Text without the characters that nobody sees."""

from __future__ import annotations

import re

_HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
HIDDEN = re.compile(f"[{_HIDDEN}]")
"""Zero-width characters, marks of direction, variation selectors and tags."""

_AROUND = "".join(
    character
    for character in map(chr, (*range(0x3165), *range(0xFE00, 0x10000), *range(0xE0000, 0xE01F0)))
    if character.isspace() or HIDDEN.match(character)
)


def visible(text: str) -> str:
    """The text without any hidden character."""
    return HIDDEN.sub("", text)


def bare(text: str) -> str:
    """The text without white space and hidden characters at its two ends; those inside stay."""
    return text.strip(_AROUND)


def folded(text: str) -> str:
    """A label for comparison: visible, without white space around, in one case."""
    return visible(text).strip().casefold()

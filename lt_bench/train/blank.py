"""Whether a reply shows anything: a policy that is paid for replies of a length must not be paid for
characters that nobody sees."""

from __future__ import annotations

import unicodedata
from typing import Final

UNSEEN: Final = frozenset(("Cc", "Cf", "Cn", "Co", "Zl", "Zp", "Zs"))
"""Unicode categories of controls, formats, unassigned characters and spaces."""
FILLERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5") | frozenset(
    map(chr, range(0xFE00, 0xFE10))
)
"""Letters, signs and marks that are drawn as nothing: Hangul fillers, the empty Braille cell, joiners,
variation selectors."""


def is_blank(text: str) -> bool:
    """Whether nothing of it can be seen."""
    return all(sign in FILLERS or unicodedata.category(sign) in UNSEEN for sign in text)

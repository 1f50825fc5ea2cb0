"""Which language a text is written in, of those that replies are read in."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from lt_bench.claims.chinese import CHINESE
from lt_bench.claims.english import ENGLISH
from lt_bench.claims.language import Language
from lt_bench.claims.wording import CJK

COMMON: Final = ENGLISH.common | CHINESE.common
"""Stems of ordinary talk in any language."""
_GLUE: Final = re.compile(
    r"\b(?:the|this|that|it|it's|is|are|was|has|have|and|or|of|in|on|for|with|you|your|we|i|to|not|does|doesn't|can|a|an|at|from|comes)\b"
)


@lru_cache(maxsize=4096)
def language_of(folded: str) -> Language:
    """Chinese where Chinese characters carry the text, else English: a Chinese name in an English
    sentence leaves it English, an English word in a Chinese one Chinese."""
    if folded.isascii():
        return ENGLISH
    return CHINESE if len(CJK.findall(folded)) > 2 * len(_GLUE.findall(folded)) else ENGLISH

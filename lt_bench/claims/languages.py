"""Which language a text is written in, of those that replies are read in."""

from __future__ import annotations

from lt_bench.claims.chinese import CHINESE
from lt_bench.claims.english import ENGLISH
from lt_bench.claims.language import Language
from lt_bench.claims.wording import is_cjk


def language_of(folded: str) -> Language:
    """Chinese where the text has Chinese characters, else English."""
    return CHINESE if is_cjk(folded) else ENGLISH

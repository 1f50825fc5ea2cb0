"""Chinese text cut into words: those of the word list, and pairs of characters for the rest."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from lt_bench.claims.chinese_words import WORDS
from lt_bench.claims.stemming import stem

_STEMS: Final = {word: tuple(map(stem, stems)) for word, stems in WORDS.items()}
_LONGEST: Final = max(map(len, _STEMS))


@lru_cache(maxsize=65536)
def segment(run: str) -> tuple[tuple[str, int, int], ...]:
    """The stems of a run of Chinese characters and where each begins and ends in it, in order.

    The longest word of the list is taken first. What the list does not know becomes pairs of
    neighbouring characters, which agree wherever the same characters follow each other; a
    character alone stands for itself.
    """
    found: list[tuple[str, int, int]] = []
    unknown = place = 0
    while place < len(run):
        size = next((n for n in range(_LONGEST, 0, -1) if run[place : place + n] in _STEMS), 0)
        if not size:
            place += 1
            continue
        found += _pairs(run, unknown, place)
        found += ((stem, place, place + size) for stem in _STEMS[run[place : place + size]])
        unknown = place = place + size
    found += _pairs(run, unknown, len(run))
    return tuple(found)


def _pairs(run: str, start: int, end: int) -> list[tuple[str, int, int]]:
    if end - start == 1:
        return [(run[start], start, end)]
    return [(run[i : i + 2], i, i + 2) for i in range(start, end - 1)]

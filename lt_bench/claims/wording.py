"""Folded text and its words: what two ways of writing the same thing have in common.

Folding never changes the length of a text, so that an offset in the folded text is one in the
original, and evidence can be quoted exactly.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from lt_bench.claims.segmentation import segment
from lt_bench.claims.stemming import stem
from lt_bench.claims.traditional import SIMPLIFIED

__all__ = ["CJK", "fold", "is_cjk", "long", "stem", "stems", "telling", "words"]

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_LOOKALIKES = {
    **dict.fromkeys(map(ord, "‘’‛′`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″「」『』"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒−﹣"), "-"),
    **dict.fromkeys(
        map(
            ord,
            "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000\u200b\u200c\u200d\ufeff\t\r\x0b\x0c\x1c\x1d\x1e\x1f",
        ),
        " ",
    ),
    **dict.fromkeys(map(ord, "\x85\u2028\u2029"), "\n"),
    **dict.fromkeys(map(ord, "*_\u2060"), " "),
    **dict.fromkeys(map(ord, "【《〈"), "("),
    **dict.fromkeys(map(ord, "】》〉"), ")"),
    ord("。"): ".",
    ord("～"): "~",
    ord("㎡"): "㎡",
}
_TABLE: Final[dict[int, int | str]] = {**SIMPLIFIED, **_FULL_WIDTH, **_LOOKALIKES}
CJK = re.compile(r"[\u3400-\u9fff]")
_WORD: Final = re.compile(
    r"[a-z\u00df-\u024f]+(?:\d+[a-z0-9]*|(?:'[a-z]+)?)|\d+(?:[.,]\d+)*|[\u3400-\u9fff]+"
)
_BEFORE_DIGITS: Final = re.compile(r"，(?=\d)|(?<=\d)。(?=\d)")


def fold(text: str) -> str:
    """`text` in lower case, in simplified characters, with plain quotes, hyphens and spaces; of
    the same length. A Chinese comma before digits and a Chinese stop between them keep them apart."""
    if text.isascii():
        return text.translate(_ASCII_TABLE).lower()
    text = _BEFORE_DIGITS.sub(lambda match: "﹐" if match.group() == "，" else ";", text)
    plain = text.translate(_TABLE)
    low = plain.lower()
    if len(low) != len(plain):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in plain)
    return low


_ASCII_TABLE: Final = {code: into for code, into in _TABLE.items() if code < 128}


@lru_cache(maxsize=32768)
def words(folded: str) -> tuple[tuple[str, int, int], ...]:
    """The stem of each word of a folded text and where it begins and ends, in order. Some Chinese words
    have no stem, and some several."""
    found: list[tuple[str, int, int]] = []
    for match in _WORD.finditer(folded):
        word, start = match.group(), match.start()
        if word[0] >= "\u3400":
            found += ((piece, start + a, start + b) for piece, a, b in segment(word))
        else:
            found.append((stem(word), start, match.end()))
    return tuple(found)


def stems(folded: str) -> tuple[str, ...]:
    """The stems of the words of a folded text, in order."""
    return tuple(word for word, _, _ in words(folded))


def telling(stem: str) -> bool:
    """Whether a stem is more than one letter; a Chinese character is enough."""
    return len(stem) > 1 or stem >= "\u3400"


def long(stem: str) -> bool:
    """Whether a stem is long enough to mean one thing: three letters, or two Chinese characters."""
    return len(stem) > 2 - (stem >= "\u3400")


def is_cjk(text: str) -> bool:
    """Whether Chinese characters occur in it."""
    return CJK.search(text) is not None

"""Text without what does not change its meaning: Unicode form, case, punctuation, space, emoji.

    "Is the ＸＬ in-stock? 🙏"  ->  is the xl in stock
    "防水吗？"                  ->  防 水 吗

A token is a word, or one character of a script that is written without spaces.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator

PIECE = 2**20
"""Characters that are looked at together; a longer text goes by pieces, so that it costs no more
memory than a short one."""

_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x312F),  # kana, bopomofo
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
_SYMBOLS = "%+#"
"""Kept, as currency signs are: 5 % is not 5, C++ is not C."""
_VARIANTS = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
_BETWEEN_DIGITS = re.compile(r"(?<=\d) +(?=\d)")


class _Table(dict[int, str]):
    """What becomes of each character, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = _replacement(code)
        return self[code]


def _replacement(code: int) -> str:
    char = chr(code)
    kind = unicodedata.category(char)
    if any(low <= code <= high for low, high in _VARIANTS):
        return ""
    if kind[0] in "LN" or kind in ("Mn", "Mc", "Sc") or char in _SYMBOLS:
        return f" {char} " if any(low <= code <= high for low, high in _UNSPACED) else char
    return " "


_TABLE = _Table()


def tokens(text: str, *, fold: bool = True) -> list[str]:
    """The words of a text; without `fold` they keep their case."""
    text = unicodedata.normalize("NFKC", text)
    return (text.casefold() if fold else text).translate(_TABLE).split()


def pieces(text: str) -> Iterator[str]:
    """The text in pieces of at most `PIECE` characters, cut at a space where there is one."""
    start = 0
    while len(text) - start > PIECE:
        cut = text.rfind(" ", start + PIECE // 2, start + PIECE) + 1 or start + PIECE
        yield text[start:cut]
        start = cut
    yield text[start:]


class NormalKey:
    """128 bits that are equal where the tokens are, however they are spaced.

    Digits do not run together: 1.5 is not 15, and "24 and 42" is no number.
    """

    def __init__(self) -> None:
        self._running = hashlib.blake2b(digest_size=16)
        self.empty = True

    def add(self, words: Iterable[str]) -> None:
        """The tokens of the next piece of a text."""
        form = _BETWEEN_DIGITS.sub(".", " ".join(words)).replace(" ", "")
        self.empty = self.empty and not form
        self._running.update(form.encode())

    def end(self) -> None:
        """The text ends here."""
        self._running.update(b"\0")

    def digest(self) -> bytes:
        return self._running.digest()

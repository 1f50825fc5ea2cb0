"""Text from models, files and servers, made harmless for a terminal, a table and a page."""

from __future__ import annotations

import unicodedata
from typing import Final

_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Categories of characters that steer a terminal or a page, or end a line where nobody sees one."""


def printable(text: str) -> str:
    """The text with control and direction characters shown as escapes; line ends stay."""
    if text.isprintable():
        return text
    return "".join(
        char if char == "\n" or unicodedata.category(char) not in _HIDDEN else _shown(char)
        for char in text
    )


def on_one_line(text: str) -> str:
    """The same with line ends shown too, for text among lines of our own that it could fake."""
    return printable(text).replace("\n", "\\n")


def writable(text: str) -> str:
    """The text with half characters as escapes, as the names of files may hold them: no file takes them."""
    return text.encode("utf-8", "backslashreplace").decode()


def _shown(char: str) -> str:
    # Zero-width joiners hold emoji and Indic words together and do no harm.
    if char in "\u200c\u200d":
        return char
    return "    " if char == "\t" else char.encode("unicode_escape").decode("ascii")

"""Ways to hide words from a reader, undone: look-alikes, spelling, escapes and codes."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from lt_bench.judge.plain import visible

MAX_TOKENS: Final = 40
"""Coded words that are looked into; a reply with more has other troubles."""

PART: Final = 500
"""Characters decomposed at once."""

_LOOK_ALIKE = str.maketrans(
    "аеорсухіјѕԁһԛԝвкмнтАЕОРСУХІЈЅВКМНТ"  # Cyrillic
    "αοιενρτυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"  # Greek
    "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",  # small capitals
    "aeopcyxijsdhqwbkmhtAEOPCYXIJSBKMHTaoievptukABEZHIKMNOPTYXabcdefghijklmnoprstuvwyz",
)
_DIGITS = str.maketrans("013457@$!", "oieastasi")
_MARKS = re.compile("[\u0300-\u036f\u0488\u0489\u20d0-\u20f0]")
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_SPELT = re.compile(r"\b[^\W\d_]([ .\-_*])(?:[^\W\d_]\1)*[^\W\d_]\b")
_ESCAPE = re.compile(r"\\u\{?([0-9a-fA-F]{4})\}?|\\x([0-9a-fA-F]{2})")
_HEX = re.compile(r"\b(?:[0-9a-fA-F]{2}){8,}\b")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")


def undisguised(text: str) -> Iterator[str]:
    """The text in small letters as it looks to a reader, then every other way to read it."""
    looks = _looks(text)
    yield looks
    yield _SPELT.sub(lambda match: match[0].replace(match[1], ""), looks)
    yield looks.translate(_DIGITS)
    yield looks[::-1]
    yield codecs.encode(looks, "rot13")
    for hidden in (_unescaped(text), *_TAGS.findall(text), *_decoded(text)):
        yield _looks(_untagged(hidden))


def _looks(text: str) -> str:
    """Without hidden characters and struck-out letters, look-alikes as the letters they imitate."""
    letters = "".join(_decomposed(visible(text)))
    return _MARKS.sub("", letters).translate(_LOOK_ALIKE).casefold()


def _decomposed(text: str) -> Iterator[str]:
    """The text without compatibility forms. In parts, since marks upon marks without end take time
    by the square of their number."""
    for start in range(0, len(text), PART):
        yield unicodedata.normalize("NFKD", text[start : start + PART])


def _untagged(text: str) -> str:
    return _TAGS.sub(lambda match: "".join(chr(ord(c) - 0xE0000) for c in match[0]), text)


def _unescaped(text: str) -> str:
    """Percent signs, HTML entities and backslashes resolved; "" where there were none."""
    plain = _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text)
    plain = html.unescape(unquote(plain))
    return "" if plain == text else plain


def _decoded(text: str) -> Iterator[str]:
    for number, match in enumerate(_HEX.finditer(text)):
        if number < MAX_TOKENS:
            yield bytes.fromhex(match[0]).decode(errors="replace")
    for number, match in enumerate(_BASE64.finditer(text)):
        if number < MAX_TOKENS and (plain := _from_base64(match[0])):
            yield plain


def _from_base64(token: str) -> str:
    """The text that a word codes; "" where it codes none."""
    letters = token.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        raw = base64.b64decode(letters + "=" * (-len(letters) % 4))
        plain = raw.decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return plain if plain.isprintable() or "\n" in plain else ""

"""Longer replies with the same facts: filled up with courtesies, or said again in other words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle
from typing import Final, Literal

from lt_bench.run.judging.bias.padding_words import AGAIN, FILLERS, REWORDED

Kind = Literal["filler", "restated"]
KINDS: Final[tuple[Kind, ...]] = ("filler", "restated")
FACTORS: Final = (2, 3)
"""How many times as long a padded reply is."""

_CJK: Final = re.compile(r"[\u3400-\u9fff]")
_OTHER_CJK: Final = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_WORD: Final = re.compile(r"[a-z]+(?:'[a-z]+)?")
_COMMONEST: Final = (
    "the is it it's of and you your this that with are not for from have has be can was by to i i'm "
    "do does don't doesn't there we our my an at on as or if so but they their will would"
)
_ENGLISH: Final = frozenset(_COMMONEST.split())
_ENDED: Final = re.compile(r"[.!?…。！？；;:~～]['\"”’)）\]]*$")
_MOSTLY: Final = 0.9
_MANY_WORDS: Final = 8
_COMMON: Final = 0.12


def language(reply: str) -> Literal["en", "zh"] | None:
    """The language that a reply is padded in; None for one that there is no padding in.

    A reply of some words is English where enough of them are its commonest ones; a shorter one in
    plain Latin letters is taken to be.
    """
    letters = _LETTER.findall(reply)
    chinese = len(_CJK.findall(reply))
    if _OTHER_CJK.search(reply) or not letters:
        return None
    if 3 * chinese >= len(letters):
        return "zh"
    plain = sum(letter.isascii() for letter in letters) + chinese
    words = _WORD.findall(reply.lower())
    common = sum(word in _ENGLISH for word in words)
    if plain < _MOSTLY * len(letters) or (
        len(words) >= _MANY_WORDS and common < _COMMON * len(words)
    ):
        return None
    return "en"


def padded(reply: str, kind: Kind, factor: int) -> str | None:
    """The reply made about `factor` times as long without a new claim; None where it cannot be
    padded (it is empty, or in neither English nor Chinese)."""
    lang = language(reply)
    if lang is None:
        return None
    text = reply.strip()
    gap = _gap(text, lang)
    added = (
        filler(lang, (factor - 1) * len(text))
        if kind == "filler"
        else gap.join(_again(text, lang, factor - 1))
    )
    return f"{text}{gap}{added}"


def _gap(text: str, lang: str) -> str:
    """What parts a text from the next sentence: a line end where it does not end as one."""
    if not _ENDED.search(text):
        return "\n"
    return "" if lang == "zh" else " "


def filler(lang: str, length: int) -> str:
    """Courtesies of at least so many characters."""
    told: list[str] = []
    gap = "" if lang == "zh" else " "
    for sentence in cycle(FILLERS[lang]):
        told.append(sentence)
        if len(gap.join(told)) >= length:
            break
    return gap.join(told)


def _again(text: str, lang: str, times: int) -> Iterator[str]:
    """The same facts, each time with another opening and in other words."""
    for opening, rules in zip(AGAIN[lang][:times], REWORDED[lang][:times], strict=True):
        said = text
        for pattern, replacement in rules:
            said = re.sub(pattern, replacement, said)
        yield f"{opening}{said}"

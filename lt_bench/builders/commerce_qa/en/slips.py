"""How English comments look when they are typed in a hurry: letters, case, marks, chat spelling."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.language import Slip, always, drawn

_NEIGHBOURS: Final = {
    "a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj", "i": "uo", "j": "hk", "k": "jl", "l": "k",
    "m": "n", "n": "bm", "o": "ip", "p": "o", "q": "wa", "r": "et", "s": "ad", "t": "ry", "u": "yi", "v": "cb", "w": "qe", "x": "zc",
    "y": "tu", "z": "x",
}  # fmt: skip
_CHAT: Final = (
    ("you", "u"), ("are", "r"), ("please", "pls"), ("what's", "whats"), ("is it", "izit"), ("how much", "how mch"), ("with", "w/"),
    ("your", "ur"), ("because", "bc"), ("and", "n"), ("without", "w/o"), ("have", "hv"),
)  # fmt: skip
_WORD: Final = re.compile(r"(?<![\w@])[a-z]{4,}(?!\w)")
_ENDS: Final = ("??", "???", "?!", " ?", "..", " ??")


def careless(text: str) -> str:
    """No mark, no capital."""
    return text.rstrip("?").lower()


def _letter(text: str, draw: Draw, protected: frozenset[str]) -> str:
    """One finger in the wrong place: a letter swapped, lost, doubled or its neighbour."""
    found = [m for m in _WORD.finditer(text) if m.group() not in protected]
    if not found:
        return text
    match = draw.pick(found)
    at = draw.between(match.start() + 1, match.end() - 2)
    kind = draw.pick(("swap", "drop", "double", "neighbour"))
    if kind == "swap":
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    if kind == "drop":
        return text[:at] + text[at + 1 :]
    if kind == "double":
        return text[:at] + text[at] + text[at:]
    return text[:at] + draw.pick(_NEIGHBOURS[text[at]]) + text[at + 1 :]


def _start_and_mark(text: str) -> str:
    return text[:1].lower() + text[1:].rstrip("?")


def _no_mark(text: str) -> str:
    return text.rstrip("?")


def _no_apostrophe(text: str) -> str:
    return text.replace("'", "")


def _loud(text: str, draw: Draw) -> str:
    return text.upper().rstrip("?") + draw.pick(("?", "??", ""))


def _other_marks(text: str, draw: Draw) -> str:
    return text.rstrip("?") + draw.pick(_ENDS)


def _chat(text: str, draw: Draw) -> str:
    """Chat spelling: "you" as "u"."""
    fitting = [(word, chat) for word, chat in _CHAT if re.search(rf"\b{word}\b", text)]
    if not fitting:
        return text
    word, chat = draw.pick(fitting)
    return re.sub(rf"\b{word}\b", chat, text)


SLIPS: Final[tuple[Slip, ...]] = (
    _letter, _letter, always(_start_and_mark), always(str.lower), always(_no_mark), always(_no_apostrophe), drawn(_chat),
    drawn(_other_marks), drawn(_loud),
)  # fmt: skip

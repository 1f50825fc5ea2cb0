"""What typing in a hurry does to a comment: typos, case, lost marks, filler, emoji, mentions."""

from __future__ import annotations

import re
from collections.abc import Callable

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.language import Language
from lt_bench.builders.commerce_qa.question import finish

NEIGHBOURS = {
    "a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj", "i": "uo", "j": "hk", "k": "jl", "l": "k",
    "m": "n", "n": "bm", "o": "ip", "p": "o", "q": "wa", "r": "et", "s": "ad", "t": "ry", "u": "yi", "v": "cb", "w": "qe", "x": "zc",
    "y": "tu", "z": "x",
}  # fmt: skip
_WORD = re.compile(r"(?<![\w@])[a-z]{4,}(?!\w)")


def typed(text: str, language: Language, draw: Draw, protected: tuple[str, ...]) -> str:
    """`text` as typed in a hurry: one to three slips, at least one of them visible.

    Digits, names and `protected` words stay, so that a slip never changes what is asked.
    """
    careful = finish(text)
    slips: list[Callable[[str], str]] = [
        lambda t: _slip(t, draw, protected),
        lambda t: _slip(t, draw, protected),
        lambda t: t[:1].lower() + t[1:].rstrip("?"),
        str.lower,
        lambda t: _short(t, language, draw),
        lambda t: t.rstrip("?"),
        lambda t: t.replace("'", ""),
        lambda t: t.rstrip("?") + draw.pick(("??", "???", "?!", " ?", "..", " ??")),
        lambda t: t.upper().rstrip("?") + draw.pick(("?", "??", "")),
    ]
    # Slips can undo each other ("??" put on, then taken off): drawn anew until one shows.
    for _ in range(8):
        rough = careful
        for slip in draw.sample(slips, draw.between(1, 3)):
            rough = slip(rough)
        if rough != careful:
            return rough
    return careful.rstrip("?").lower()


def _slip(text: str, draw: Draw, protected: tuple[str, ...]) -> str:
    """One finger in the wrong place: swapped, lost, doubled or neighbouring letter."""
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
    return text[:at] + draw.pick(NEIGHBOURS[text[at]]) + text[at + 1 :]


def _short(text: str, language: Language, draw: Draw) -> str:
    """Chat spelling: "you" as "u"."""
    pairs = [entry.split("=") for entry in language.phrases["chat"]]
    fitting = [(word, chat) for word, chat in pairs if re.search(rf"\b{word}\b", text)]
    if not fitting:
        return text
    word, chat = draw.pick(fitting)
    return re.sub(rf"\b{word}\b", chat, text)


def filled(text: str, language: Language, draw: Draw, host: str) -> str:
    """`text` with filler words, emoji or a mention of the host around it."""
    before, after = draw.weighted(
        (
            (("filler.before", ""), 0.3),
            (("", "filler.after"), 0.35),
            (("filler.mention", ""), 0.15),
            (("", "filler.mention_after"), 0.05),
            (("filler.before", "filler.after"), 0.15),
        )
    )
    start = draw.pick(language.phrases[before]).format(host=host) if before else ""
    end = draw.pick(language.phrases[after]).format(host=host) if after else ""
    return f"{start}{text}{end}"

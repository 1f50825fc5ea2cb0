"""The tags that models put around their thinking, and where they stand in a text.

Models mark thinking by pairs of tags. Each family is one pair: `<think>` (DeepSeek-R1, Qwen3 and
most others), `<thinking>`, `<thought>`, `<reasoning>`, `<思考>`, `<seed:think>` (Seed-OSS),
`[THINK]` (Magistral), `◁think▷` (Kimi), `<|begin_of_thought|>` (Sky-T1, OpenThinker) and
`<|START_THINKING|>` (Command A). `harmony` (gpt-oss) has channels instead: see `channels.py`.
Tags are met in any case, with white space and invisible characters in and around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from lt_bench.errors import UsageError, did_you_mean

Role = Literal["open", "close", "wrap"]
"""`wrap`: a tag around the reply itself; it is markup and neither opens nor closes thinking."""

XML_NAMES = ("thinking", "thought", "think", "reasoning", "思考", "seed:think")
FAMILIES = (*XML_NAMES, "[THINK]", "◁think▷", "begin_of_thought", "START_THINKING", "harmony")

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
"""Zero-width characters that `str.isspace` does not know."""
_ZERO = f"[{INVISIBLE}]{{0,2}}"
_GAP = f"[\\s{INVISIBLE}]{{0,4}}"


def _spelt(word: str) -> str:
    """`word` with invisible characters allowed between its letters."""
    return _ZERO.join(map(re.escape, word))


_ATTRIBUTES = r"""(?:\s{1,4}[\w-]{1,40}=(?:"[^"<>\n]{0,80}"|'[^'<>\n]{0,80}')){0,3}"""
_TAG = re.compile(
    rf"""[<＜\[◁](?:
      (?<=[<＜]){_GAP}(?P<xml_end>/?){_GAP}(?P<xml>{"|".join(map(_spelt, XML_NAMES))}){_ATTRIBUTES}{_GAP}[>＞]
    | (?<=\[){_GAP}(?P<box_end>/?){_GAP}(?P<box>{_spelt("think")}){_GAP}\]
    | (?<=◁){_GAP}(?P<kimi_end>/?){_GAP}(?P<kimi>{_spelt("think")}){_GAP}▷
    | (?<=<)\|(?P<sky_end>begin|end)_of_(?P<sky>thought|solution)\|>
    | (?<=<)\|(?P<cmd_end>start|end)_(?P<cmd>thinking|response)\|>
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_NAME_OF = {"box": "[THINK]", "kimi": "◁think▷", "sky": "begin_of_thought", "cmd": "START_THINKING"}


class Tag(NamedTuple):
    """One tag at text[start:end]. A tuple, because a hostile text can hold very many."""

    start: int
    end: int
    role: Role
    family: str


def check(family: str) -> None:
    """Raise UsageError unless `family` is "auto", "none" or one of `FAMILIES`."""
    known = ("auto", "none", *FAMILIES)
    if family not in known:
        raise UsageError(
            f"unknown reasoning family {family!r}.{did_you_mean(family, known)}",
            f"known: {', '.join(known)}",
        )


def may_hold_tags(text: str) -> bool:
    """Whether `text` has a character that a tag, or a channel's mark, can begin with."""
    return any(sign in text for sign in "<＜[◁")


def tags(text: str, family: str = "auto", at: int = 0) -> Iterator[Tag]:
    """Every tag that begins at `at` or later, or only those of one family, in order."""
    for match in _TAG.finditer(text, at):
        role, name = _meaning(match[0])
        if family in ("auto", name):
            yield Tag(match.start(), match.end(), role, name)


@lru_cache(maxsize=1024)
def _meaning(tag: str) -> tuple[Role, str]:
    """What a tag does, and its family."""
    match = _TAG.fullmatch(tag)
    kind = (match.lastgroup or "").removesuffix("_end") if match else ""
    if match is None or not kind:
        raise ValueError(f"{tag!r} is no tag")
    name, end = _bare(match[kind]), match[f"{kind}_end"].lower()
    family = _NAME_OF.get(kind, name)
    if name in ("solution", "response"):
        return "wrap", family
    return ("close" if end in ("/", "end") else "open"), family


def _bare(name: str) -> str:
    return "".join(letter for letter in name if letter not in INVISIBLE).lower()

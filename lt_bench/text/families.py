"""The tags that models put around their thinking, and where they stand in a text.

Models mark thinking by pairs of tags. Each family is one pair: `<think>` (DeepSeek-R1, Qwen3 and
most others), `<thinking>`, `<thought>`, `<reasoning>`, `<思考>`, `<seed:think>` (Seed-OSS),
`[THINK]` (Magistral), `◁think▷` (Kimi), `<|begin_of_thought|>` (Sky-T1, OpenThinker) and
`<|START_THINKING|>` (Command A). `harmony` (gpt-oss) has channels instead: see `channels.py`.
Tags are met in any case, with white space and invisible characters in and around them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag at text[start:end]."""

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


def tags(text: str, family: str = "auto") -> list[Tag]:
    """Every tag in `text`, or only those of one family, in order."""
    found = (_tag(match) for match in _TAG.finditer(text))
    return [tag for tag in found if family in ("auto", tag.family)]


def first(text: str, at: int = 0, family: str = "auto") -> Tag | None:
    """The first of `tags` that begins at `at` or later."""
    found = (_tag(match) for match in _TAG.finditer(text, at))
    return next((tag for tag in found if family in ("auto", tag.family)), None)


def _tag(match: re.Match[str]) -> Tag:
    kind = (match.lastgroup or "").removesuffix("_end")
    name, end = match[kind].lower(), match[f"{kind}_end"].lower()
    role: Role = "close" if end in ("/", "end") else "open"
    if name in ("solution", "response"):
        role = "wrap"
    family = _NAME_OF.get(kind) or _bare(name)
    return Tag(match.start(), match.end(), role, family)


def _bare(name: str) -> str:
    return "".join(letter for letter in name if letter not in INVISIBLE)

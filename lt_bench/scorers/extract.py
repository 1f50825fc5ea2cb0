"""Where the short answer and the cited documents stand in a reply.

Only what the user hears is looked at, never the reasoning: a trace says "Answer:" many times.
"""

from __future__ import annotations

import re
from typing import Literal

Extract = Literal["answer", "none"]

_TAG = re.compile(r"<(/?)answer\s{0,9}>", re.IGNORECASE | re.ASCII)
_MARKUP = r"[\s>#*_`\-]*"
_ANSWER = re.compile(
    rf"{_MARKUP}(?:final\s+)?(?:answer|答案)[*_]*\s*[:：](?P<rest>.*)", re.IGNORECASE
)
_SUPPORT = re.compile(rf"{_MARKUP}support[*_]*\s*[:：](?P<rest>.*)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+", re.ASCII)


def answer_in(reply: str, extract: Extract = "answer") -> str:
    """The short answer in `reply`.

    `answer`: the last `<answer>…</answer>`; else the rest of the last line that starts with
    `Answer:` (the next line with text if it is empty there); else what follows an `<answer>` that
    was never closed; else the whole reply without its `Support:` lines. `none`: the reply as is.
    """
    if extract == "none":
        return reply
    tagged, opened = _tagged(reply)
    if tagged is not None:
        return tagged.strip()
    lines = reply.splitlines()
    for at in reversed(range(len(lines))):
        if found := _ANSWER.match(lines[at]):
            return _rest(found["rest"], lines[at + 1 :])
    if opened is not None:
        return opened.strip()
    return "\n".join(line for line in lines if not _SUPPORT.match(line)).strip()


def _tagged(reply: str) -> tuple[str | None, str | None]:
    """The text in the last closed pair of tags, and after a last tag that stays open."""
    inside: str | None = None
    start: int | None = None
    for tag in _TAG.finditer(reply):
        if not tag[1]:
            start = tag.end()
        elif start is not None:
            inside, start = reply[start : tag.start()], None
    return inside, None if start is None else reply[start:]


def _rest(rest: str, after: list[str]) -> str:
    """The answer on its own line, or on the next line that has text."""
    for line in (rest, *after):
        if _SUPPORT.match(line):
            return ""
        if text := line.strip(" \t*_`"):
            return text
    return ""


def support_in(reply: str) -> tuple[int, ...]:
    """The document numbers, from 1, on the last line of `reply` that starts with `Support:`.

    No such line, or one without numbers, cites nothing. A number too long to be one is 0, which
    no document has.
    """
    for line in reversed(reply.splitlines()):
        if found := _SUPPORT.match(line):
            numbers = _NUMBER.findall(found["rest"])
            return tuple(dict.fromkeys(int(n) if len(n) < 10 else 0 for n in numbers))
    return ()

"""Channels: how gpt-oss marks thinking (the harmony format), and what is left when a server
strips the special tokens and lets the channel names stand as words.

    <|channel|>analysis<|message|>...<|end|><|start|>assistant<|channel|>final<|message|>...<|return|>
    analysis...assistantfinal...

`analysis` is the trace, `final` the reply, `commentary` a tool call when it has a recipient and
otherwise a preamble that is spoken. A channel nobody knows is taken as trace: better unsaid.
"""

from __future__ import annotations

import re

from lt_bench.records import Note
from lt_bench.text.blocks import Plan
from lt_bench.text.segments import BLANK, Boundary, Kind

HEADER = re.compile(
    r"""(?:<\|start\|>(?P<role>[^<]{0,120}))?
    <\|channel\|>\s{0,4}(?P<name>\w{0,40})(?P<to>[^<]{0,160})(?:<\|constrain\|>[^<]{0,40})?
    (?:<\|message\|>|(?:<(?:\|\w{0,9}\|?)?)?\Z)""",
    re.VERBOSE | re.IGNORECASE,
)
"""The start of one message, possibly cut off by the end of the text."""
_MARK = re.compile(
    rf"(?P<header>{HEADER.pattern})|<\|(?:end|return|call|start|message|constrain|channel)\|>"
    r"(?:(?<=<\|start\|>)[^<]{0,120}(?:<(?:\|\w{0,9}\|?)?)?\Z)?|<(?:\|\w{0,9}\|?)?\Z",
    re.VERBOSE | re.IGNORECASE,
)
FIRST_WORDS = (
    "analysis",
    "commentary",
    "assistantanalysis",
    "assistantcommentary",
    "assistantfinal",
)
_NEXT_WORDS = FIRST_WORDS[2:]
_STRIPPED_START = re.compile(
    r"\s*(?:assistant)?(?P<name>analysis|commentary)(?P<glued>[^\W_]|[\"'“‘(\[{<])?"
)
_STRIPPED_NEXT = re.compile(r"assistant\n{0,2}(?P<name>final|analysis|commentary)")


def harmony(text: str, *, opened: bool) -> Plan:
    """The messages of a harmony text. `opened`: the prompt ended inside the analysis channel.

    Words before the first mark are trace: the header they belong to stood in the prompt.
    """
    boundaries = [Boundary(m.start(), m.end(), _after(m)) for m in _MARK.finditer(text)]
    before = text[: boundaries[0].start] if boundaries else ""
    implied = not opened and bool(before.strip(BLANK))
    if opened or implied:
        boundaries.insert(0, Boundary(0, 0, "reasoning"))
    n_blocks = sum(boundary.after == "reasoning" for boundary in boundaries)
    notes: list[Note] = ["open_tag_implied"] if implied else []
    return Plan(
        first="reply",
        boundaries=tuple(boundaries),
        notes=(*notes, "several_blocks") if n_blocks > 1 else tuple(notes),
        closed=not boundaries or boundaries[-1].after != "reasoning",
        n_blocks=n_blocks,
        families=("harmony",) if boundaries else (),
    )


def _after(match: re.Match[str]) -> Kind:
    return "reply" if match["header"] is None else _kind(match)


def _kind(match: re.Match[str]) -> Kind:
    name = match["name"].lower()
    if " to=" in f" {match['role'] or ''} {match['to']}":
        return "markup"
    return "reply" if name in ("final", "commentary") else "reasoning"


def stripped(text: str) -> Plan | None:
    """The channels of a text in which only their names are left; None when it is no such text.

    It is one when it starts with a channel's name glued to the next word ("analysisViewer"), or
    starts with the name and goes on to "assistantfinal" (or starts with that).
    """
    start = _STRIPPED_START.match(text)
    following = list(_STRIPPED_NEXT.finditer(text))
    if start is None:
        if not following or text[: following[0].start()].strip(BLANK):
            return None
        boundaries = []
    elif start["glued"] is None and not following:
        return None
    else:
        boundaries = [Boundary(0, start.end("name"), _spoken(start["name"]))]
    boundaries += [Boundary(m.start(), m.end(), _spoken(m["name"])) for m in following]
    n_blocks = sum(boundary.after == "reasoning" for boundary in boundaries)
    return Plan(
        first="reply",
        boundaries=tuple(boundaries),
        notes=("leaked_channels",),
        closed=boundaries[-1].after != "reasoning",
        n_blocks=n_blocks,
        families=("harmony",),
    )


def _spoken(name: str) -> Kind:
    return "reply" if name == "final" else "reasoning"


def starts_stripped(head: str) -> bool:
    """Whether a text that begins with `head` is surely one of stripped channels."""
    start = _STRIPPED_START.match(head)
    return bool(start and start["glued"]) or head.startswith("assistantfinal")


def next_word(text: str, at: int) -> Boundary | None:
    """The next channel name of a stripped text, from `at` on."""
    match = _STRIPPED_NEXT.search(text, at)
    if at == 0 and (start := _STRIPPED_START.match(text)):
        return Boundary(0, start.end("name"), _spoken(start["name"]))
    if match is None:
        return None
    return Boundary(match.start(), match.end(), _spoken(match["name"]))


def partial_word(text: str) -> int:
    """How many characters at the end of a stripped text may begin a channel name."""
    longest = max(map(len, _NEXT_WORDS))
    sizes = range(min(longest - 1, len(text)), 0, -1)
    return next((n for n in sizes if any(w.startswith(text[-n:]) for w in _NEXT_WORDS)), 0)


def next_mark(text: str, at: int, *, headers_only: bool) -> Boundary | None:
    """The next whole mark of a harmony text, from `at` on."""
    match = (HEADER if headers_only else _MARK).search(text, at)
    if match is None or not match[0].endswith("|>"):
        return None
    header = headers_only or match["header"] is not None
    return Boundary(match.start(), match.end(), _kind(match) if header else "reply")


def partial_header(text: str) -> int:
    """How many characters at the end of `text` belong to a header that is not complete."""
    low = text.lower()
    done = low.rfind("<|message|>") + 1
    begins = (low.find(word, done) for word in ("<|start|>", "<|channel|>"))
    return len(text) - min((at for at in begins if at >= 0), default=len(text))

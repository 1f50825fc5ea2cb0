"""Marks and thoughts that got into a reply, where a listener would hear them.

A tag in quotation marks or in code is a word about tags, and so is a lone closing tag amid a
sentence, with a space on either side and no end of sentence before it ("The code </think> is
printed on the box."): the model speaks of it. Every other tag is a leak: the remains of a block
whose borders were not found, or of a template.
"""

from __future__ import annotations

import re

from lt_bench.text import channels, families
from lt_bench.text.families import Tag
from lt_bench.text.quoting import quotings
from lt_bench.text.unknown import looks_unknown

_SPECIAL = re.compile(
    r"<[|｜][^\s<>|｜]{1,40}[|｜]>"
    r"|</?s>|<(?:bos|eos|pad|unk)>|<(?:start|end)_of_turn>|\[/?INST\]"
    r"|</?tool_(?:call|response)>|\[TOOL_CALLS\]",
    re.IGNORECASE,
)
"""Special tokens of common templates: <|im_end|>, <｜Assistant｜>, </s>, <end_of_turn>, [INST]."""
_MID_SENTENCE = re.compile(r"[\w,] \Z")


def leaked_markup(reply: str) -> bool:
    """Whether `reply` holds reasoning or markup that is not meant as words."""
    if not families.may_hold_tags(reply):  # nor a special token
        return channels.stripped(reply) is not None
    marks = _marks(reply)
    bare = [tag for tag, how in zip(marks, quotings(reply, marks), strict=True) if how == "bare"]
    if len(bare) == 1 and bare[0].role == "close":
        return not _mid_sentence(reply, bare[0])
    return bool(bare) or channels.stripped(reply) is not None or looks_unknown(reply)


def _marks(reply: str) -> list[Tag]:
    """Every tag and special token, in order; one that is both counts as a tag."""
    found = {tag.start: tag for tag in families.tags(reply)}
    for match in _SPECIAL.finditer(reply):
        found.setdefault(match.start(), Tag(match.start(), match.end(), "wrap", "special"))
    return [found[start] for start in sorted(found)]


def _mid_sentence(reply: str, tag: Tag) -> bool:
    before, after = reply[max(0, tag.start - 2) : tag.start], reply[tag.end : tag.end + 2]
    return bool(_MID_SENTENCE.search(before)) and after[:1] == " " and after[1:].isalnum()

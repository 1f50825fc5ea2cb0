"""Which tags are only talked about: those that stand in quotation marks or in code.

A trace or a reply may mention a tag ("the comment contains "</think>" as text"). Such a tag must
not end the trace. Quotation marks are looked at within one line only, so that a stray inch mark
or apostrophe cannot reach far.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from lt_bench.text.families import Tag

Quoting = Literal["bare", "loose", "tight"]
"""`tight`: the tag alone is quoted ("</think>"). `loose`: it stands somewhere inside a quotation,
an inline code span or a code fence. Loose may be an accident of unbalanced marks; tight is not."""

_PAIRS = {
    '"': '"',
    "'": "'",
    "`": "`",
    "“": "”",
    "‘": "’",
    "「": "」",
    "『": "』",
    "«": "»",
    "„": "“",
}
_CLOSERS = frozenset(_PAIRS.values())
_MARK = re.compile("\n|```+|~~~+|[\"'`“”‘’「」『』«»„]")
_OPENS_BEFORE = frozenset("([{:=—–-/\\|<>（【：，、")
_CLOSES_AFTER = frozenset(".?!…。？！)]}%")


def quotings(text: str, tags: Sequence[Tag]) -> list[Quoting]:
    """How each of `tags` (in order) is quoted. One pass over `text`."""
    return _Scan(text, tags).run() if tags else []


class _Scan:
    def __init__(self, text: str, tags: Sequence[Tag]) -> None:
        self.text, self.tags = text, tags
        self.found: list[Quoting] = ["bare"] * len(tags)
        self.at = 0
        self.closer = ""
        self.fence = ""
        self.seen = dict.fromkeys("\"'`", 0)
        self.in_quote: list[int] = []
        self.in_fence: list[int] = []

    def run(self) -> list[Quoting]:
        for match in _MARK.finditer(self.text):
            self._take_tags(match.start())
            if self.at and match.start() < self.tags[self.at - 1].end:
                continue
            self._mark(match[0], match.start(), match.end())
            if self.at == len(self.tags) and not self.in_quote and not self.in_fence:
                break
        self._take_tags(len(self.text))
        return self.found

    def _take_tags(self, until: int) -> None:
        """The tags that begin before `until` are inside whatever is open now."""
        while self.at < len(self.tags) and self.tags[self.at].start < until:
            tag = self.tags[self.at]
            if self._tight(tag):
                self.found[self.at] = "tight"
            elif self.fence:
                self.in_fence.append(self.at)
            elif self.closer:
                self.in_quote.append(self.at)
            self.at += 1

    def _mark(self, mark: str, start: int, end: int) -> None:
        if mark == "\n":
            self.closer, self.in_quote = "", []
            self.seen = dict.fromkeys("\"'`", 0)
        elif len(mark) >= 3:
            self._toggle_fence(mark[:3])
        elif self.closer:
            if mark == self.closer and not (mark in "'’" and self._letter(end)):
                self._settle(self.in_quote)
                self.closer, self.in_quote = "", []
        elif mark in _PAIRS and self._opens(mark, start):
            self.closer = _PAIRS[mark]
        if mark in self.seen:
            self.seen[mark] += 1

    def _toggle_fence(self, mark: str) -> None:
        if not self.fence:
            self.fence = mark
        elif self.fence == mark:
            self._settle(self.in_fence)
            self.fence, self.in_fence = "", []

    def _settle(self, indices: list[int]) -> None:
        for index in indices:
            self.found[index] = "loose"

    def _opens(self, mark: str, at: int) -> bool:
        return _opens(self.text, at, paired=self.seen.get(mark, 0) % 2 == 0)

    def _letter(self, at: int) -> bool:
        return at < len(self.text) and self.text[at].isalnum()

    def _tight(self, tag: Tag) -> bool:
        left = _mark_before(self.text, tag)
        if left is None:
            return False
        # `seen` counts this very mark already.
        earlier = self.seen.get(self.text[left], 1) - 1
        return _alone(self.text, tag, left, paired=earlier % 2 == 0)


def stands_alone_in_quotes(text: str, tag: Tag) -> bool:
    """`tight` as far as it can be told from the characters beside the tag."""
    left = _mark_before(text, tag)
    return left is not None and _alone(text, tag, left, paired=True)


def _mark_before(text: str, tag: Tag) -> int | None:
    """Where the quotation mark stands that the tag follows at once, or after one space."""
    left = tag.start - 1
    if left > 0 and text[left] == " ":
        left -= 1
    return left if left >= 0 and text[left] in _PAIRS else None


def _alone(text: str, tag: Tag, left: int, *, paired: bool) -> bool:
    after = text[tag.end : tag.end + 2].lstrip(" \\")
    return after.startswith(_PAIRS[text[left]]) and _opens(text, left, paired=paired)


def _opens(text: str, at: int, *, paired: bool) -> bool:
    """Whether the mark at `at` begins a quotation: by its shape, by the character before it, and
    where that does not tell, by whether the marks of its kind before it on the line are `paired`.
    """
    mark = text[at]
    if mark not in "\"'`":
        return True
    before = text[at - 1] if at else " "
    if before.isspace() or before in _OPENS_BEFORE or (before in _PAIRS and before != mark):
        return True
    if before in _CLOSES_AFTER or (before.isascii() and before.isalnum()):
        return False
    return paired

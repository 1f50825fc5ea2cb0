"""Which tags are only talked about: those that stand in quotation marks or in code.

A trace or a reply may mention a tag ("the comment contains "</think>" as text"). Such a tag must
not end the trace. Quotation marks are looked at within one line only, so that a stray inch mark
or apostrophe cannot reach far.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
_MARK = re.compile("[\n\"'`“”‘’「」『』«»„]")
_FENCE = re.compile("`{3,}|~{3,}")
REACH = 400
"""Characters: no quotation is longer."""
_OPENS_BEFORE = frozenset("([{:=—–-/\\|<>（【：，、")
_CLOSES_AFTER = frozenset(".?!…。？！)]}%")


def quotings(text: str, tags: Sequence[Tag]) -> list[Quoting]:
    """How each of `tags` (in order) is quoted, in time linear in `text`."""
    found: list[Quoting] = ["bare"] * len(tags)
    _mark_fenced(text, tags, found)
    for start, end, first, last in _windows(text, tags):
        _Line(text, tags, found).scan(start, end, first, last)
    return found


def _mark_fenced(text: str, tags: Sequence[Tag], found: list[Quoting]) -> None:
    """Tags between two code fences of one sort are loosely quoted."""
    if not tags:
        return
    begun = ""
    at = inside_from = 0
    for match in _FENCE.finditer(text):
        while at < len(tags) and tags[at].start < match.start():
            at += 1
        if not begun:
            begun, inside_from = match[0][:3], at
        elif match[0].startswith(begun):
            found[inside_from:at] = ["loose"] * (at - inside_from)
            begun = ""


def _windows(text: str, tags: Sequence[Tag]) -> Iterator[tuple[int, int, int, int]]:
    """Stretches of the text around tags, as (start, end, first tag, tag after the last)."""
    first = 0
    while first < len(tags):
        last = first + 1
        while last < len(tags) and tags[last].start - tags[last - 1].end < REACH:
            last += 1
        start, end = max(0, tags[first].start - REACH), tags[last - 1].end + REACH
        yield start, min(end, len(text)), first, last
        first = last


class _Line:
    """Reads quotation marks from left to right; a line break ends every quotation."""

    def __init__(self, text: str, tags: Sequence[Tag], found: list[Quoting]) -> None:
        self.text, self.tags, self.found = text, tags, found
        self.closer = ""
        self.seen = {'"': 0, "'": 0, "`": 0}
        self.inside: list[int] = []

    def scan(self, start: int, end: int, first: int, last: int) -> None:
        """Fill in `found` for the tags first:last, reading text[start:end]."""
        at, past = first, 0
        for match in _MARK.finditer(self.text, start, end):
            place = match.start()
            while at < last and self.tags[at].start < place:
                past = self.tags[at].end
                self._take(at)
                at += 1
            if place >= past:
                self._mark(match[0], place)
        for index in range(at, last):
            self._take(index)

    def _take(self, index: int) -> None:
        """A tag is inside whatever is open now."""
        if self._tight(self.tags[index]):
            self.found[index] = "tight"
        elif self.closer:
            self.inside.append(index)

    def _mark(self, mark: str, at: int) -> None:
        if mark == "\n":
            self.closer, self.inside = "", []
            self.seen = {'"': 0, "'": 0, "`": 0}
            return
        if self.closer:
            if mark == self.closer and not (mark in "'’" and self._letter(at + 1)):
                for index in self.inside:
                    self.found[index] = "loose"
                self.closer, self.inside = "", []
        elif mark in _PAIRS and self._opens(mark, at):
            self.closer = _PAIRS[mark]
        if mark in self.seen:
            self.seen[mark] += 1

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

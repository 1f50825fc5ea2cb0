"""A text cut into what was thought, what was said, and the marks between them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from lt_bench.records import Note
from lt_bench.text.families import INVISIBLE

Kind = Literal["reasoning", "markup", "reply"]

BLANK = "".join(filter(str.isspace, map(chr, range(0x3001)))) + INVISIBLE
"""White space, NBSP and zero-width characters: what may stand between a tag and a word."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One stretch of the text, all of one kind."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class Split:
    """`segments` joined are the raw text, character for character; none is empty.

    `closed` is False when thinking was opened and never closed. `families` are the tag families
    that marked the blocks, in order of appearance.
    """

    segments: tuple[Segment, ...]
    notes: tuple[Note, ...] = ()
    closed: bool = True
    n_blocks: int = 0
    families: tuple[str, ...] = ()

    @property
    def reasoning(self) -> str | None:
        """The trace: None when no thinking was marked, "" when the marked thinking was empty."""
        return self._joined("reasoning") if self.n_blocks else None

    @property
    def reply(self) -> str:
        """What is spoken."""
        return self._joined("reply")

    @property
    def first_spoken(self) -> int | None:
        """Where in the raw text the first spoken character stands; None when nothing is said."""
        at = 0
        for segment in self.segments:
            words = segment.text.lstrip()
            if segment.kind == "reply" and words:
                return at + len(segment.text) - len(words)
            at += len(segment.text)
        return None

    def _joined(self, kind: Kind) -> str:
        return "".join(segment.text for segment in self.segments if segment.kind == kind)


class Boundary(NamedTuple):
    """Markup at text[start:end], and the kind of the text after it. `start == end` where the tag
    itself stands outside the text (in the prompt)."""

    start: int
    end: int
    after: Kind


def segments(text: str, first: Kind, boundaries: Sequence[Boundary]) -> tuple[Segment, ...]:
    """`text` cut at `boundaries`, which are in order and do not overlap; it begins as `first`.

    White space beside a tag joins the markup. Where a reply goes on after a block in its middle,
    the white space there stays in the reply, so that its words do not run together.
    """
    pieces = _trimmed(text, _pieces(text, first, boundaries))
    cuts: list[Segment] = []
    at = 0
    for piece in pieces:
        if piece.start >= piece.end:
            continue
        if at < piece.start:
            cuts.append(Segment("markup", text[at : piece.start]))
        cuts.append(Segment(piece.kind, text[piece.start : piece.end]))
        at = piece.end
    if at < len(text):
        cuts.append(Segment("markup", text[at:]))
    return tuple(_merged(cuts))


@dataclass(slots=True)
class _Piece:
    """Words between two tags: text[start:end] after trimming, text[left:right] before."""

    kind: Kind
    left: int
    right: int
    start: int
    end: int


def _pieces(text: str, first: Kind, boundaries: Sequence[Boundary]) -> list[_Piece]:
    lefts = [0, *(boundary.end for boundary in boundaries)]
    rights = [*(boundary.start for boundary in boundaries), len(text)]
    kinds: list[Kind] = [first, *(boundary.after for boundary in boundaries)]
    return [
        _Piece(kind, left, right, left, right)
        for kind, left, right in zip(kinds, lefts, rights, strict=True)
    ]


def _trimmed(text: str, pieces: list[_Piece]) -> list[_Piece]:
    for index, piece in enumerate(pieces):
        words = text[piece.left : piece.right]
        if index > 0:
            piece.start = piece.right - len(words.lstrip(BLANK))
        if index < len(pieces) - 1:
            piece.end = max(piece.start, piece.left + len(words.rstrip(BLANK)))
    spoken = [piece for piece in pieces if piece.kind == "reply" and piece.start < piece.end]
    for before, after in itertools.pairwise(spoken):
        if before.end < before.right:
            before.end = before.right
        else:
            after.start = after.left
    return [piece for piece in pieces if piece.kind != "markup"]


def _merged(cuts: list[Segment]) -> list[Segment]:
    """Neighbours of one kind as one segment."""
    merged: list[Segment] = []
    for kind, group in itertools.groupby(cuts, key=lambda cut: cut.kind):
        merged.append(Segment(kind, "".join(cut.text for cut in group)))
    return merged

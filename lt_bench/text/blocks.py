"""Blocks of thinking: which opening tag is closed by which closing tag.

The first closing tag that is not quoted ends a block. The exceptions are what real outputs need:
an opening tag inside a block asks for its own closing tag where there are enough of them; an
opening tag repeated at once is one; a block that its own family never closes may be closed by
another's tag, or by one that only looked quoted. Closing tags in the reply are words of the reply.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lt_bench.records import Note
from lt_bench.text.families import Tag
from lt_bench.text.quoting import quotings
from lt_bench.text.segments import BLANK, Boundary, Kind

PROMPT = -1
"""Index of the opening tag that stands in the prompt, before the text."""


@dataclass(frozen=True)
class Plan:
    """Where a text is cut, and what was noticed while finding out."""

    first: Kind
    boundaries: tuple[Boundary, ...]
    notes: tuple[Note, ...] = ()
    closed: bool = True
    n_blocks: int = 0
    families: tuple[str, ...] = ()


def plan(text: str, tags: Sequence[Tag], *, opened: bool) -> Plan:
    """The blocks that `tags` (every tag of `text`, in order) mark, in n log n of their number."""
    return _Pairing(text, tags, opened=opened).plan()


class _Pairing:
    def __init__(self, text: str, tags: Sequence[Tag], *, opened: bool) -> None:
        self.text, self.tags, self.opened = text, tags, opened
        quoting = quotings(text, tags)
        bare = [i for i, how in enumerate(quoting) if how == "bare"]
        self.openers = [i for i in bare if tags[i].role == "open"]
        self.closers = self._by_family(i for i in bare if tags[i].role == "close")
        self.loose = self._by_family(
            i for i, how in enumerate(quoting) if how == "loose" and tags[i].role == "close"
        )
        self.wraps = [i for i in bare if tags[i].role == "wrap"]
        self.quoted = {i for i, how in enumerate(quoting) if how != "bare"}
        self.match: dict[int, int] = {}
        self.orphans: list[int] = []
        self._pair()

    def _by_family(self, indices: Iterator[int]) -> dict[str | None, list[int]]:
        """Tags by family; None holds them all."""
        found: dict[str | None, list[int]] = defaultdict(list)
        for index in indices:
            found[None].append(index)
            found[self.tags[index].family].append(index)
        return found

    def _pair(self) -> None:
        """Match brackets by a stack for each family; a closer without an opener is an orphan."""
        stacks: dict[str, list[int]] = defaultdict(list)
        before: int | None = PROMPT if self.opened else None
        for index in sorted((*self.openers, *self.closers[None])):
            stack = stacks[self.tags[index].family]
            if self.tags[index].role == "open":
                if before is None or not self._touch(before, index):
                    stack.append(index)
                before = index
                continue
            before = None
            if stack:
                self.match[stack.pop()] = index
            else:
                self.orphans.append(index)

    def _touch(self, left: int, right: int) -> bool:
        """Whether nothing but white space lies between two tags."""
        start = 0 if left == PROMPT else self.tags[left].end
        end = self.tags[right].start
        return start == end or (end - start <= 64 and not self.text[start:end].strip(BLANK))

    def plan(self) -> Plan:
        """Walk from block to block."""
        first_opener = self.openers[0] if self.openers else len(self.tags)
        implied = not self.opened and bool(self.orphans) and self.orphans[0] < first_opener
        opener = PROMPT if self.opened or implied else _after(self.openers, PROMPT)
        boundaries: list[Boundary] = []
        used: list[int] = []
        closed, n_blocks = True, 0
        while opener is not None:
            n_blocks += 1
            inside = self._repeats(opener, "open")
            boundaries.append(self._boundary(opener, inside, "reasoning"))
            end = self._end(opener)
            used.append(opener)
            if end is None:
                closed = False
                break
            used.append(end)
            last = self._repeats(end, "close")
            boundaries.append(self._boundary(end, last, "reply"))
            opener = _after(self.openers, last)
            boundaries.extend(self._wrapping(last, opener))
        return Plan(
            first="reply",
            boundaries=tuple(boundaries),
            notes=self._notes(implied, n_blocks, used),
            closed=closed,
            n_blocks=n_blocks,
            families=tuple(dict.fromkeys(self.tags[i].family for i in used if i != PROMPT)),
        )

    def _boundary(self, first: int, last: int, after: Kind) -> Boundary:
        start = 0 if first == PROMPT else self.tags[first].start
        return Boundary(start, 0 if last == PROMPT else self.tags[last].end, after)

    def _repeats(self, index: int, role: str) -> int:
        """The last of the same tags that follow `index` at once."""
        while (
            index + 1 < len(self.tags)
            and self.tags[index + 1].role == role
            and index + 1 not in self.quoted
            and self._touch(index, index + 1)
        ):
            index += 1
        return index

    def _wrapping(self, last: int, opener: int | None) -> Iterator[Boundary]:
        """Tags around the reply that lie between the end of one block and the next."""
        until = len(self.tags) if opener is None else opener
        at = bisect_right(self.wraps, last)
        while at < len(self.wraps) and self.wraps[at] < until:
            yield self._boundary(self.wraps[at], self.wraps[at], "reply")
            at += 1

    def _end(self, opener: int) -> int | None:
        """The closing tag of the block that `opener` begins; None when it is never closed."""
        if opener in self.match:
            return self.match[opener]
        orphan = _after(self.orphans, opener)
        if opener == PROMPT and orphan is not None:
            return orphan
        family = None if opener == PROMPT else self.tags[opener].family
        same = _after(self.closers[family], opener)
        loose = _after(self.loose[family], opener)
        stop = _after(self.openers, opener)
        if loose is not None and (stop is None or loose < stop):
            return loose
        return next((end for end in (same, orphan, loose) if end is not None), None)

    def _notes(self, implied: bool, n_blocks: int, used: Sequence[int]) -> tuple[Note, ...]:
        notes: list[Note] = []
        if implied:
            notes.append("open_tag_implied")
        if n_blocks > 1:
            notes.append("several_blocks")
        if self.quoted.difference(used):
            notes.append("quoted_tag")
        return tuple(notes)


def _after(indices: Sequence[int], index: int) -> int | None:
    """The first of sorted `indices` beyond `index`."""
    at = bisect_right(indices, index)
    return indices[at] if at < len(indices) else None

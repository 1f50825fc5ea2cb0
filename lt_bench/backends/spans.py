"""Where tokens stand in a text, so that each part of an output can be counted.

A token that reaches across the border of two parts belongs to the earlier one; so the parts of
an output always add up to all of its tokens.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Protocol


class Spans(Protocol):
    """The tokens of one output. `total` counts all of them, EOS included."""

    @property
    def total(self) -> int: ...

    def before(self, offset: int) -> int:
        """How many tokens are needed to spell text[:offset], offset in characters."""
        ...


class OffsetSpans:
    """Tokens by the character offsets where they begin, as tokenizers report them.

    `starts` does not decrease; the pieces of one split character share its offset. `unseen`
    tokens, such as EOS, spell nothing.
    """

    def __init__(self, starts: Sequence[int], unseen: int = 0) -> None:
        self._starts = starts
        self.total = len(starts) + unseen

    def before(self, offset: int) -> int:
        return bisect_left(self._starts, offset)


class IdSpans:
    """Tokens by their ids: `decode(ids)` must spell the very text whose parts are counted.

    Give the ids without the EOS (or padding) at their end, decoded with special tokens kept, so
    that think tags that are special tokens stand in the text; `unseen` is the number of tokens
    left away (1 for an EOS). Only prefixes are decoded, about log2(n) of them for each border: a
    token alone may be half a character, and may lose the space before it.
    """

    def __init__(
        self, decode: Callable[[Sequence[int]], str], ids: Sequence[int], unseen: int = 0
    ) -> None:
        self._decode, self._ids = decode, ids
        self.text = decode(ids)
        self.total = len(ids) + unseen
        self._reached = {0: 0, len(ids): len(self.text)}

    def before(self, offset: int) -> int:
        if offset <= 0:
            return 0
        low, high = 0, len(self._ids)
        while high - low > 1:
            middle = (low + high) // 2
            if self._reach(middle) < offset:
                low = middle
            else:
                high = middle
        return high

    def _reach(self, count: int) -> int:
        """How many characters of the text the first `count` tokens spell for good."""
        if count not in self._reached:
            self._reached[count] = self._agreeing(self._decode(self._ids[:count]))
        return self._reached[count]

    def _agreeing(self, spelt: str) -> int:
        """Length of the common start; an unfinished character decodes as something else."""
        if self.text.startswith(spelt):
            return len(spelt)
        low, high = 0, min(len(spelt), len(self.text))
        while low < high:
            middle = (low + high + 1) // 2
            if self.text.startswith(spelt[:middle]):
                low = middle
            else:
                high = middle - 1
        return low

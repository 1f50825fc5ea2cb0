"""The same split while the text still arrives, so that the first spoken word can be timed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lt_bench.text import channels, families
from lt_bench.text.families import Tag
from lt_bench.text.quoting import stands_alone_in_quotes
from lt_bench.text.segments import BLANK, Kind, Segment, Split
from lt_bench.text.split import split_reasoning

HOLD = 64
"""Characters kept back at most while they may still become a tag."""
HOLD_HEADER = 400
"""The same for the header of a channel."""
_CONTEXT = 3
"""Characters kept for a look at what stands before a tag."""
_BEGINS = re.compile(r"[<＜\[◁]")
_PARTIAL_TAG = re.compile(r"[<＜\[◁][^<＜\[◁>＞\]▷]*\Z")
_QUOTE_END = re.compile("[\"'`“‘「『«„] ?\\Z")


@dataclass(frozen=True, slots=True)
class _Mark:
    """A mark at text[start:end]; `after` is the kind of what follows, None if it is mere words."""

    start: int
    end: int
    after: Kind | None
    harmony: bool = False


class Splitter:
    """Takes a text in chunks of any size, even within a tag.

    `feed` tells at once what each stretch most likely is; a mark that comes later can prove it
    wrong (a closing tag whose opening tag stood in the prompt). `close` gives the final split,
    equal to `split_reasoning` of the whole text however it was cut.
    """

    def __init__(self, *, family: str = "auto", opened: bool = False) -> None:
        families.check(family)
        self._family, self._opened = family, opened
        self._chunks: list[str] = []
        self._text, self._at = "", 0
        self._kind: Kind = "reasoning" if opened else "reply"
        self._begun = not opened
        self._thought = opened
        self._started = family != "auto" or opened
        self._harmony = family == "harmony"
        self._stripped = False

    def feed(self, chunk: str) -> list[Segment]:
        """The stretches that `chunk` made likely enough; joined over all calls they are the text
        so far but for its last few characters, which may still become a mark."""
        self._chunks.append(chunk)
        keep = max(0, self._at - _CONTEXT)
        self._text, self._at = self._text[keep:] + chunk, self._at - keep
        if not self._started and not self._start():
            return []
        if not self._stripped and not _BEGINS.search(self._text, self._at):
            return self._words(len(self._text))
        found: list[Segment] = []
        channel, tag = self._channel(), self._tag()
        while (mark := self._mark(channel, tag)) is not None and not self._undecided(mark):
            found += self._words(mark.start)
            found += self._pass(mark)
            if channel and channel.start < self._at:
                channel = self._channel()
            if tag and tag.start < self._at:
                tag = self._tag()
        return found + self._words(self._certain() if mark is None else mark.start)

    def close(self) -> Split:
        """The split of everything that was fed."""
        return split_reasoning("".join(self._chunks), family=self._family, opened=self._opened)

    def _start(self) -> bool:
        """Whether the first words are enough to know a text of stripped channels."""
        head = self._text[: 2 * HOLD].lstrip()
        if len(head) <= HOLD and any(word.startswith(head) for word in channels.FIRST_WORDS):
            return False
        self._started = True
        self._stripped = channels.starts_stripped(head)
        return True

    def _mark(self, channel: _Mark | None, tag: Tag | None) -> _Mark | None:
        """The nearer of the two."""
        if tag is None or self._harmony or (channel is not None and channel.start < tag.start):
            return channel
        return _Mark(tag.start, tag.end, self._after(tag))

    def _channel(self) -> _Mark | None:
        if self._family not in ("auto", "harmony"):
            return None
        if self._stripped:
            found = channels.next_word(self._text, self._at)
        else:
            found = channels.next_mark(self._text, self._at, headers_only=not self._harmony)
        return _Mark(found.start, found.end, found.after, harmony=True) if found else None

    def _tag(self) -> Tag | None:
        if self._family in ("none", "harmony") or self._harmony or self._stripped:
            return None
        return next(families.tags(self._text, self._family, self._at), None)

    def _after(self, tag: Tag) -> Kind | None:
        """What follows `tag`; a quoted or stray one is words."""
        thinking = self._kind == "reasoning"
        if stands_alone_in_quotes(self._text, tag):
            return None
        if tag.role == "open":
            return None if thinking else "reasoning"
        if tag.role == "close":
            return "reply" if thinking or not self._thought else None
        return "reply" if self._thought and not thinking else None

    def _undecided(self, mark: _Mark) -> bool:
        """Whether the next characters may still change what `mark` is."""
        size = len(self._text)
        if size - mark.start > HOLD_HEADER:
            return False
        if mark.harmony and not self._stripped:
            return channels.partial_header(self._text[mark.start :]) == size - mark.start
        return mark.end == size and bool(
            _QUOTE_END.search(self._text[max(0, mark.start - _CONTEXT) : mark.start])
        )

    def _certain(self) -> int:
        """Up to where nothing can become part of a mark any more."""
        size = len(self._text)
        if self._family == "none":
            return size
        if self._stripped:
            return size - channels.partial_word(self._text)
        pending = self._text[max(self._at, size - HOLD_HEADER) :]
        held = channels.partial_header(pending) if self._family in ("auto", "harmony") else 0
        tail = _PARTIAL_TAG.search(pending[-HOLD:])
        return size - max(held, len(tail[0]) if tail else 0)

    def _pass(self, mark: _Mark) -> list[Segment]:
        """Step over the mark that comes next."""
        if mark.after is None:
            return self._words(mark.end)
        self._kind, self._begun, self._thought = mark.after, False, True
        self._harmony |= mark.harmony and not self._stripped
        self._at = mark.end
        return [Segment("markup", self._text[mark.start : mark.end])]

    def _words(self, end: int) -> list[Segment]:
        """What is pending up to `end`; white space between a mark and a word is markup."""
        text = self._text[self._at : end]
        self._at = max(self._at, end)
        words = text if self._begun else text.lstrip(BLANK)
        self._begun |= bool(words)
        blank = text[: len(text) - len(words)]
        found = (Segment("markup", blank), Segment(self._kind, words))
        return [segment for segment in found if segment.text]

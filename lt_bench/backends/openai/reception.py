"""One answer as it arrives: bytes to packets to an `Answer`, with the time of each piece."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import NamedTuple

from lt_bench.backends.openai.sse import EventReader
from lt_bench.backends.openai.wire import Answer, Assembler, decode, quoted
from lt_bench.backends.retry import Fault
from lt_bench.text import Splitter, split_reasoning
from lt_bench.text.tool_calls import take_calls

DONE = b"[DONE]"


class Mark(NamedTuple):
    """So many characters of content had arrived at this time."""

    chars: int
    at: float


class Reception:
    """Takes the bytes of one response, streamed or not: what came tells which, since servers
    answer JSON to a streamed request and send events under a wrong content type.

    `started` is when the request was handed over (time.perf_counter()); `limit` bounds the body in
    bytes.
    """

    def __init__(
        self, started: float, limit: int, stop: Iterable[str] = (), family: str = "auto"
    ) -> None:
        self.started, self.limit, self.family = started, limit, family
        self.assembler = Assembler()
        self.first_token: float | None = None
        self.last = 0.0
        self.stopped = False
        self._size = 0
        self._head = b""
        self._body: list[bytes] | None = None
        self._events = EventReader()
        self._streaming = False
        self._done = False
        self._marks: list[Mark] = []
        self._watch = StopWatch(tuple(stop), family) if stop else None

    def now(self) -> float:
        """Seconds since the request was handed over."""
        return time.perf_counter() - self.started

    @property
    def complete(self) -> bool:
        """The answer is whole, even if the connection should end here."""
        return self._done or self.stopped or self.assembler.finish is not None

    def feed(self, chunk: bytes) -> None:
        """Take in the next bytes.

        Raises:
            Fault: they are no answer, or more than `limit`.
            Rejected: they hold an error.
        """
        self._size += len(chunk)
        if self._size > self.limit:
            raise Fault("malformed", f"the answer is larger than {self.limit} bytes")
        if self._streaming:
            self._take(self._events.feed(chunk))
        elif self._body is not None:
            self._body.append(chunk)
        else:
            self._begin(chunk)

    def _begin(self, chunk: bytes) -> None:
        """The first character that is not space tells events from a JSON body."""
        self._head = (self._head + chunk).removeprefix(b"\xef\xbb\xbf").lstrip()
        if self._head[:1] in (b"d", b"e", b"i", b"r", b":"):
            self._streaming = True
            self._take(self._events.feed(self._head))
        elif self._head:
            self._body = [self._head]

    def _take(self, events: list[bytes]) -> None:
        for event in events:
            if event.strip() == DONE:
                self._done = True
            elif event.strip() and not self._done:
                self._packet(event)
            self.last = self.now()

    def _packet(self, event: bytes) -> None:
        calls = self.assembler.calls
        piece = self.assembler.feed(decode(event))
        at = self.now()
        if self.first_token is None and (any(piece) or self.assembler.calls > calls):
            self.first_token = at
        if piece.content:
            total = self._marks[-1].chars if self._marks else 0
            self._marks.append(Mark(total + len(piece.content), at))
        if self._watch is not None:
            self.stopped = self.stopped or self._watch.sees(piece.reasoning, piece.content)

    def close(self) -> Answer:
        """The answer, once all bytes are in.

        Raises:
            Fault: there is none, or only a part of one.
            Rejected: an error came in its place.
        """
        if self._streaming:
            self._last_event()
        else:
            self._whole()
        return self.assembler.answer()

    def _last_event(self) -> None:
        if self.complete:
            return
        try:
            self._take(self._events.close())
        except Fault:
            raise Fault("connection", "the stream broke off in the middle of a packet") from None
        if not self.assembler.packets:
            raise Fault("malformed", f"the stream holds no packet: {quoted(self._head)}")
        if not self.complete:
            raise Fault("connection", "the stream broke off before the answer was finished")

    def _whole(self) -> None:
        body = b"".join(self._body or ())
        if not body:
            raise Fault("malformed", "the answer has an empty body")
        self.last = self.now()
        self.assembler.feed(decode(body))

    def first_spoken(self, content: str, tool_form: str = "none") -> float | None:
        """When the first word of the reply came: thinking and calls in the text do not count."""
        if not self._marks:
            return None
        split = split_reasoning(content, family=self.family)
        place = take_calls(split, tool_form).split.first_spoken
        if place is None:
            return None
        return next((mark.at for mark in self._marks if mark.chars > place), None)


class StopWatch:
    """Tells as early as it is certain that the reply holds a stop string.

    Certain is only what follows a trace: before its end, text without an opening tag may turn out
    to be thinking (the tag may stand in the prompt), where stop strings mean nothing.
    """

    def __init__(self, stop: tuple[str, ...], family: str) -> None:
        self._stop = tuple(word for word in stop if word)
        self._splitter = Splitter(family=family)
        self._thought = False
        self._tail = ""
        self._began = False

    def sees(self, reasoning: str, content: str) -> bool:
        """Whether the pieces so far end in a reply that holds a stop string."""
        if not self._stop:
            return False
        self._thought = self._thought or bool(reasoning)
        found = False
        for segment in self._splitter.feed(content) if content else ():
            if segment.kind != "reply":
                self._thought = True
            elif self._thought:
                found = self._hear(segment.text) or found
        return found

    def _hear(self, text: str) -> bool:
        """Whether these words complete a stop string; white space before the first word, which
        belongs to the end of the thinking, never does."""
        spoken = self._tail + (text if self._began else text.lstrip())
        self._began = self._began or bool(spoken)
        longest = max(len(stop) for stop in self._stop)
        self._tail = spoken[-longest:]
        return any(stop in spoken for stop in self._stop)

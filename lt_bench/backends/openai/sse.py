"""Server-sent events, as far as a chat stream needs them (WHATWG HTML, section 9.2)."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class EventReader:
    """Turns the bytes of a stream into the `data` of its events, however they are cut.

    CR, LF and CRLF all end a line; comments and other fields are passed over; several `data`
    lines of one event are joined by a line feed.
    """

    _partial: list[bytes] = field(default_factory=list)
    _data: list[bytes] = field(default_factory=list)
    _held: bytes = b""

    def feed(self, chunk: bytes) -> list[bytes]:
        """The events that this chunk completes."""
        chunk = self._held + chunk
        # A CR at the very end may be half of a CRLF.
        self._held = b"\r" if chunk.endswith(b"\r") else b""
        chunk = chunk[: len(chunk) - len(self._held)]
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        head, newline, rest = chunk.partition(b"\n")
        self._partial.append(head)
        if not newline:
            return []
        lines = [b"".join(self._partial), *rest.split(b"\n")]
        self._partial = [lines.pop()]
        return [event for line in lines if (event := self._line(line)) is not None]

    def close(self) -> list[bytes]:
        """What was left when the stream ended: a last event without its blank line."""
        return self.feed(b"\n") + self.feed(b"\n")

    def _line(self, line: bytes) -> bytes | None:
        if line.startswith(b"data:"):
            self._data.append(line[6:] if line[5:6] == b" " else line[5:])
        elif not line and self._data:
            event, self._data = b"\n".join(self._data), []
            return event
        return None

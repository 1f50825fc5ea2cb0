"""Keys of the labelling screen: single presses in a terminal, lines from a pipe."""

from __future__ import annotations

import os
import select
import sys
import unicodedata
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final, Protocol

WORDS: Final = {
    "y": "y",
    "yes": "y",
    "n": "n",
    "no": "n",
    "s": "s",
    "skip": "s",
    "b": "b",
    "back": "b",
    "d": "d",
    "documents": "d",
    "?": "?",
    "help": "?",
    "q": "q",
    "quit": "q",
}
"""What may be typed on a line -> its key."""
QUIET: Final = 0.15
"""Seconds without a key before a new reply takes one."""
_END_OF_INPUT: Final = "\x04"
_ESCAPE: Final = b"\x1b"


class Keys(Protocol):
    """Where a person's keys come from."""

    def read(self) -> str | None:
        """The next key, in lower case; None at the end of the input."""

    def settle(self) -> None:
        """Forgets what was pressed before the reply was to be seen."""


@contextmanager
def open_keys() -> Iterator[Keys]:
    """The keyboard if stdin is a terminal, else the lines of stdin."""
    if not sys.stdin.isatty():
        yield LineKeys(sys.stdin.buffer)
    elif sys.platform == "win32":
        yield WindowsKeys()
    else:
        with _single_presses(sys.stdin.fileno()):
            yield TerminalKeys(sys.stdin.fileno())


class LineKeys:
    """One key or its word on each line. Everything on a pipe is meant, however fast it comes."""

    def __init__(self, lines: BinaryIO) -> None:
        self._lines = lines

    def read(self) -> str | None:
        line = self._lines.readline()
        if not line:
            return None
        typed = _plain(line.decode("utf-8", "replace")).strip()
        return WORDS.get(typed, typed)

    def settle(self) -> None: ...


class TerminalKeys:
    """Single presses. A key that is held down, or pasted text, is no answer to what comes next."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._pressed: deque[str] = deque()

    def read(self) -> str | None:
        while not self._pressed:
            data = self._bytes()
            if not data:
                return None
            # Arrows and their like come as a sequence whose letters are no keys.
            if not data.startswith(_ESCAPE):
                self._pressed.extend(_plain(data.decode("utf-8", "ignore")).strip(" \t\r\n"))
        key = self._pressed.popleft()
        return None if key == _END_OF_INPUT else key

    def settle(self) -> None:
        self._pressed.clear()
        while select.select([self._file], [], [], QUIET)[0] and self._bytes():
            pass

    def _bytes(self) -> bytes:
        try:
            return os.read(self._file, 64)
        except OSError:  # the terminal was closed
            return b""


if sys.platform == "win32":
    import msvcrt

    class WindowsKeys:
        """Single presses at a Windows console."""

        def read(self) -> str | None:
            while True:
                key = msvcrt.getwch()
                if key == "\x03":
                    raise KeyboardInterrupt
                if key in (_END_OF_INPUT, "\x1a"):
                    return None
                if key in ("\x00", "\xe0"):  # the first half of an arrow or function key
                    msvcrt.getwch()
                elif shown := _plain(key).strip():
                    return shown

        def settle(self) -> None:
            while msvcrt.kbhit():
                msvcrt.getwch()


@contextmanager
def _single_presses(file: int) -> Iterator[None]:
    """No waiting for Enter and no echo, until the block ends; Ctrl-C stays what it is."""
    import signal
    import termios
    import tty

    before = termios.tcgetattr(file)
    resumed = signal.signal(signal.SIGCONT, lambda *_: tty.setcbreak(file))
    try:
        tty.setcbreak(file)
        yield
    finally:
        signal.signal(signal.SIGCONT, resumed)
        termios.tcsetattr(file, termios.TCSADRAIN, before)


def _plain(text: str) -> str:
    """Lower case, and full-width letters of an Asian keyboard as the plain ones."""
    return unicodedata.normalize("NFKC", text).lower()

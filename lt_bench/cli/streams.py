"""The three standard streams, fit for any text and for any way of starting a command."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

NAMES = ("stdin", "stdout", "stderr")


def open_streams() -> None:
    """Opens what the caller has closed (`>&-`, some service managers), so that no socket or file
    of ours takes its number, and shows as escapes what the terminal's encoding lacks."""
    for number, name in enumerate(NAMES):
        if getattr(sys, name) is None:
            _reserve(number)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _reserve(number: int) -> None:
    """Has this descriptor lead nowhere, unless something holds it already."""
    try:
        os.fstat(number)
    except OSError:
        nowhere = os.open(os.devnull, os.O_RDWR)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)

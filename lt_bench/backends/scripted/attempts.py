"""Which attempt at the same thing a request is."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from hashlib import sha256

from lt_bench.backends.base import Request


@dataclass(frozen=True)
class Attempt:
    """The `number`th request, from 1, for what was first asked in a prompt of this `sha`."""

    number: int
    sha: bytes


class Attempts:
    """Counts requests of one row and sample whose prompt is, or begins with, an earlier one: a
    caller that asks again may say at the end what was wrong with the last answer."""

    def __init__(self) -> None:
        self._begun: defaultdict[tuple[str, int], dict[tuple[int, bytes], int]] = defaultdict(dict)

    def next(self, request: Request) -> Attempt:
        """Which one this is; counts it."""
        text = "\0".join(f"{one.role}\n{one.content}" for one in request.prompt.messages)
        begun = self._begun[request.example_id, request.sample_index]
        this = next((mark for mark in begun if mark == _mark(text, mark[0])), None)
        this = this or _mark(text, len(text))
        begun[this] = begun.get(this, 0) + 1
        return Attempt(begun[this], this[1])


def _mark(text: str, length: int) -> tuple[int, bytes]:
    """The first `length` characters as their number and hash."""
    start = text[:length]
    return len(start), sha256(start.encode("utf-8", "surrogatepass")).digest()

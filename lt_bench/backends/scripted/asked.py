"""One request as the rules of a script look at it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Final

from lt_bench.backends.base import Request
from lt_bench.backends.scripted.attempts import Attempt

OPENING: Final = re.compile(r"<<<([A-Z][A-Z_]*) (\S+)")
"""The line that opens a block of data in a judge's prompt: `<<<REPLY nonce`."""

FIELD: Final = re.compile(r'"(\w{1,40})":\s?(?:true|false)\b')
"""Where a judge's prompt shows the object that it asks for."""


@dataclass(frozen=True)
class Block:
    """A piece of data in a judge's prompt, by the name in its marks."""

    name: str
    text: str


@dataclass(frozen=True)
class Parts:
    """A prompt taken apart: its blocks in order, and the words around them."""

    blocks: tuple[Block, ...]
    words: str

    def named(self, name: str) -> list[str]:
        """The texts of the blocks of this name."""
        return [block.text for block in self.blocks if block.name == name]

    @property
    def field(self) -> str:
        """What the words around the data call the verdict: `"correct": true`."""
        found = FIELD.findall(self.words)
        return found[-1] if found else "correct"


@dataclass(frozen=True)
class Asked:
    """A request, and which attempt it is."""

    request: Request
    attempt: Attempt

    @cached_property
    def text(self) -> str:
        """All messages of the prompt, without their roles."""
        return "\n\n".join(message.content for message in self.request.prompt.messages)

    @cached_property
    def parts(self) -> Parts:
        """The blocks of data in the prompt, and its own words."""
        return taken_apart(self.text)

    def luck(self, salt: str) -> float:
        """A number from 0 to 1: another for each salt and sample, the same for all attempts."""
        drawn = f"{salt}\0{self.request.sample_index}\0".encode("utf-8", "surrogatepass")
        return _number(drawn + self.attempt.sha) / 2**64

    def one_of(self, count: int) -> int:
        """A number below `count`, the same for equal prompts."""
        return _number(self.text.encode("utf-8", "surrogatepass")) % count


def taken_apart(text: str) -> Parts:
    """The text between the marks `<<<NAME nonce` and `NAME nonce>>>`, each on a line of its own.

    A block ends at its own mark only: marks that a row imitates inside one are part of its text.
    """
    lines = text.split("\n")
    ends: defaultdict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        if line.endswith(">>>"):
            ends[line].append(number)
    blocks, words, at = list[Block](), list[str](), 0
    while at < len(lines):
        mark = OPENING.fullmatch(lines[at])
        later = ends.get(f"{mark[1]} {mark[2]}>>>", []) if mark else []
        place = bisect_right(later, at)
        if mark and place < len(later):
            blocks.append(Block(mark[1], "\n".join(lines[at + 1 : later[place]])))
            at = later[place]
        else:
            words.append(lines[at])
        at += 1
    return Parts(tuple(blocks), "\n".join(words))


def _number(data: bytes) -> int:
    """64 bits of a hash."""
    return int.from_bytes(sha256(data).digest()[:8])

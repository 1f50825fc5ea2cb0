"""One request as the rules of a script look at it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Final

from lt_bench.backends.base import Request

OPENING: Final = re.compile(r"^<<<([A-Z][A-Z_]*) (\S+)$", re.MULTILINE)
"""The line that opens a block of data in a judge's prompt: `<<<REPLY nonce`."""


@dataclass(frozen=True)
class Block:
    """A piece of data in a judge's prompt, by the name in its marks."""

    name: str
    text: str


@dataclass(frozen=True)
class Asked:
    """A request and how often it has been made: `attempt` is 1 for the first time."""

    request: Request
    attempt: int = 1

    @cached_property
    def text(self) -> str:
        """All messages of the prompt, without their roles."""
        return "\n\n".join(message.content for message in self.request.prompt.messages)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of data in the prompt, in order."""
        return tuple(blocks(self.text))

    def share(self, salt: str) -> float:
        """A number from 0 to 1 that is the same for equal prompts, and another for each salt."""
        return _hash(salt, self.text) / 2**64

    def one_of(self, count: int) -> int:
        """A number below `count`, the same for equal prompts."""
        return _hash("one of", self.text) % count


def identity(request: Request) -> bytes:
    """Equal for requests that are attempts at one thing: row, sample, and the messages up to the
    first of the assistant. What a caller adds after an answer is still the same conversation."""
    opening = []
    for message in request.prompt.messages:
        if message.role == "assistant":
            break
        opening.append(f"{message.role}\0{message.content}")
    whole = "\0".join([request.example_id, str(request.sample_index), *opening])
    return sha256(whole.encode("utf-8", "surrogatepass")).digest()


def blocks(text: str) -> Iterator[Block]:
    """The text between the marks `<<<NAME nonce` and `NAME nonce>>>`, each on a line of its own.

    A block ends at its own mark only: marks that a row imitates inside one are part of its text.
    """
    at = 0
    while mark := OPENING.search(text, at):
        name, nonce = mark.groups()
        end = text.find(f"\n{name} {nonce}>>>", mark.end())
        if end < 0:
            at = mark.end()
            continue
        yield Block(name, text[mark.end() + 1 : end])
        at = end + 1


def _hash(salt: str, text: str) -> int:
    return int.from_bytes(sha256(f"{salt}\0{text}".encode("utf-8", "surrogatepass")).digest()[:8])

"""One of several parts of a run, so that several machines share its rows without talking.

A row belongs to the shard that a hash of its id names: the same on every machine, whatever the order
of the file. `--limit` comes first: it says which rows the whole run has, and the shard takes its own
of those, so that all shards together are the run of the same command without `--shard`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

from lt_bench.errors import UsageError
from lt_bench.records import Example

MOST: Final = 10_000
"""Shards of one run. More would be a slip."""

_WRITTEN = re.compile(r"([0-9]{1,9})/([0-9]{1,9})")
_SUFFIX = re.compile(r"-shard-[0-9]+-of-[0-9]+\Z")


@dataclass(frozen=True, order=True)
class Shard:
    """Shard `index` of `of`, counted from 1."""

    of: int
    index: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """ "3/16" as a shard.

        Raises:
            UsageError: not I/N, or no such shard.
        """
        match = _WRITTEN.fullmatch(text.strip())
        if match is None:
            raise UsageError(f"shard {text!r} is not I/N", "e.g. --shard 3/16")
        shard = cls(index=int(match[1]), of=int(match[2]))
        if not 1 <= shard.of <= MOST:
            raise UsageError(f"shard {text}: 1 to {MOST:,} shards make a run", "e.g. --shard 3/16")
        if not 1 <= shard.index <= shard.of:
            raise UsageError(
                f"there is no shard {text}: they count from 1/{shard.of} to {shard.of}/{shard.of}",
                "correct --shard",
            )
        return shard

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"

    @property
    def suffix(self) -> str:
        """What the name of its run ends in."""
        return f"-shard-{self.index}-of-{self.of}"

    def holds(self, example_id: str) -> bool:
        """Whether the row of this id is one of its own."""
        return self.index_of(example_id) == self.index

    def index_of(self, example_id: str) -> int:
        """The index of the shard, among as many as here, that a row belongs to."""
        name = example_id.encode("utf-8", "surrogatepass")
        return int.from_bytes(sha256(name).digest()[:8], "big") % self.of + 1


def whole_name(name: str) -> str:
    """The name of the run that a shard's run, by its name, is a part of."""
    return _SUFFIX.sub("", name)


def part_of(examples: Iterable[Example], shard: str | None) -> Iterable[Example]:
    """The rows of a shard as it is written ("3/16"), one at a time; None is the whole run."""
    if shard is None:
        return examples
    mine = Shard.parse(shard)
    return (example for example in examples if mine.holds(example.id))

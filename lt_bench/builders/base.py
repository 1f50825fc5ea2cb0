"""What a builder is: a source of Examples that gives the same rows every time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from lt_bench.records import Example


class Builder(Protocol):
    """Rows of one task: made from a seed, or read from a file a user brings."""

    version: int

    def build(self, split: str, size: int, seed: int) -> Iterator[Example]:
        """`size` rows of a split, byte-identical for equal arguments.

        Raises:
            UsageError: this builder only reads files.
        """
        ...

    def read(self, path: Path) -> Iterator[Example]:
        """The rows of a file in one of the formats of this task, in file order.

        Raises:
            UsageError: with file, line, field and fix; before the first row where possible.
        """
        ...


class BuilderFactory(Protocol):
    """`options` are the builder's entry in task.yaml without `use`; unknown keys are refused."""

    def __call__(self, options: dict[str, Any]) -> Builder: ...


class Importer(Protocol):
    """Reads a file of a foreign format.

    Raises:
        UsageError: the file is not of that format; it names line, field and fix.
    """

    def __call__(self, path: Path) -> Iterator[Example]: ...

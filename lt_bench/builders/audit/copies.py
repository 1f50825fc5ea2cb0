"""Rows whose text stands in an earlier row, byte for byte or after normalising."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Copy:
    """The earliest row with the same text."""

    kind: Literal["exact", "normalised"]
    first: int


@dataclass(frozen=True)
class _Texts:
    """First row with each text of one split, by 128-bit hash."""

    exact: dict[bytes, int] = field(default_factory=dict)
    normal: dict[bytes, int] = field(default_factory=dict)

    def find(self, exact: bytes, normal: bytes | None) -> Copy | None:
        if exact in self.exact:
            return Copy("exact", self.exact[exact])
        if normal in self.normal:
            return Copy("normalised", self.normal[normal])
        return None


class Copies:
    """Fed row by row, each of which is first looked for among those before it."""

    def __init__(self) -> None:
        self._splits: dict[int, _Texts] = {}

    def within(self, split: int, exact: bytes, normal: bytes | None) -> Copy | None:
        """The row of the same split that this text repeats."""
        return self._splits[split].find(exact, normal) if split in self._splits else None

    def between(self, split: int, exact: bytes, normal: bytes | None) -> Copy | None:
        """The row of another split that this text repeats, an exact one if there is any."""
        found = [
            copy
            for other, texts in self._splits.items()
            if other != split and (copy := texts.find(exact, normal))
        ]
        return min(found, key=lambda copy: (copy.kind, copy.first), default=None)

    def add(self, row: int, split: int, exact: bytes, normal: bytes | None) -> None:
        """`normal` is None for a text without a single word: then only its bytes count."""
        texts = self._splits.setdefault(split, _Texts())
        texts.exact.setdefault(exact, row)
        if normal is not None:
            texts.normal.setdefault(normal, row)

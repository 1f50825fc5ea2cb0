"""How alike two rows are, for each unit: what is kept of a row, its shingles, and the verdict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from lt_bench.builders.audit import question
from lt_bench.builders.audit.shingles import (
    Boilerplate,
    Shingles,
    WordShingles,
    character_shingles,
    single,
)

SHARE = 0.3
"""Jaccard similarity from which a row repeats another."""
BEYOND = 5
"""Shingles that two rows must share beyond that: in a text of a few words one word decides."""
COMMON_SHARE, COMMON_LEAST = 0.01, 10
"""A shingle in more groups than this share of them, and than this many, is boilerplate."""
ESTIMATE_ERROR = 0.12
"""Three standard deviations of an estimate from 128 places at a similarity of 0.3."""


class Measure(Protocol):
    """`floor` is the estimated similarity below which a pair is not looked at; `apart`: rows of
    one group are not compared, because they share their evidence by design."""

    floor: float
    apart: bool

    def keep(self, texts: tuple[str, ...], words: Iterable[list[str]]) -> bytes:
        """What the others need of a row; empty where there is nothing to compare. `words` are the
        tokens of `texts`, piece by piece."""
        ...

    def learn(self, kept: bytes, group: int) -> None:
        """A row that is no copy tells what is common."""
        ...

    def shingles(self, kept: bytes) -> Shingles:
        """The set to sign, once every row was learnt from."""
        ...

    def similarity(self, first: bytes, second: bytes) -> float | None:
        """The exact Jaccard similarity; None where the rows do not repeat each other."""
        ...


class RowMeasure:
    """Whole rows as shingles of words, less those that occur everywhere."""

    floor, apart = SHARE - ESTIMATE_ERROR, True

    def __init__(self) -> None:
        self._words, self._boilerplate = WordShingles(), Boilerplate()
        self._groups = 0

    def keep(self, texts: tuple[str, ...], words: Iterable[list[str]]) -> bytes:  # noqa: ARG002
        return self._words.of(words).tobytes()

    def learn(self, kept: bytes, group: int) -> None:
        self._boilerplate.count(_numbers(kept), group)
        self._groups = max(self._groups, group + 1)

    def shingles(self, kept: bytes) -> Shingles:
        """Those that tell the row from others. Too few of them cannot reach the verdict: such a
        row repeats one of the same shingles only, which one number can say."""
        rare = self.rare(kept)
        return rare if len(rare) * (1 - SHARE) >= BEYOND else single(kept)

    def similarity(self, first: bytes, second: bytes) -> float | None:
        if first == second:
            return 1.0
        shared, union = _overlap(self.rare(first), self.rare(second))
        return shared / union if shared >= SHARE * union + BEYOND else None

    def rare(self, kept: bytes) -> Shingles:
        """The shingles of a row without boilerplate."""
        limit = max(COMMON_LEAST, int(COMMON_SHARE * self._groups))
        return self._boilerplate.rare(_numbers(kept), limit)


class QuestionMeasure:
    """Questions by the words that count. No similarity tells a slip from another question (see
    `question`), so that a key which slips do not change stands in for the set."""

    floor, apart = 1.0, False
    LONGEST = 2**16
    """Characters of a question that are looked at."""

    def keep(self, texts: tuple[str, ...], words: Iterable[list[str]]) -> bytes:  # noqa: ARG002
        return " ".join(question.content(texts[0][: self.LONGEST])).encode()

    def learn(self, kept: bytes, group: int) -> None:
        """Nothing: no word of a question is boilerplate."""

    def shingles(self, kept: bytes) -> Shingles:
        return single(question.key(kept.decode().split()).encode())

    def similarity(self, first: bytes, second: bytes) -> float | None:
        if not question.same(first.decode().split(), second.decode().split()):
            return None
        sets = (character_shingles(kept.decode().casefold()) for kept in (first, second))
        shared, union = _overlap(*sets)
        return shared / union


def _overlap(one: Shingles, other: Shingles) -> tuple[int, int]:
    """Sizes of the intersection and of the union."""
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared, len(one) + len(other) - shared


def _numbers(kept: bytes) -> Shingles:
    return np.frombuffer(kept, dtype=np.uint64)

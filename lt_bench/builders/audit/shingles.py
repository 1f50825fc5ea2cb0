"""Texts as sets of 64-bit numbers, one for each run of neighbouring tokens, and which are common.

The numbers come from BLAKE2, so that they are the same on every machine and in every process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Shingles = NDArray[np.uint64]
"""Sorted, without repeats."""

WORDS = 5
"""Tokens in a shingle of a whole row."""
CHARACTERS = 4
"""Characters in a shingle of a question."""
_KNOWN_TOKENS = 2**16
_BATCH = 2**17
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class WordShingles:
    """Shingles of lists of tokens. No shingle reaches from one list into the next, so that their
    order does not matter; a list shorter than a shingle is one shingle."""

    def __init__(self) -> None:
        self._hashes: dict[str, int] = {}

    def of(self, texts: Iterable[list[str]]) -> Shingles:
        found: list[Shingles] = []
        flat: list[int] = []
        ends: list[int] = []
        for words in texts:
            if words:
                flat.extend(self._hash(word) for word in words)
                flat.extend([0] * (WORDS - len(words)))
                ends.append(len(flat))
            if len(flat) > _BATCH:
                found.append(_inside(flat, ends))
                flat, ends = [], []
        if flat:
            found.append(_inside(flat, ends))
        return np.unique(np.concatenate(found)) if found else np.empty(0, np.uint64)

    def _hash(self, word: str) -> int:
        known = self._hashes.get(word)
        if known is None:
            if len(self._hashes) >= _KNOWN_TOKENS:
                self._hashes.clear()
            known = self._hashes[word] = _hashed(word.encode())
        return known


def single(data: bytes) -> Shingles:
    """The whole of `data` as one number."""
    return np.array([_hashed(data)], dtype=np.uint64)


def character_shingles(text: str) -> Shingles:
    """Shingles of `CHARACTERS` characters; a shorter text is one shingle."""
    if not text:
        return np.empty(0, np.uint64)
    codes = np.frombuffer(text.ljust(CHARACTERS, "\0").encode("utf-32-le"), dtype="<u4")
    return np.unique(_runs(codes.astype(np.uint64), CHARACTERS))


def _hashed(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def _inside(flat: list[int], ends: list[int]) -> Shingles:
    """The runs of `WORDS` numbers that cross no end of a text."""
    runs = _runs(np.array(flat, dtype=np.uint64), WORDS)
    whole = np.ones(len(runs), dtype=bool)
    for end in ends[:-1]:
        whole[end - WORDS + 1 : end] = False
    return runs[whole]


def _runs(values: Shingles, size: int) -> Shingles:
    """One mixed number for each run of `size` values."""
    count = len(values) - size + 1
    runs = values[:count].copy()
    for offset in range(1, size):
        runs = runs * _FACTOR + values[offset : offset + count]
    runs ^= runs >> np.uint64(31)
    runs *= _FACTOR
    return runs ^ (runs >> np.uint64(29))


class Boilerplate:
    """Counts in how many groups a shingle occurs, in fixed memory: two shingles may share a count,
    so that a rare one is now and then held to be common. Rows of a group should come one after
    another; scattered, they count more than once."""

    SLOTS = 2**20

    def __init__(self) -> None:
        self._counts = np.zeros(self.SLOTS, dtype=np.uint32)
        self._last = np.full(self.SLOTS, -1, dtype=np.int32)

    def count(self, shingles: Shingles, group: int) -> None:
        slots = self._slots(shingles)
        # One of several equal slots counts: an indexed += of numpy adds once to each.
        self._counts[slots[self._last[slots] != group]] += 1
        self._last[slots] = group

    def rare(self, shingles: Shingles, limit: int) -> Shingles:
        """Those that occur in at most `limit` groups."""
        return shingles[self._counts[self._slots(shingles)] <= limit]

    def _slots(self, shingles: Shingles) -> NDArray[np.int64]:
        return (shingles >> np.uint64(44)).astype(np.int64)

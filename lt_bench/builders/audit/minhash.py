"""MinHash signatures, and for each row the most similar earlier ones that they point to.

A. Broder, "On the resemblance and containment of documents", 1997: the share of equal places in
two signatures estimates the Jaccard similarity of the sets. Rows that agree in a band of two
places are compared (P. Indyk and R. Motwani, "Approximate nearest neighbors", 1998): with 64 bands
a pair of similarity 0.3 is met with probability 0.998, one of 0.4 with 0.99999.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from datasketch import MinHash  # type: ignore[import-untyped]
from numpy.typing import NDArray

from lt_bench.builders.audit.shingles import Shingles

PLACES = 128
BAND = 2
NEIGHBOURS = 32
"""Rows that a row is compared with in each band. A bucket may hold every row of a data set; its
rows stand in the order of their next places, so that the most alike are neighbours."""

_FEW = 4096
_PAIRS = 2**16
_FIRST = np.int64(2**40)

Signatures = NDArray[np.uint32]
Rows = NDArray[np.int64]


class Signer:
    """Signatures of `PLACES` numbers, by fixed permutations."""

    def __init__(self) -> None:
        self._blank = MinHash(num_perm=PLACES, seed=1, hashfunc=int, scheme="affine32")

    def sign(self, shingles: Shingles) -> Signatures:
        made = self._blank.copy()
        low = shingles.astype(np.uint32)
        for start in range(0, len(low), _FEW):
            made.update_batch(low[start : start + _FEW].tolist())
        signature: Signatures = made.hashvalues
        return signature


@dataclass(frozen=True)
class Origins:
    """Split and group of each signed row; rows with `apart` False are compared inside a group
    too."""

    splits: NDArray[np.int32]
    groups: NDArray[np.int32]
    apart: bool


class Nearest:
    """The most similar earlier row of each row: of another split (`between`) and of its own
    (`within`); -1 where none is estimated to reach `floor`. Among equals the first row wins."""

    def __init__(self, signatures: Signatures, origins: Origins, floor: float) -> None:
        self._signatures, self._origins = signatures, origins
        self._floor = int(floor * PLACES)
        size = len(signatures)
        self._between = np.full(size, -1, dtype=np.int64)
        self._within = np.full(size, -1, dtype=np.int64)
        for first, second in self._pairs():
            for start in range(0, len(first), _PAIRS):
                self._weigh(first[start : start + _PAIRS], second[start : start + _PAIRS])

    @property
    def between(self) -> Rows:
        return _rows(self._between)

    @property
    def within(self) -> Rows:
        return _rows(self._within)

    def _pairs(self) -> Iterator[tuple[Rows, Rows]]:
        """Rows that share a band, the earlier first; a pair may come several times."""
        for start in range(0, PLACES, BAND):
            key, after = (self._key((start + shift) % PLACES) for shift in (0, BAND))
            order = np.lexsort((after, key))
            sorted_key = key[order]
            for distance in range(1, min(NEIGHBOURS, len(order) - 1) + 1):
                same = np.flatnonzero(sorted_key[distance:] == sorted_key[:-distance])
                if not len(same):
                    break
                one, other = order[same], order[same + distance]
                yield np.minimum(one, other), np.maximum(one, other)

    def _key(self, start: int) -> NDArray[np.uint64]:
        one, two = (self._signatures[:, start + at].astype(np.uint64) for at in range(BAND))
        return (one << np.uint64(32)) | two

    def _weigh(self, first: Rows, second: Rows) -> None:
        origins = self._origins
        between = origins.splits[first] != origins.splits[second]
        if origins.apart:
            counted = between | (origins.groups[first] != origins.groups[second])
            first, second, between = first[counted], second[counted], between[counted]
        equal = (self._signatures[first] == self._signatures[second]).sum(axis=1, dtype=np.int64)
        reached = equal >= self._floor
        # One number to take the maximum of: the estimate first, then the earliest row.
        score = equal * _FIRST + (_FIRST - 1 - first)
        for best, part in ((self._between, reached & between), (self._within, reached & ~between)):
            np.maximum.at(best, second[part], score[part])


def _rows(scores: Rows) -> Rows:
    return np.where(scores < 0, -1, _FIRST - 1 - scores % _FIRST)

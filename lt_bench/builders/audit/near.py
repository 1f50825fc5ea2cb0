"""Rows that nearly repeat an earlier one: MinHash proposes, the whole sets decide."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lt_bench.builders.audit.measure import Measure, QuestionMeasure, RowMeasure
from lt_bench.builders.audit.minhash import PLACES, Nearest, Origins, Signatures, Signer
from lt_bench.builders.audit.spool import Spool
from lt_bench.builders.base import AuditUnit


@dataclass(frozen=True)
class Near:
    """Row numbers of a pair, as they were given to `add`."""

    first: int
    second: int
    similarity: float
    between: bool


def measure_of(unit: AuditUnit) -> Measure:
    """How rows of this unit are compared."""
    return QuestionMeasure() if unit == "question" else RowMeasure()


class NearRows:
    """Fed row by row; memory per row is a signature of 512 bytes and a few numbers, the shingles
    themselves wait in a temporary file."""

    def __init__(self, measure: Measure) -> None:
        self._measure, self._kept = measure, Spool()
        self._rows, self._splits, self._groups = array("q"), array("i"), array("i")

    def add(self, row: int, kept: bytes, split: int, group: int) -> None:
        """A row by its number, what the measure keeps of it, its split and its group."""
        if kept:
            self._kept.add(kept)
            self._rows.append(row)
            self._splits.append(split)
            self._groups.append(group)

    def found(self) -> Iterator[Near]:
        """At most two pairs for each row, in their order: its most similar earlier row of another
        split, and that of its own. To be asked once, after the last row."""
        origins = Origins(_ints(self._splits), _ints(self._groups), self._measure.apart)
        nearest = Nearest(self._signatures(), origins, self._measure.floor)
        for at, (between, within) in enumerate(zip(nearest.between, nearest.within, strict=True)):
            for best, is_between in ((int(between), True), (int(within), False)):
                if best >= 0:
                    yield from self._verified(best, at, is_between)
        self._kept.close()

    def _signatures(self) -> Signatures:
        signer, made = Signer(), np.empty((len(self._rows), PLACES), dtype=np.uint32)
        for at in range(len(made)):
            made[at] = signer.sign(self._measure.shingles(self._kept[at]))
        return made

    def _verified(self, first: int, second: int, between: bool) -> Iterator[Near]:
        similarity = self._measure.similarity(self._kept[first], self._kept[second])
        if similarity is not None:
            yield Near(self._rows[first], self._rows[second], similarity, between)


def _ints(values: array[int]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)

"""A draw: random choices that are the same on every machine and every Python."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """Choices fixed by a key. Only `random.random()` is used underneath: it is the one method
    whose sequence Python promises to keep between versions."""

    def __init__(self, *key: object) -> None:
        text = "|".join(str(part) for part in key)
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        self._next = random.Random(seed).random

    def below(self, n: int) -> int:
        """An integer from 0 to n - 1."""
        return int(self._next() * n)

    def between(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return low + int(self._next() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        return self._next() < probability

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self._next() * len(items))]

    def sample(self, items: Sequence[T], n: int) -> list[T]:
        """Up to `n` different items, in random order (the first steps of a Fisher-Yates)."""
        rest = list(items)
        size = len(rest)
        for first in range(min(n, size - 1)):
            other = first + int(self._next() * (size - first))
            rest[first], rest[other] = rest[other], rest[first]
        return rest[:n]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A new list in random order."""
        return self.sample(items, len(items))

    def weighted(self, weights: Sequence[tuple[T, float]]) -> T:
        """One item, with a chance in proportion to its weight (at least one is above 0)."""
        point = self._next() * sum([weight for _, weight in weights])
        for item, weight in weights:
            point -= weight
            if point < 0:
                return item
        return [item for item, weight in weights if weight > 0][-1]


def bucket(text: str, n: int) -> int:
    """A number from 0 to n - 1 that depends on `text` alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % n

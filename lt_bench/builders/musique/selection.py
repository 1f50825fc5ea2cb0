"""Which rows of a source make a split: the shares of hop shapes stay as they are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from hashlib import sha256


def stratified(shapes: Iterable[tuple[str, str]], size: int, seed: int) -> frozenset[str]:
    """The ids of `size` rows out of (id, shape) pairs, or of all where there are not more.

    Each shape gets its share by largest remainders; within a shape the smallest
    sha256(seed|id) are taken, so that order of the rows and other shapes change nothing.
    """
    by_shape: dict[str, list[str]] = defaultdict(list)
    for row_id, shape in shapes:
        by_shape[shape].append(row_id)
    wanted = quotas({shape: len(ids) for shape, ids in by_shape.items()}, size)
    return frozenset(
        row_id
        for shape, ids in by_shape.items()
        for row_id in sorted(ids, key=lambda one: _rank(seed, one))[: wanted[shape]]
    )


def quotas(counts: dict[str, int], size: int) -> dict[str, int]:
    """How many of each shape are taken so that the shares of `counts` are kept (largest
    remainders, ties by name); everything where `size` is not smaller than all together."""
    total = sum(counts.values())
    if size >= total:
        return dict(counts)
    exact = {shape: size * count / total for shape, count in counts.items()}
    taken = Counter({shape: int(share) for shape, share in exact.items()})
    by_remainder = sorted(exact, key=lambda shape: (int(exact[shape]) - exact[shape], shape))
    taken.update(by_remainder[: size - taken.total()])
    return dict(taken)


def _rank(seed: int, row_id: str) -> bytes:
    return sha256(f"{seed}|{row_id}".encode()).digest()

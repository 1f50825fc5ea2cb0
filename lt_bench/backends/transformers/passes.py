"""What the rows of one pass through a model see of themselves and of what was read before.

Rows that begin alike, as those of one task do with its rules and tools, are not read twice: the first of
them is read whole, the others from where they differ on, and look at the states of the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import torch
from torch.nn.functional import scaled_dot_product_attention

from lt_bench.backends.transformers.cohort import Cohort
from lt_bench.backends.transformers.rows import Live

FEWEST: Final = 16
"""Tokens that two rows must have in common, or it is not worth a pass of its own."""


class Pass(Protocol):
    """What the rows of one pass see. `query`, `keys`, `values`: (heads, tokens, dim); the answer
    is (tokens, heads, dim)."""

    def attend(
        self,
        layer: int,
        query: Any,
        keys: Any,
        values: Any,
        scale: float | None,
        window: int | None,
    ) -> Any: ...


@dataclass(frozen=True)
class Segment:
    """A row that is read, from token `start` of its pass on; but for its first `shared` tokens, with
    which the row at place `leader` begins too, and which has been read."""

    cohort: Cohort
    place: int
    start: int
    leader: int = 0
    shared: int = 0

    @property
    def row(self) -> Live:
        return self.cohort.rows[self.place]

    @property
    def tokens(self) -> tuple[int, ...]:
        """What is read of it."""
        return self.row.text[self.shared :]


def readings(cohort: Cohort, most: int) -> Iterator[list[Segment]]:
    """The rows of a cohort in passes of at most `most` tokens, or one row; whom others follow first."""
    leaders, followers = list[tuple[int, int, int]](), list[tuple[int, int, int]]()
    texts = [row.text for row in cohort.rows]
    for place, text in enumerate(texts):
        alike = ((_common(texts[leader], text), leader) for leader, *_ in leaders)
        shared, leader = max(alike, default=(0, 0))
        if shared < FEWEST:
            leaders.append((place, place, 0))
        else:
            followers.append((place, leader, shared))
    for rows in (leaders, followers):
        yield from _parts(cohort, rows, most)


def _parts(
    cohort: Cohort, rows: Sequence[tuple[int, int, int]], most: int
) -> Iterator[list[Segment]]:
    part: list[Segment] = []
    tokens = 0
    for place, leader, shared in rows:
        length = cohort.rows[place].length - shared
        if part and tokens + length > most:
            yield part
            part, tokens = [], 0
        part.append(Segment(cohort, place, tokens, leader, shared))
        tokens += length
    if part:
        yield part


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens both begin with; never all of `other`, whose last token has to be read."""
    most = min(len(one), len(other) - 1)
    return next((at for at in range(most) if one[at] != other[at]), most)


@dataclass(frozen=True)
class Reading:
    """Rows, each seen by itself only."""

    segments: Sequence[Segment]
    bands: dict[tuple[int, int, int | None], Any] = field(default_factory=dict)

    def attend(
        self,
        layer: int,
        query: Any,
        keys: Any,
        values: Any,
        scale: float | None,
        window: int | None,
    ) -> Any:
        found = []
        groups = query.shape[0] != keys.shape[0]
        for each in self.segments:
            length = each.row.length
            own = slice(each.start, each.start + length - each.shared)
            all_keys, all_values = keys[:, own], values[:, own]
            if each.shared:
                past_keys, past_values = each.cohort.kept(layer, each.leader, each.shared)
                all_keys = torch.cat([past_keys, all_keys], 1)
                all_values = torch.cat([past_values, all_values], 1)
            each.cohort.read(layer, each.place, all_keys, all_values)
            whole = not each.shared and (window is None or length <= window)
            seen = scaled_dot_product_attention(
                query[None, :, own],
                all_keys[None],
                all_values[None],
                attn_mask=None if whole else self._band(each.shared, length, window, query),
                is_causal=whole,
                scale=scale,
                enable_gqa=groups,
            )
            found.append(seen[0].transpose(0, 1))
        return torch.cat(found)

    def _band(self, shared: int, length: int, window: int | None, like: Any) -> Any:
        """(length - shared, length), True where a token sees another: those up to itself, or the last
        `window` of them."""
        if (shared, length, window) not in self.bands:
            shape = (length - shared, length)
            band = torch.ones(shape, dtype=torch.bool, device=like.device).tril(shared)
            if window is not None:
                band = band.triu(shared + 1 - window)
            self.bands[shared, length, window] = band
        return self.bands[shared, length, window]


@dataclass(frozen=True)
class Step:
    """One new token a row; each cohort looks at its own past."""

    cohorts: Sequence[Cohort]

    def attend(
        self,
        layer: int,
        query: Any,
        keys: Any,
        values: Any,
        scale: float | None,
        window: int | None,
    ) -> Any:
        query, keys, values = (each.transpose(0, 1) for each in (query, keys, values))
        found, first = [], 0
        for cohort in self.cohorts:
            own = slice(first, first + len(cohort.rows))
            cohort.append(layer, keys[own], values[own])
            found.append(_look(query[own], *cohort.seen(layer, window), scale))
            first = own.stop
        return torch.cat(found)


def _look(query: Any, keys: Any, values: Any, mask: Any, scale: float | None) -> Any:
    """(rows, heads, dim) from a query of that shape. The heads that share keys stand as that many
    tokens of one head, so that no key is copied."""
    rows, heads, dim = query.shape
    shared = query.reshape(rows, keys.shape[1], heads // keys.shape[1], dim)
    found = scaled_dot_product_attention(shared, keys, values, attn_mask=mask, scale=scale)
    return found.reshape(rows, heads, -1)

"""Rows that were read together: their keys and values stand side by side, aligned at the right.

    column     0 1 2 3 4 5 | 6 ...
    row 0      a b c d e f | g        pad 0
    row 1      - - a b c d | e        pad 2

All rows of a cohort grow by one column a step, so that one write and one attention serve them all.
A row that ends leaves its place to the last one: nothing is copied but that row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from lt_bench.backends.transformers.memory import ask_for
from lt_bench.backends.transformers.rows import Live

ROOM = 64
"""Columns by which a full cohort grows."""


class Cohort:
    """Up to a handful of rows. `column_bytes`: what one position of one row takes in all layers."""

    def __init__(self, rows: Sequence[Live], device: Any, column_bytes: int = 0) -> None:
        self.rows, self.device, self.column_bytes = list(rows), device, column_bytes
        self.width = max(row.length for row in rows)
        self._pads = [self.width - row.length for row in rows]
        self._states: dict[int, tuple[Any, Any]] = {}
        self._mask: Any = None
        self._make_room(len(rows))

    @property
    def held(self) -> int:
        """Positions that memory is kept for."""
        return self._places * self._room

    def read(self, layer: int, place: int, keys: Any, values: Any) -> None:
        """Keep the states of a whole row, each (heads, length, dim)."""
        if layer not in self._states:
            self._states[layer] = (self._empty(keys), self._empty(values))
        pad = self._pads[place]
        for states, new in zip(self._states[layer], (keys, values), strict=True):
            # padding is masked, but must be numbers
            states[place, :, :pad] = 0
            states[place, :, pad : self.width] = new

    def kept(self, layer: int, place: int, length: int) -> tuple[Any, Any]:
        """Keys and values (heads, length, dim) of the beginning of a row that was read."""
        pad = self._pads[place]
        keys, values = (states[place, :, pad : pad + length] for states in self._states[layer])
        return keys, values

    def append(self, layer: int, keys: Any, values: Any) -> None:
        """Write one position a row, each (rows, heads, dim), into the first free column."""
        held = self._states[layer]
        if held[0].shape[2] < self._room:
            held = (self._grown(held[0]), self._grown(held[1]))
            self._states[layer] = held
        count = len(self.rows)
        held[0][:count, :, self.width] = keys
        held[1][:count, :, self.width] = values

    def seen(self, layer: int, window: int | None) -> tuple[Any, Any, Any]:
        """Keys and values (rows, heads, columns, dim) that the newest position looks at, itself
        included, and an additive mask (rows, 1, 1, columns) or None."""
        keys, values = self._states[layer]
        count, end = len(self.rows), self.width + 1
        begin = min(self._pads)
        if window is not None:
            begin = max(begin, end - window)
        mask = None
        if begin < max(self._pads):
            mask = self._whole_mask(keys.dtype)[..., begin:end]
        return keys[:count, :, begin:end], values[:count, :, begin:end], mask

    def prepare(self) -> None:
        """Before a step: see that one more column fits.

        Raises:
            MemoryError: the machine has no memory left for it.
        """
        if self.width == self._room:
            self._make_room(len(self.rows))
            self._mask = None

    def stepped(self) -> None:
        """After a step: its column is taken."""
        self.width += 1

    def drop(self, leaves: Callable[[Live], bool]) -> None:
        """Rows of which that is true leave."""
        for place in reversed(range(len(self.rows))):
            if leaves(self.rows[place]):
                self._drop(place)

    def _drop(self, place: int) -> None:
        last = len(self.rows) - 1
        if place != last:
            begin = self._pads[last]
            for layer in self._states.values():
                for states in layer:
                    states[place, :, begin : self.width] = states[last, :, begin : self.width]
                    states[place, :, :begin] = 0
            self.rows[place], self._pads[place] = self.rows[last], self._pads[last]
        self.rows.pop()
        self._pads.pop()
        self._mask = None

    def _make_room(self, places: int) -> None:
        room = self.width + ROOM
        ask_for(places * room * self.column_bytes, self.device)
        self._places, self._room = places, room

    def _empty(self, like: Any) -> Any:
        heads, _, dim = like.shape
        return like.new_empty((self._places, heads, self._room, dim))

    def _grown(self, held: Any) -> Any:
        places, (_, heads, _, dim) = self._places, held.shape
        states = held.new_empty((places, heads, self._room, dim))
        states[:, :, : self.width] = held[:places, :, : self.width]
        return states

    def _whole_mask(self, dtype: Any) -> Any:
        """(rows, 1, 1, columns): minus infinity on the padding."""
        if self._mask is None:
            pads = torch.tensor(self._pads, device=self.device)
            columns = torch.arange(self._room, device=self.device)
            mask = torch.zeros((len(self._pads), self._room), dtype=dtype, device=self.device)
            self._mask = mask.masked_fill_(columns < pads[:, None], float("-inf"))[:, None, None]
        return self._mask

"""The key-value cache of a batch: it grows in blocks, and joins rows that were read one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

ROOM = 64
"""Tokens by which a full cache layer grows."""


class GrowingLayer(DynamicLayer):  # type: ignore[misc]
    """A cache layer that makes room for many tokens at a time.

    transformers' own layer copies all it holds for every new token, which on long prompts costs
    more than reading the weights.
    """

    keys: Any
    values: Any

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._buffers: dict[str, Any] = {}

    def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> tuple[Any, Any]:
        """Append (batch, heads, new, width) states and return all of them."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        self.keys = self._append("keys", self.keys, key_states)
        self.values = self._append("values", self.values, value_states)
        return self.keys, self.values

    def reorder_cache(self, beam_idx: Any) -> None:
        """Keep the rows `beam_idx` only."""
        self._buffers.clear()
        super().reorder_cache(beam_idx)

    def gather(self, rows: Sequence[GrowingLayer]) -> None:
        """Take the states of layers of one row each, padded on the left to the longest. The
        padding is zeros: it is masked, but must be numbers."""
        self.lazy_initialization(rows[0].keys, rows[0].values)
        self.keys = self._gathered("keys", [row.keys for row in rows])
        self.values = self._gathered("values", [row.values for row in rows])

    def _gathered(self, name: str, parts: Sequence[Any]) -> Any:
        length = max(part.shape[-2] for part in parts)
        _, heads, _, width = parts[0].shape
        buffer = parts[0].new_zeros((len(parts), heads, length + ROOM, width))
        for place, part in enumerate(parts):
            buffer[place, :, length - part.shape[-2] : length] = part[0]
        self._buffers[name] = buffer
        return buffer[..., :length, :]

    def _append(self, name: str, held: Any, new: Any) -> Any:
        length = held.shape[-2] if held.numel() else 0
        total = length + new.shape[-2]
        buffer = self._buffers.get(name)
        if buffer is None or buffer.shape[-2] < total:
            buffer = new.new_empty((*new.shape[:-2], total + ROOM, new.shape[-1]))
            if length:
                buffer[..., :length, :] = held
            self._buffers[name] = buffer
        buffer[..., length:total, :] = new
        return buffer[..., :total, :]


def new_cache(config: Any) -> Any:
    """An empty cache for a model's layers: full attention, sliding windows, linear states."""
    cache = DynamicCache(config=config)
    cache.layers = [
        GrowingLayer() if type(layer) is DynamicLayer else layer for layer in cache.layers
    ]
    return cache


def joinable(cache: Any) -> bool:
    """Whether all layers keep every token, so that rows of other lengths can stand side by side."""
    return all(type(layer) is GrowingLayer for layer in cache.layers)


def join(caches: Sequence[Any]) -> Any:
    """One cache of as many rows, padded on the left, from caches of one row each. They are emptied
    layer by layer, so that the states are not held twice."""
    first = caches[0]
    for place, layer in enumerate(first.layers):
        whole = type(layer)()
        whole.gather([cache.layers[place] for cache in caches])
        for cache in caches:
            cache.layers[place] = None
        first.layers[place] = whole
    return first

"""Batches for models that cannot take rows of other lengths in one pass as they are: padded on
the left, one shared cache, and every row leaves when it ends."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from lt_bench.backends.transformers.cache import join, joinable, new_cache
from lt_bench.backends.transformers.drawing import take_next
from lt_bench.backends.transformers.rows import Draw, Live, Row

CPU_ROWS = 16
"""Rows of one batch on a CPU, where padding is computed like everything else."""


@dataclass(frozen=True)
class _Start:
    """After the prompts: (batch, vocabulary) logits, the cache, the (batch, width + answers) mask,
    and how wide the padded prompts are."""

    logits: Any
    cache: Any
    mask: Any
    width: int


class Padded:
    """Decodes batch after batch. `eos_ids`: every token that ends an answer; `pad_id`: any token,
    it is masked."""

    def __init__(self, model: Any, *, eos_ids: Collection[int], pad_id: int) -> None:
        self.model, self.eos_ids, self.pad_id = model, frozenset(eos_ids), pad_id
        accepted = inspect.signature(model.forward).parameters
        self._takes_positions = "position_ids" in accepted
        self._takes_keep = "logits_to_keep" in accepted
        # renamed in transformers 5.24
        self._cache_name = "cache" if "cache" in accepted else "past_key_values"

    def run(self, live: Sequence[Live], draw: Draw) -> None:
        """Decode every row to its end.

        Raises:
            RuntimeError: as torch raises it, out of memory among them.
        """
        size = CPU_ROWS if self.model.device.type == "cpu" else len(live)
        for first in range(0, len(live), size):
            self._batch(list(live[first : first + size]), draw)

    def _batch(self, live: list[Live], draw: Draw) -> None:
        start = self._prefill(live)
        live = [each for each in live if each.end is None]
        if start is None:
            return
        logits, cache, mask = start.logits, start.cache, start.mask
        length = start.width
        positions = mask[:, :length].sum(-1, keepdim=True) - 1
        while True:
            take_next(live, logits, draw, self.eos_ids)
            keep = [index for index, each in enumerate(live) if each.end is None]
            if not keep:
                return
            if len(keep) < len(live):
                rows = torch.tensor(keep, device=logits.device)
                mask, positions = mask[rows], positions[rows]
                cache.reorder_cache(rows)
                live = [live[index] for index in keep]
            positions, length = positions + 1, length + 1
            tokens = torch.tensor([[each.ids[-1]] for each in live], device=logits.device)
            logits = self._logits(tokens, mask[:, :length], positions, cache)

    def _prefill(self, live: Sequence[Live]) -> _Start | None:
        """Reads the prompts. On a CPU one by one: no padding is computed, attention is causal
        without a mask, and a row's activations stay in the processor's cache. Elsewhere, and
        where layers keep less than all they saw, in one padded batch."""
        if self.model.device.type != "cpu" or not joinable(new_cache(self.model.config)):
            rows = [each.row for each in live]
            ids, mask = self._pad(rows)
            width, cache = ids.shape[1], new_cache(self.model.config)
            positions = (mask[:, :width].cumsum(-1) - 1).clamp(min=0)
            return _Start(self._logits(ids, mask[:, :width], positions, cache), cache, mask, width)
        alone = [self._read(each.row) for each in live if not each.is_cancelled()]
        kept = [each.row for each in live if each.end is None]
        if not kept:
            return None
        ids, mask = self._pad(kept)
        logits = torch.cat([logits for logits, _ in alone])
        return _Start(logits, join([cache for _, cache in alone]), mask, ids.shape[1])

    def _pad(self, rows: Sequence[Row]) -> tuple[Any, Any]:
        """Prompts padded on the left, and the mask (0: padding) for them and all answers."""
        width = max(len(row.ids) for row in rows)
        room = max(row.max_new_tokens for row in rows)
        ids = torch.full((len(rows), width), self.pad_id)
        mask = torch.ones((len(rows), width + room), dtype=torch.long)
        for index, row in enumerate(rows):
            pad = width - len(row.ids)
            ids[index, pad:] = torch.tensor(row.ids)
            mask[index, :pad] = 0
        return ids.to(self.model.device), mask.to(self.model.device)

    def _read(self, row: Row) -> tuple[Any, Any]:
        """(1, vocabulary) logits after one prompt, and its cache."""
        ids, cache = torch.tensor([row.ids]), new_cache(self.model.config)
        return self._logits(ids, None, torch.arange(ids.shape[1])[None], cache), cache

    def _logits(self, ids: Any, mask: Any, positions: Any, cache: Any) -> Any:
        """(batch, vocabulary) logits after the last token of each row."""
        given: dict[str, Any] = {"input_ids": ids}
        if mask is not None:
            given["attention_mask"] = mask
        if self._takes_positions:
            given["position_ids"] = positions
        if self._takes_keep:
            given["logits_to_keep"] = 1
        given[self._cache_name] = cache
        return self.model(use_cache=True, **given).logits[:, -1]

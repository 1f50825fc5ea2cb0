"""Batches for models that cannot take rows of other lengths in one pass as they are: padded on
the left, one shared cache, and every row leaves when it ends."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from lt_bench.backends.transformers.alone import cache_name
from lt_bench.backends.transformers.cache import join, joinable, new_cache
from lt_bench.backends.transformers.drawing import take_next
from lt_bench.backends.transformers.rows import Draw, Live, Row

CPU_ROWS = 16
"""Rows of one batch on a CPU, where padding is computed like everything else."""


@dataclass
class _Batch:
    """Rows on their way: their cache, the (rows, width + answers) mask, (rows, 1) positions of the
    newest tokens, and how many columns are taken."""

    cache: Any
    mask: Any
    positions: Any
    length: int


class Padded:
    """Decodes batch after batch. `eos_ids`: every token that ends an answer; `pad_id`: any token,
    it is masked."""

    def __init__(self, model: Any, *, eos_ids: Collection[int], pad_id: int) -> None:
        self.model, self.eos_ids, self.pad_id = model, frozenset(eos_ids), pad_id
        self.size = CPU_ROWS if model.device.type == "cpu" else None
        accepted = inspect.signature(model.forward).parameters
        self._takes_positions = "position_ids" in accepted
        self._takes_keep = "logits_to_keep" in accepted
        self._cache_name = cache_name(model)

    def run(self, live: Sequence[Live], draw: Draw) -> None:
        """Decode every row to its end.

        Raises:
            RuntimeError: as torch raises it, out of memory among them.
        """
        size = self.size or len(live)
        for first in range(0, len(live), size):
            self._run(list(live[first : first + size]), draw)

    def _run(self, live: list[Live], draw: Draw) -> None:
        live = [each for each in live if not each.is_cancelled()]
        if not live:
            return
        logits, batch = self._prefill([each.row for each in live])
        while True:
            take_next(live, logits, draw, self.eos_ids)
            keep = [index for index, each in enumerate(live) if each.end is None]
            if not keep:
                return
            if len(keep) < len(live):
                rows = torch.tensor(keep, device=logits.device)
                batch.mask, batch.positions = batch.mask[rows], batch.positions[rows]
                batch.cache.reorder_cache(rows)
                live = [live[index] for index in keep]
            logits = self._step(batch, [each.ids[-1] for each in live])

    def _step(self, batch: _Batch, newest: Sequence[int]) -> Any:
        """(rows, vocabulary) logits after one more token a row."""
        batch.positions, batch.length = batch.positions + 1, batch.length + 1
        tokens = torch.tensor(newest, device=batch.mask.device)[:, None]
        return self._logits(tokens, batch.mask[:, : batch.length], batch.positions, batch.cache)

    def _prefill(self, rows: Sequence[Row]) -> tuple[Any, _Batch]:
        """Reads the prompts. On a CPU one by one: no padding is computed, attention is causal
        without a mask, and a row's activations stay in the processor's cache. Elsewhere, and
        where layers keep less than all they saw, in one padded batch."""
        ids, mask = self._pad(rows)
        width, cache = ids.shape[1], new_cache(self.model.config)
        positions = (mask[:, :width].cumsum(-1) - 1).clamp(min=0)
        if self.model.device.type == "cpu" and joinable(cache):
            alone = [self._read(row) for row in rows]
            logits = torch.cat([logits for logits, _ in alone])
            cache = join([cache for _, cache in alone])
        else:
            logits = self._logits(ids, mask[:, :width], positions, cache)
        return logits, _Batch(cache, mask, positions[:, -1:], width)

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

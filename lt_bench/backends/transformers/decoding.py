"""Token by token through a causal language model: many rows at once, each with its own end.

Rows are padded on the left, share one key-value cache, and leave the batch when they end, so that
a long answer does not make its neighbours pay. Greedy rows equal one-by-one generation in fp32.
"""

from __future__ import annotations

import inspect
import random
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

ROOM = 64
"""Tokens by which a full cache layer grows."""


@dataclass(frozen=True)
class Draw:
    """How a token is drawn from the logits; `temperature` 0 takes the best one."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0


@dataclass(frozen=True)
class Row:
    """One prompt and when its answer ends.

    `seed` fixes this row's draws, whatever its batch mates are. `done` is asked after every
    token with all tokens so far; `cancelled` is asked between tokens; `finished` gets the answer
    as soon as it ends, while the batch goes on.
    """

    ids: tuple[int, ...]
    max_new_tokens: int
    seed: int = 0
    done: Callable[[Sequence[int]], bool] | None = None
    cancelled: Callable[[], bool] | None = None
    finished: Callable[[Decoded], None] | None = None


@dataclass(frozen=True)
class Decoded:
    """The tokens of one answer, its end token included, and the clock (`time.perf_counter`,
    seconds) at which each was known."""

    ids: tuple[int, ...]
    times: tuple[float, ...]
    finish_reason: Literal["stop", "length"]


@dataclass
class _Live:
    """A row on its way."""

    row: Row
    draws: random.Random
    ids: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    end: Literal["stop", "length", "cancelled"] | None = None

    def take(self, token: int, now: float, eos_ids: Collection[int]) -> None:
        self.ids.append(token)
        self.times.append(now)
        if token in eos_ids or (self.row.done is not None and self.row.done(self.ids)):
            self.end = "stop"
        elif len(self.ids) >= self.row.max_new_tokens:
            self.end = "length"
        elif self.row.cancelled is not None and self.row.cancelled():
            self.end = "cancelled"
        if self.row.finished is not None and (answer := self.decoded()) is not None:
            self.row.finished(answer)

    def decoded(self) -> Decoded | None:
        if self.end is None or self.end == "cancelled":
            return None
        return Decoded(tuple(self.ids), tuple(self.times), self.end)


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


def next_tokens(logits: Any, draw: Draw, noise: Any) -> Any:
    """One token a row. `logits`: (batch, vocabulary); `noise`: (batch,) uniform in [0, 1).

    Inverse transform sampling, so that one number a row decides. Temperature, then top-k, then
    top-p (Holtzman et al. 2020: the smallest set of tokens whose probability reaches p).
    """
    if draw.temperature == 0:
        return logits.argmax(-1)
    scores, index = logits.float() / draw.temperature, None
    if 0 < draw.top_k < scores.shape[-1]:
        scores, index = scores.topk(draw.top_k)
    elif draw.top_p < 1:
        scores, index = scores.sort(descending=True)
    chances = scores.softmax(-1)
    if draw.top_p < 1:
        if index is None:
            chances, index = chances.sort(descending=True)
        chances = chances * (chances.cumsum(-1) - chances < draw.top_p)
    upto = chances.cumsum(-1)
    total = upto[:, -1:]
    # below the total even after rounding, so that a token without probability is never hit
    point = torch.minimum(noise[:, None].to(total) * total, torch.nextafter(total, total * 0))
    place = torch.searchsorted(upto, point, right=True)
    return (place if index is None else index.gather(-1, place))[:, 0]


class Decoder:
    """Decodes batches of rows with one model.

    `eos_ids`: every token that ends an answer; `pad_id`: any token, it is masked.
    """

    def __init__(self, model: Any, *, eos_ids: Collection[int], pad_id: int) -> None:
        self.model, self.eos_ids, self.pad_id = model, frozenset(eos_ids), pad_id
        accepted = inspect.signature(model.forward).parameters
        self._takes_positions = "position_ids" in accepted
        self._takes_keep = "logits_to_keep" in accepted
        # renamed in transformers 5.24
        self._cache_name = "cache" if "cache" in accepted else "past_key_values"

    def decode(self, rows: Sequence[Row], draw: Draw) -> list[Decoded | None]:
        """One answer a row, in their order; None for a row that was cancelled on the way.

        Raises:
            RuntimeError: as torch raises it, out of memory among them.
            FloatingPointError: the model's numbers overflow.
        """
        live = [_Live(row, random.Random(row.seed)) for row in rows]
        with torch.inference_mode():
            self._run(live, draw)
        return [each.decoded() for each in live]

    def _run(self, live: list[_Live], draw: Draw) -> None:
        ids, mask = self._padded([each.row for each in live])
        positions = (mask[:, : ids.shape[1]].cumsum(-1) - 1).clamp(min=0)
        cache, length = new_cache(self.model.config), ids.shape[1]
        while True:
            logits = self._logits(ids, mask[:, :length], positions, cache)
            if logits.isnan().any():
                raise FloatingPointError("the logits are not numbers: try backend.dtype=float32")
            noise = torch.tensor([each.draws.random() for each in live], device=logits.device)
            tokens = next_tokens(logits, draw, noise)
            now_known = tokens.tolist()
            now = time.perf_counter()
            for each, token in zip(live, now_known, strict=True):
                each.take(token, now, self.eos_ids)
            keep = [index for index, each in enumerate(live) if each.end is None]
            if not keep:
                return
            if len(keep) < len(live):
                rows = torch.tensor(keep, device=tokens.device)
                tokens, mask, positions = tokens[rows], mask[rows], positions[rows]
                cache.reorder_cache(rows)
                live = [live[index] for index in keep]
            ids, positions, length = tokens[:, None], positions[:, -1:] + 1, length + 1

    def _padded(self, rows: Sequence[Row]) -> tuple[Any, Any]:
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

    def _logits(self, ids: Any, mask: Any, positions: Any, cache: Any) -> Any:
        """(batch, vocabulary) logits after the last token of each row."""
        given: dict[str, Any] = {"input_ids": ids, "attention_mask": mask}
        if self._takes_positions:
            given["position_ids"] = positions
        if self._takes_keep:
            given["logits_to_keep"] = 1
        given[self._cache_name] = cache
        return self.model(use_cache=True, **given).logits[:, -1]


def is_out_of_memory(error: BaseException) -> bool:
    """Whether `error` is the device or the machine running out of memory."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    words = ("out of memory", "can't allocate memory", "not enough memory")
    return isinstance(error, RuntimeError) and any(word in str(error).lower() for word in words)


def free_memory() -> None:
    """Give back what a failed batch held on the device."""
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    elif torch.backends.mps.is_available():
        torch.mps.empty_cache()

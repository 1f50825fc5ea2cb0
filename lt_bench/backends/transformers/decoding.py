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

from lt_bench.backends.transformers.cache import join, joinable, new_cache
from lt_bench.backends.transformers.form import Form


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
    as soon as it ends, while the batch goes on. `form` makes what holds the answer to a schema.
    """

    ids: tuple[int, ...]
    max_new_tokens: int
    seed: int = 0
    done: Callable[[Sequence[int]], bool] | None = None
    cancelled: Callable[[], bool] | None = None
    finished: Callable[[Decoded], None] | None = None
    form: Callable[[], Form] | None = None


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
    form: Form | None = None

    def __post_init__(self) -> None:
        self.form = self.row.form() if self.row.form is not None else None

    def take(self, token: int, now: float, eos_ids: Collection[int]) -> None:
        self.ids.append(token)
        self.times.append(now)
        complete = self.form is not None and self.form.take(token)
        asked = self.row.done is not None and self.row.done(self.ids)
        if token in eos_ids or complete or asked:
            self.end = "stop"
        elif len(self.ids) >= self.row.max_new_tokens:
            self.end = "length"
        elif self.row.cancelled is not None and self.row.cancelled():
            self.end = "cancelled"
        if self.row.finished is not None and (answer := self.decoded()) is not None:
            self.row.finished(answer)

    def is_cancelled(self) -> bool:
        """Asks, and remembers a yes."""
        if self.end is None and self.row.cancelled is not None and self.row.cancelled():
            self.end = "cancelled"
        return self.end == "cancelled"

    def decoded(self) -> Decoded | None:
        if self.end is None or self.end == "cancelled":
            return None
        return Decoded(tuple(self.ids), tuple(self.times), self.end)


@dataclass(frozen=True)
class _Start:
    """After the prompts: (batch, vocabulary) logits, the cache, the (batch, width + answers) mask,
    and how wide the padded prompts are."""

    logits: Any
    cache: Any
    mask: Any
    width: int


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
        start = self._prefill(live)
        live = [each for each in live if each.end is None]
        if start is None:
            return
        logits, cache, mask = start.logits, start.cache, start.mask
        length = start.width
        positions = mask[:, :length].sum(-1, keepdim=True) - 1
        while True:
            if logits.isnan().any():
                raise FloatingPointError("the logits are not numbers: try backend.dtype=float32")
            for index, each in enumerate(live):
                if each.form is not None:
                    each.form.restrict(logits[index : index + 1])
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
            positions, length = positions + 1, length + 1
            logits = self._logits(tokens[:, None], mask[:, :length], positions, cache)

    def _prefill(self, live: Sequence[_Live]) -> _Start | None:
        """Reads the prompts. On a CPU one by one: no padding is computed, attention is causal
        without a mask, and a row's activations stay in the processor's cache. Elsewhere, and
        where layers keep less than all they saw, in one padded batch."""
        if self.model.device.type != "cpu" or not joinable(new_cache(self.model.config)):
            rows = [each.row for each in live]
            ids, mask = self._padded(rows)
            width, cache = ids.shape[1], new_cache(self.model.config)
            positions = (mask[:, :width].cumsum(-1) - 1).clamp(min=0)
            return _Start(self._logits(ids, mask[:, :width], positions, cache), cache, mask, width)
        alone = [self._read(each.row) for each in live if not each.is_cancelled()]
        kept = [each.row for each in live if each.end is None]
        if not kept:
            return None
        ids, mask = self._padded(kept)
        logits = torch.cat([logits for logits, _ in alone])
        return _Start(logits, join([cache for _, cache in alone]), mask, ids.shape[1])

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

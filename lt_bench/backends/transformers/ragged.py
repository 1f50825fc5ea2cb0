"""Rows of any length in one pass through a model, without padding.

The tokens of all rows stand in one line, (1, tokens). All that a model does to each token alone
runs over the whole line; only attention is done row by row, by a function of ours that transformers
calls in place of its own, as its continuous batching does. Models that do more between tokens than
that (state spaces, position biases, chunked attention) are found out by a trial.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch.nn.functional import linear, scaled_dot_product_attention
from transformers import DynamicCache
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from lt_bench.backends.transformers.cohort import Cohort
from lt_bench.backends.transformers.rows import Live, Row, start

log = logging.getLogger(__name__)

ATTENTION = "lt_bench_ragged"
CPU_TOKENS, GPU_TOKENS = 512, 8192
"""Tokens of prompts that are read in one pass; a longer prompt is read alone."""
VOCABULARY_BLOCK = 1024
"""Words whose logits a CPU computes together, so that their weights stay in its cache."""


class _Pass(Protocol):
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


_running: ContextVar[_Pass] = ContextVar("lt_bench_ragged_pass")


class Ragged:
    """One model that reads and continues rows of any length side by side."""

    def __init__(self, model: Any) -> None:
        self.model, self.device = model, model.device
        self.on_cpu = model.device.type == "cpu"
        self.column_bytes = 0
        self._keeps = "logits_to_keep" in inspect.signature(model.forward).parameters

    def cohort(self, rows: Sequence[Live]) -> Cohort:
        """A place for rows of similar length. Raises MemoryError where there is none left."""
        return Cohort(rows, self.device, self.column_bytes)

    def read(self, cohort: Cohort) -> Any:
        """(rows, vocabulary) logits after all tokens of every row."""
        most = CPU_TOKENS if self.on_cpu else GPU_TOKENS
        return torch.cat([self._read(part) for part in _parts(cohort, most)])

    def step(self, cohorts: Sequence[Cohort]) -> Any:
        """(rows, vocabulary) logits after the newest token of every row, cohort after cohort. Until
        the cohorts are told that they have `stepped`, it can be done again."""
        rows = [row for cohort in cohorts for row in cohort.rows]
        for cohort in cohorts:
            cohort.prepare()
        newest, places = [row.ids[-1] for row in rows], [row.length - 1 for row in rows]
        return self._logits(newest, places, None, _Step(cohorts))

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Within, the model attends row by row; after it, as before."""
        config, before = self.model.config, self.model.config._attn_implementation
        head = self.model.get_output_embeddings()
        ALL_ATTENTION_FUNCTIONS.register(ATTENTION, _attention)
        config._attn_implementation = ATTENTION
        blocks = self.on_cpu and type(head) is torch.nn.Linear
        try:
            if blocks:
                head.forward = lambda hidden: _in_blocks(head, hidden)
            yield
        finally:
            config._attn_implementation = before
            if blocks:
                del head.forward

    def _read(self, segments: Sequence[_Segment]) -> Any:
        ids = [token for each in segments for token in (*each.row.row.ids, *each.row.ids)]
        places = [place for each in segments for place in range(each.row.length)]
        ends = [each.start + each.row.length - 1 for each in segments]
        return self._logits(ids, places, ends, _Reading(segments))

    def _logits(
        self, ids: Sequence[int], places: Sequence[int], keep: Sequence[int] | None, seen: _Pass
    ) -> Any:
        """(kept, vocabulary) logits of one line of tokens."""
        given: dict[str, Any] = {"input_ids": self._line(ids), "position_ids": self._line(places)}
        wanted = None if keep is None else torch.tensor(keep, device=self.device)
        if self._keeps and wanted is not None:
            given["logits_to_keep"] = wanted
        token = _running.set(seen)
        try:
            logits = self.model(use_cache=False, **given).logits[0]
        finally:
            _running.reset(token)
        return logits if wanted is None or self._keeps else logits[wanted]

    def _line(self, numbers: Sequence[int]) -> Any:
        return torch.tensor([numbers], device=self.device)


@dataclass(frozen=True)
class _Segment:
    """A row that is read, from token `start` of its pass on."""

    cohort: Cohort
    place: int
    start: int

    @property
    def row(self) -> Live:
        return self.cohort.rows[self.place]


def _parts(cohort: Cohort, most: int) -> Iterator[list[_Segment]]:
    """The rows of a cohort in passes of at most `most` tokens."""
    part: list[_Segment] = []
    tokens = 0
    for place, row in enumerate(cohort.rows):
        if part and tokens + row.length > most:
            yield part
            part, tokens = [], 0
        part.append(_Segment(cohort, place, tokens))
        tokens += row.length
    yield part


@dataclass(frozen=True)
class _Reading:
    """Whole rows, each seen by itself only."""

    segments: Sequence[_Segment]
    bands: dict[tuple[int, int], Any] = field(default_factory=dict)

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
            own = slice(each.start, each.start + length)
            each.cohort.read(layer, each.place, keys[:, own], values[:, own])
            mask = None if window is None or length <= window else self._band(length, window, query)
            seen = scaled_dot_product_attention(
                query[None, :, own],
                keys[None, :, own],
                values[None, :, own],
                attn_mask=mask,
                is_causal=mask is None,
                scale=scale,
                enable_gqa=groups,
            )
            found.append(seen[0].transpose(0, 1))
        return torch.cat(found)

    def _band(self, length: int, window: int, like: Any) -> Any:
        """(length, length), True where a token sees another: the last `window`, itself included."""
        if (length, window) not in self.bands:
            whole = torch.ones((length, length), dtype=torch.bool, device=like.device)
            self.bands[length, window] = whole.tril().triu(1 - window)
        return self.bands[length, window]


@dataclass(frozen=True)
class _Step:
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


def _attention(
    module: Any, query: Any, key: Any, value: Any, _mask: Any = None, /, **given: Any
) -> tuple[Any, None]:
    """transformers' attention interface: (1, heads, tokens, dim) in, (1, tokens, heads, dim) out."""
    for name in ("softcap", "s_aux", "position_bias"):
        if given.get(name) is not None:
            raise NotImplementedError(name)
    window = given.get("sliding_window")
    scale = given.get("scaling")
    found = _running.get().attend(module.layer_idx, query[0], key[0], value[0], scale, window)
    return found[None], None


def _in_blocks(head: Any, hidden: Any) -> Any:
    """What `head`, a linear layer, gives. One product with a whole vocabulary streams the weights
    through the processor's cache too often."""
    biases = [None] if head.bias is None else head.bias.split(VOCABULARY_BLOCK)
    weights = head.weight.split(VOCABULARY_BLOCK)
    if len(biases) < len(weights):
        biases = [None] * len(weights)
    parts = [linear(hidden, block, bias) for block, bias in zip(weights, biases, strict=True)]
    return torch.cat(parts, -1)


# --- may this model be run so? ----------------------------------------------------------------


@dataclass
class _Listening:
    """A pass that notes what the layers ask for."""

    inner: _Pass
    windows: dict[int, int | None] = field(default_factory=dict)
    column_bytes: int = 0

    def attend(
        self,
        layer: int,
        query: Any,
        keys: Any,
        values: Any,
        scale: float | None,
        window: int | None,
    ) -> Any:
        self.windows[layer] = window
        self.column_bytes += keys[:, 0].nbytes + values[:, 0].nbytes
        return self.inner.attend(layer, query, keys, values, scale, window)


def ragged(model: Any) -> Ragged | None:
    """The model made ready for rows of any length; None where its attention cannot be ours, or where
    a layer asks for another window than the model's own cache has. What it does is to be tried."""
    if getattr(model.config, "_attn_implementation", None) != "sdpa":
        return None
    found = Ragged(model)
    try:
        return found if _windows_agree(found) else None
    except Exception:  # whatever a model's code makes of a line of rows
        log.debug("rows are padded: the model cannot do without", exc_info=True)
        return None


def _windows_agree(found: Ragged) -> bool:
    cohort = found.cohort([start(Row((0, 0), 1))])
    heard = _Listening(_Reading(next(_parts(cohort, 2))))
    with torch.inference_mode(), found.installed():
        found._logits((0, 0), (0, 1), [1], heard)
    found.column_bytes = heard.column_bytes
    layers = DynamicCache(config=found.model.config).layers
    kept = {place: getattr(layer, "sliding_window", None) for place, layer in enumerate(layers)}
    return heard.windows == kept

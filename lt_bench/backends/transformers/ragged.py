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
from typing import Any

import torch
from torch.nn.functional import linear
from transformers import DynamicCache
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from lt_bench.backends.transformers.cohort import Cohort
from lt_bench.backends.transformers.passes import Pass, Reading, Segment, Step, readings
from lt_bench.backends.transformers.rows import Live, Row, start

log = logging.getLogger(__name__)

ATTENTION = "lt_bench_ragged"
CPU_TOKENS, GPU_TOKENS = 512, 8192
"""Tokens of prompts that are read in one pass; a longer prompt is read alone."""
VOCABULARY_BLOCK = 1024
"""Words whose logits a CPU computes together, so that their weights stay in its cache."""


_running: ContextVar[Pass] = ContextVar("lt_bench_ragged_pass")


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
        found: dict[int, Any] = {}
        for part in readings(cohort, most):
            found.update(zip((each.place for each in part), self._read(part), strict=True))
        return torch.stack([found[place] for place in range(len(cohort.rows))])

    def step(self, cohorts: Sequence[Cohort]) -> Any:
        """(rows, vocabulary) logits after the newest token of every row, cohort after cohort. Until
        the cohorts are told that they have `stepped`, it can be done again."""
        rows = [row for cohort in cohorts for row in cohort.rows]
        for cohort in cohorts:
            cohort.prepare()
        newest, places = [row.ids[-1] for row in rows], [row.length - 1 for row in rows]
        return self._logits(newest, places, None, Step(cohorts))

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

    def _read(self, segments: Sequence[Segment]) -> Any:
        ids = [token for each in segments for token in each.tokens]
        places = [place for each in segments for place in range(each.shared, each.row.length)]
        ends = [each.start + each.row.length - each.shared - 1 for each in segments]
        return self._logits(ids, places, ends, Reading(segments))

    def _logits(
        self, ids: Sequence[int], places: Sequence[int], keep: Sequence[int] | None, seen: Pass
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

    inner: Pass
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
    heard = _Listening(Reading(next(readings(cohort, 2))))
    with torch.inference_mode(), found.installed():
        found._logits((0, 0), (0, 1), [1], heard)
    found.column_bytes = heard.column_bytes
    layers = DynamicCache(config=found.model.config).layers
    kept = {place: getattr(layer, "sliding_window", None) for place, layer in enumerate(layers)}
    return heard.windows == kept

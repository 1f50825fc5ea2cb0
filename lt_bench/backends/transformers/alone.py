"""Rows one after another: for models whose rows cannot stand side by side, and for rows that have
outgrown the length up to which they can."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from lt_bench.backends.transformers.cache import new_cache
from lt_bench.backends.transformers.drawing import take_next
from lt_bench.backends.transformers.memory import free_memory, is_out_of_memory
from lt_bench.backends.transformers.rows import Draw, Live, does_not_fit


@dataclass(frozen=True)
class Turn:
    """A length at which a model turns every token of a row another way than before, as "longrope"
    and "dynamic" rotary positions do: the rows of one pass would be turned by the longest. `anew`:
    what was read before is read again."""

    length: int
    anew: bool

    def may_reach(self, live: Live) -> bool:
        """Whether the row may still outgrow the length."""
        return len(live.row.ids) + live.row.max_new_tokens > self.length

    def leaves(self, live: Live) -> bool:
        """Whether the row must be decoded alone from now on. Where nothing is read anew, that is from
        its first token on: what was read before the turn must be what it would have been."""
        return live.length > self.length if self.anew else self.may_reach(live)


class Alone:
    """Decodes row by row. `cached`: the model's states are kept, else the whole text is read for
    every token, which any model can."""

    def __init__(
        self, model: Any, *, eos_ids: Collection[int], cached: bool = True, turn: Turn | None = None
    ) -> None:
        self.model, self.eos_ids, self.cached, self.turn = model, eos_ids, cached, turn
        accepted = inspect.signature(model.forward).parameters
        self._takes_positions = "position_ids" in accepted
        self._takes_keep = "logits_to_keep" in accepted
        self._cache_name = cache_name(model)

    def run(self, live: Sequence[Live], draw: Draw) -> None:
        """Decode every row to its end; one that memory does not suffice for fails.

        Raises:
            RuntimeError: as torch raises it, but for a lack of memory.
        """
        for each in live:
            if not self._fits(each, draw):
                # out of the handler: the traceback no longer holds the row's tensors
                free_memory()
                each.fail(does_not_fit(each.length))

    def _fits(self, live: Live, draw: Draw) -> bool:
        try:
            self._run(live, draw)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            return False
        return True

    def _run(self, live: Live, draw: Draw) -> None:
        cache, held = None, 0
        self._forget()
        while live.end is None and not live.is_cancelled():
            ids = [*live.row.ids, *live.ids]
            if not self.cached or cache is None or self._turns(held, len(ids)):
                cache, held = new_cache(self.model.config) if self.cached else None, 0
            take_next([live], self._logits(ids, held, cache), draw, self.eos_ids)
            held = len(ids)

    def _forget(self) -> None:
        """Some models keep states, or how positions are turned, in themselves and not in the cache. A
        text of one token leaves nothing of the row before."""
        self.model(
            input_ids=torch.zeros((1, 1), dtype=torch.long, device=self.model.device),
            use_cache=False,
        )

    def _turns(self, held: int, length: int) -> bool:
        return self.turn is not None and self.turn.anew and held <= self.turn.length < length

    def _logits(self, ids: Sequence[int], held: int, cache: Any) -> Any:
        """(1, vocabulary) logits after all of `ids`, the first `held` of which are in the cache. There
        is no padding, so no mask: some models read one wrongly."""
        device = self.model.device
        given: dict[str, Any] = {"input_ids": torch.tensor([ids[held:]], device=device)}
        if self._takes_positions:
            given["position_ids"] = torch.arange(held, len(ids), device=device)[None]
        if self._takes_keep:
            given["logits_to_keep"] = 1
        if cache is not None:
            given[self._cache_name] = cache
        return self.model(use_cache=cache is not None, **given).logits[:, -1]


def cache_name(model: Any) -> str:
    """The argument that takes the cache; it was renamed in transformers 5.24."""
    return "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"


def turn_of(model: Any) -> Turn | None:
    """The first length at which the model's rotary positions change, None where they never do."""
    found = [turn for module in model.modules() for turn in _turns(module)]
    return min(found, key=lambda turn: turn.length) if found else None


def _turns(module: Any) -> list[Turn]:
    kinds = getattr(module, "rope_type", None)
    if kinds is None:
        return []
    config = module.config
    parameters = getattr(config, "rope_parameters", None) or {}
    # a text for all layers, or one for each kind of layer
    layers = kinds if isinstance(kinds, dict) else {None: kinds}
    return [
        Turn(
            _original(config, parameters.get(layer, {}) if layer else parameters),
            anew=kind == "longrope",
        )
        for layer, kind in layers.items()
        if kind in ("longrope", "dynamic")
    ]


def _original(config: Any, parameters: Any) -> int:
    known = parameters.get("original_max_position_embeddings") or config.max_position_embeddings
    return int(known)

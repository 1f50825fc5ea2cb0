"""Token by token through a causal language model: many rows at once, each with its own end.

Rows stand in one line without padding where the model can be run so, else padded in batches. Greedy
rows equal one-by-one generation in fp32.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import torch

from lt_bench.backends.transformers.drawing import next_tokens
from lt_bench.backends.transformers.padded import Padded
from lt_bench.backends.transformers.ragged import Ragged, ragged
from lt_bench.backends.transformers.rows import Decoded, Draw, Live, More, Outcome, Row, start
from lt_bench.backends.transformers.slots import SLOTS, Slots

__all__ = ["Decoded", "Decoder", "Draw", "Outcome", "Row", "next_tokens"]


class Decoder:
    """Decodes rows with one model.

    `eos_ids`: every token that ends an answer; `pad_id`: any token, it is masked; `slots`: rows
    that decode at once. `continuous`: rows may join while others run.
    """

    def __init__(
        self, model: Any, *, eos_ids: Collection[int], pad_id: int, slots: int = SLOTS
    ) -> None:
        self.eos_ids, self.slots = frozenset(eos_ids), slots
        self._ragged = ragged(model)
        self._limit: int | None = None
        self._padded = Padded(model, eos_ids=eos_ids, pad_id=pad_id)
        self.continuous = self._ragged is not None
        if not self.continuous:
            self._padded.try_out()

    def decode(
        self, rows: Sequence[Row], draw: Draw, more: More | None = None
    ) -> list[Outcome | None]:
        """One outcome a row, in their order; None for a row that was cancelled on the way.

        `more`, where the decoder is continuous, brings further rows whose outcomes go to their
        `finished` alone.

        Raises:
            RuntimeError: as torch raises it. A continuous decoder goes on when the memory runs
                out; one that pads raises that too.
        """
        live = [start(row) for row in rows]
        with torch.inference_mode():
            if self._ragged is None:
                self._padded.run(live, draw)
            else:
                self._run(self._ragged, live, draw, more)
        return [each.outcome() for each in live]

    def _run(self, model: Ragged, live: Sequence[Live], draw: Draw, more: More | None) -> None:
        slots = Slots(
            model, eos_ids=self.eos_ids, draw=draw, size=self.slots, limit=self._limit, more=more
        )
        try:
            with model.installed():
                slots.run(live)
        finally:
            self._limit = slots.limit

"""Token by token through a causal language model: many rows at once, each with its own end.

Rows stand in one line without padding where the model can be run so, else padded in batches, else
one by one. Greedy rows equal one-by-one generation in fp32.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from typing import Any

import torch

from lt_bench.backends.transformers.alone import Alone, turn_of
from lt_bench.backends.transformers.drawing import next_tokens
from lt_bench.backends.transformers.padded import Padded
from lt_bench.backends.transformers.ragged import Ragged, ragged
from lt_bench.backends.transformers.rows import Decoded, Draw, Live, More, Outcome, Row, start
from lt_bench.backends.transformers.slots import SLOTS, Slots
from lt_bench.backends.transformers.trial import Way, trial

__all__ = ["Decoded", "Decoder", "Draw", "Outcome", "Row", "next_tokens"]

log = logging.getLogger(__name__)


class Decoder:
    """Decodes rows with one model.

    `eos_ids`: every token that ends an answer; `pad_id`: any token, it is masked; `slots`: rows
    that decode at once. `continuous`: rows may join while others run.
    """

    def __init__(
        self, model: Any, *, eos_ids: Collection[int], pad_id: int, slots: int = SLOTS
    ) -> None:
        self.model, self.slots = model, slots
        self.eos_ids, self.pad_id = frozenset(eos_ids), pad_id
        self._turn = turn_of(model)
        self._limit: int | None = None
        self._ragged = _tried_slots(model)
        self.continuous = self._ragged is not None
        self._padded = None if self.continuous else self._tried_padding()
        together = self.continuous or self._padded is not None
        cached = together or trial(model, Alone(model, eos_ids=()).run)
        self._alone = Alone(model, eos_ids=self.eos_ids, cached=cached, turn=self._turn)
        if not together:
            what = "" if cached else ", and their text is read again for every token"
            log.warning(
                "the model's answers change with padding: rows are decoded one by one%s", what
            )

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
            if self._ragged is not None:
                self._continue(self._ragged, live, draw, more)
            else:
                self._in_batches(live, draw)
        return [each.outcome() for each in live]

    def _continue(self, model: Ragged, live: Sequence[Live], draw: Draw, more: More | None) -> None:
        slots = Slots(
            model,
            eos_ids=self.eos_ids,
            draw=draw,
            size=self.slots,
            limit=self._limit,
            leaves=self._turn.leaves if self._turn else None,
            more=more,
        )
        try:
            with model.installed():
                slots.run(live)
        finally:
            self._limit = slots.limit
        self._alone.run(slots.outgrown, draw)

    def _in_batches(self, live: Sequence[Live], draw: Draw) -> None:
        together = [each for each in live if self._padded is not None and not self._may_turn(each)]
        if self._padded is not None:
            self._padded.run(together, draw)
        known = {id(each) for each in together}
        self._alone.run([each for each in live if id(each) not in known], draw)

    def _may_turn(self, live: Live) -> bool:
        return self._turn is not None and self._turn.may_reach(live)

    def _tried_padding(self) -> Padded | None:
        tried = Padded(self.model, eos_ids=(), pad_id=self.pad_id)
        if not trial(self.model, tried.run):
            return None
        return Padded(self.model, eos_ids=self.eos_ids, pad_id=self.pad_id)


def _tried_slots(model: Any) -> Ragged | None:
    """The model made ready for rows of any length, where its answers are the same so."""
    found = ragged(model)
    if found is None:
        return None
    agrees = trial(model, _slots_of(found))
    if not agrees:
        log.debug("rows are padded: the model's answers change without padding")
    return found if agrees else None


def _slots_of(model: Ragged) -> Way:
    def way(rows: Sequence[Live], draw: Draw) -> None:
        with model.installed():
            Slots(model, eos_ids=(), draw=draw, size=len(rows)).run(rows)

    return way

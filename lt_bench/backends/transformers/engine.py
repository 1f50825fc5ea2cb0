"""The worker behind the batcher: decodes what waits, and makes padded batches smaller when memory
runs out."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import torch

from lt_bench.backends.batcher import Batch, Ticket
from lt_bench.backends.transformers.decoding import Decoded, Decoder, Draw, Outcome, Row
from lt_bench.backends.transformers.memory import free_memory, is_out_of_memory
from lt_bench.backends.transformers.rows import does_not_fit
from lt_bench.errors import LtBenchError, RowError, RunError, first_line

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """A row to decode. Rows of one batch share one `draw`: it is the batcher's key."""

    row: Row
    draw: Draw


@dataclass(frozen=True)
class Answer:
    """The tokens of a row, and the clock (`time.perf_counter`) when it was taken up."""

    decoded: Decoded
    begun: float


JobTicket = Ticket[Job, Answer]


class Engine:
    """Decodes what the batcher brings; remembers which size was too much for the memory."""

    def __init__(self, decoder: Decoder) -> None:
        self.decoder = decoder
        self.too_much: int | None = None

    def __call__(self, tickets: Sequence[JobTicket]) -> list[Answer | LtBenchError]:
        """One answer or error a ticket, in their order. Of a `Batch` further tickets are taken
        while the first ones run, where the decoder can; they are answered one by one.

        Raises:
            RunError: the device failed; nothing more can be decoded.
        """
        begun = perf_counter()
        rows, draw = [_watched(ticket) for ticket in tickets], tickets[0].item.draw
        if isinstance(tickets, Batch) and self.decoder.continuous:
            found = self._continue(tickets, rows, draw)
        else:
            found = self._decode(rows, draw)
        return [each if isinstance(each, LtBenchError) else Answer(each, begun) for each in found]

    def _continue(
        self, batch: Batch[Job, Answer], rows: Sequence[Row], draw: Draw
    ) -> list[Decoded | LtBenchError]:
        def more(count: int) -> list[Row]:
            return [_watched(ticket) for ticket in batch.more(count)]

        try:
            return _settled(self.decoder.decode(rows, draw, more))
        except RuntimeError as error:
            _raise_unless_out_of_memory(error)
            raise

    def _decode(self, rows: Sequence[Row], draw: Draw) -> list[Decoded | LtBenchError]:
        """Rows in one batch if they fit, else in halves; a row that was cancelled or does
        not fit alone is an error of its own."""
        size = footprint(rows)
        if self.too_much is None or size < self.too_much or len(rows) == 1:
            try:
                return _settled(self.decoder.decode(rows, draw))
            except (RuntimeError, MemoryError) as error:
                _raise_unless_out_of_memory(error)
            # out of the handler: the traceback no longer holds the batch's tensors
            free_memory()
            if len(rows) == 1:
                return [does_not_fit(len(rows[0].ids))]
            self.too_much = size
            log.warning("out of memory with %d rows in a batch: trying half", len(rows))
        half = len(rows) // 2
        return self._decode(rows[:half], draw) + self._decode(rows[half:], draw)


def footprint(rows: Sequence[Row]) -> int:
    """Positions that a batch holds at most: rows times the longest prompt and answer."""
    return len(rows) * (max(len(row.ids) for row in rows) + max(row.max_new_tokens for row in rows))


def _watched(ticket: JobTicket) -> Row:
    """The ticket's row: it ends early once nobody waits for it, and is answered when it ends, so
    that a long neighbour does not keep a finished answer from the journal."""
    begun = perf_counter()

    def finished(outcome: Outcome) -> None:
        ticket.answer(outcome if isinstance(outcome, LtBenchError) else Answer(outcome, begun))

    return replace(ticket.item.row, cancelled=lambda: ticket.settled, finished=finished)


def _settled(found: Sequence[Outcome | None]) -> list[Decoded | LtBenchError]:
    return [each or RowError("model", "cancelled") for each in found]


def _raise_unless_out_of_memory(error: BaseException) -> None:
    """Let pass what a smaller batch may cure; a broken device ends the run."""
    if is_out_of_memory(error):
        return
    if isinstance(error, torch.AcceleratorError):
        raise RunError(
            f"the device failed: {first_line(error)}", "start the run again to resume it"
        ) from error
    raise error

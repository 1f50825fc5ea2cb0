"""The worker behind the batcher: decodes batches, and makes them smaller when memory runs out."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import torch

from lt_bench.backends.batcher import Ticket
from lt_bench.backends.transformers.decoding import (
    Decoded,
    Decoder,
    Draw,
    Row,
    free_memory,
    is_out_of_memory,
)
from lt_bench.errors import LtBenchError, RowError, RunError, first_line

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """A row to decode. Rows of one batch share one `draw`: it is the batcher's key."""

    row: Row
    draw: Draw


@dataclass(frozen=True)
class Answer:
    """The tokens of a row, and the clock (`time.perf_counter`) when its batch began."""

    decoded: Decoded
    begun: float


JobTicket = Ticket[Job, Answer]


class Engine:
    """Decodes what the batcher brings; remembers which size was too much for the memory."""

    def __init__(self, decoder: Decoder) -> None:
        self.decoder = decoder
        self.too_much: int | None = None

    def __call__(self, tickets: Sequence[JobTicket]) -> list[Answer | LtBenchError]:
        """One answer or error a ticket, in their order.

        Raises:
            RunError: the device failed; nothing more can be decoded.
        """
        begun = perf_counter()
        rows = [_watched(ticket, begun) for ticket in tickets]
        found = self._decode(rows, tickets[0].item.draw)
        return [each if isinstance(each, LtBenchError) else Answer(each, begun) for each in found]

    def _decode(self, rows: Sequence[Row], draw: Draw) -> list[Decoded | LtBenchError]:
        """Rows in one batch if they fit, else in halves; a row that was cancelled or does
        not fit alone is an error of its own."""
        size = footprint(rows)
        if self.too_much is None or size < self.too_much or len(rows) == 1:
            try:
                found = self.decoder.decode(rows, draw)
                return [each or RowError("model", "cancelled") for each in found]
            except (RuntimeError, MemoryError) as error:
                _raise_unless_out_of_memory(error)
            # out of the handler: the traceback no longer holds the batch's tensors
            free_memory()
            if len(rows) == 1:
                return [_does_not_fit(rows[0])]
            self.too_much = size
            log.warning("out of memory with %d rows in a batch: trying half", len(rows))
        half = len(rows) // 2
        return self._decode(rows[:half], draw) + self._decode(rows[half:], draw)


def footprint(rows: Sequence[Row]) -> int:
    """Positions that a batch holds at most: rows times the longest prompt and answer."""
    return len(rows) * (max(len(row.ids) for row in rows) + max(row.max_new_tokens for row in rows))


def _watched(ticket: JobTicket, begun: float) -> Row:
    """The ticket's row: it ends early once nobody waits for it, and is answered when it ends, so
    that a long neighbour does not keep a finished answer from the journal."""
    return replace(
        ticket.item.row,
        cancelled=lambda: ticket.settled,
        finished=lambda decoded: ticket.answer(Answer(decoded, begun)),
    )


def _does_not_fit(row: Row) -> RowError:
    return RowError(
        "out_of_memory",
        f"a prompt of {len(row.ids)} tokens does not fit into memory, even alone",
    )


def _raise_unless_out_of_memory(error: BaseException) -> None:
    """Let pass what a smaller batch may cure; a broken device ends the run."""
    if is_out_of_memory(error):
        return
    if isinstance(error, torch.AcceleratorError):
        raise RunError(
            f"the device failed: {first_line(error)}", "start the run again to resume it"
        ) from error
    raise error

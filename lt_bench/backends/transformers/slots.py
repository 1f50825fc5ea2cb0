"""Continuous slots: rows decode together, the finished leave, and waiting ones take their places."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from lt_bench.backends.transformers.cohort import ROOM, Cohort
from lt_bench.backends.transformers.drawing import take_next
from lt_bench.backends.transformers.memory import free_memory, is_out_of_memory
from lt_bench.backends.transformers.ragged import Ragged
from lt_bench.backends.transformers.rows import Draw, Live, More, does_not_fit, start

log = logging.getLogger(__name__)

SLOTS = 64
"""Rows that decode at once: with fewer the weights are read too often, with more a step takes long
and the memory for their states grows."""
CPU_COHORT, GPU_COHORT = 8, 32
"""Rows of a cohort: a CPU computes its padding, a GPU waits for each small product."""
CPU_SPREAD, GPU_SPREAD = 1.15, 2.0
"""The longest row of a cohort over its shortest."""


class Slots:
    """One running decode. `size`: rows at once; `limit`: positions that memory sufficed for, where
    it has run out before; `leaves`: tells of a row that it must not stand beside others any
    longer, it is left in `outgrown`; `more`: further rows to take in on the way."""

    def __init__(
        self,
        model: Ragged,
        *,
        eos_ids: Collection[int],
        draw: Draw,
        size: int,
        limit: int | None = None,
        leaves: Callable[[Live], bool] | None = None,
        more: More | None = None,
    ) -> None:
        self.model, self.eos_ids, self.draw = model, eos_ids, draw
        self.size, self.limit, self.more = size, limit, more
        self.leaves = leaves
        self.cohorts: list[Cohort] = []
        self.waiting: list[Live] = []
        self.outgrown: list[Live] = []

    @property
    def running(self) -> int:
        """Rows that decode now."""
        return sum(len(cohort.rows) for cohort in self.cohorts)

    @property
    def held(self) -> int:
        """Positions that memory is kept for."""
        return sum(cohort.held for cohort in self.cohorts)

    def run(self, rows: Sequence[Live]) -> None:
        """Decode `rows`, and what `more` brings, until none is left.

        Out of memory, the newest rows go back to wait, with what they have said so far, and no
        more than half of the positions are held from then on.

        Raises:
            RuntimeError: as torch raises it, but for a lack of memory.
        """
        self.waiting = list(rows)
        while True:
            self._refill()
            if not self.cohorts and not self.waiting:
                return
            if self.cohorts and not self._fits(self._step):
                self._retreat()
            self._leave()

    def _step(self) -> None:
        logits = self.model.step(self.cohorts)
        rows = [row for cohort in self.cohorts for row in cohort.rows]
        take_next(rows, logits, self.draw, self.eos_ids)
        # only now: where memory ran out before, the same column is written again
        for cohort in self.cohorts:
            cohort.stepped()

    def _leave(self) -> None:
        for cohort in self.cohorts:
            self.outgrown += [row for row in cohort.rows if self._outgrows(row)]
            cohort.drop(lambda row: row.end is not None or self._outgrows(row))
        self.cohorts = [cohort for cohort in self.cohorts if cohort.rows]

    def _refill(self) -> None:
        """Take waiting rows in. A few free slots are left empty: rows are better read together."""
        free = self.size - self.running
        if self.cohorts and free < max(1, self.size // 8):
            return
        if self.more is not None and free > len(self.waiting):
            self.waiting += map(start, self.more(free - len(self.waiting)))
        self.outgrown += [row for row in self.waiting if self._outgrows(row)]
        self.waiting = [
            row for row in self.waiting if not row.is_cancelled() and not self._outgrows(row)
        ]
        chosen = self._fitting(self.waiting[:free])
        del self.waiting[: len(chosen)]
        groups = list(self._groups(sorted(chosen, key=lambda row: row.length)))
        for place, group in enumerate(groups):
            if not self._fits(partial(self._admit, group)):
                self._put_back(group, [row for rest in groups[place + 1 :] for row in rest])
                break
        self._leave()

    def _outgrows(self, row: Live) -> bool:
        return self.leaves is not None and row.end is None and self.leaves(row)

    def _fitting(self, rows: Sequence[Live]) -> list[Live]:
        """The first of `rows` that the limit has room for; one at least where nothing runs."""
        if self.limit is None:
            return list(rows)
        room, chosen = self.limit - self.held, list[Live]()
        for row in rows:
            room -= row.length + ROOM
            if room < 0 and (self.cohorts or chosen):
                break
            chosen.append(row)
        return chosen

    def _groups(self, rows: Sequence[Live]) -> Iterator[list[Live]]:
        """Sorted rows cut into cohorts."""
        most = CPU_COHORT if self.model.on_cpu else GPU_COHORT
        spread = CPU_SPREAD if self.model.on_cpu else GPU_SPREAD
        group: list[Live] = []
        for row in rows:
            if group and (len(group) == most or row.length > spread * group[0].length):
                yield group
                group = []
            group.append(row)
        if group:
            yield group

    def _admit(self, group: Sequence[Live]) -> None:
        cohort = self.model.cohort(group)
        logits = self.model.read(cohort)
        take_next(cohort.rows, logits, self.draw, self.eos_ids)
        self.cohorts.append(cohort)

    def _fits(self, work: Callable[[], None]) -> bool:
        """Whether memory sufficed for `work`."""
        try:
            work()
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
        else:
            return True
        # out of the handler: the traceback no longer holds the tensors of the failed pass
        free_memory()
        return False

    def _put_back(self, group: Sequence[Live], rest: Sequence[Live]) -> None:
        """After `group` could not be read."""
        if len(group) == 1 and not self.cohorts:
            group[0].fail(does_not_fit(group[0].length))
            self.waiting[:0] = rest
            return
        self.waiting[:0] = [*group, *rest]
        self._halve(self.held + sum(row.length + ROOM for row in group))

    def _retreat(self) -> None:
        """After a step did not fit: the newest rows make room."""
        if self.running == 1:
            row = self.cohorts[0].rows[0]
            row.fail(does_not_fit(row.length))
            return
        limit = self._halve(self.held)
        while self.cohorts and self.held > limit:
            newest = min(self.cohorts, key=lambda cohort: len(cohort.rows[0].ids))
            self.cohorts.remove(newest)
            self.waiting[:0] = newest.rows

    def _halve(self, positions: int) -> int:
        self.limit = positions // 2
        log.warning(
            "out of memory with %d positions in %d rows: going on with half of that",
            positions,
            self.running,
        )
        return self.limit

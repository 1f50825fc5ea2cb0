"""Keeps what each draw of completions put out, and looks at it as the guards do."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final

from lt_bench.run.journal import Journal
from lt_bench.train.guards import Pilot
from lt_bench.train.monitor import Draw, Monitor, console, log_of
from lt_bench.train.recipe import GrpoStage
from lt_bench.train.rollouts import Rollout, cut_after
from lt_bench.train.stage import StageContext

ROLLOUTS: Final = "rollouts.jsonl"


class Bookkeeper:
    """Keeps the rollouts and figures of each draw, and looks at them as the guards do. Every process
    has one; only that of the main one writes."""

    def __init__(self, context: StageContext, stage: GrpoStage, done: int, *, main: bool) -> None:
        self._stage, self._done, self._main = stage, done, main
        self._rollouts = Journal(context.folder / ROLLOUTS, Rollout)
        self._log = log_of(context.log)
        self._pilot = Pilot(context.name, stage.guards, stage.rollouts.max_tokens)
        self._stack = ExitStack()
        self.monitor = self._monitor() if main else None

    def _monitor(self) -> Monitor:
        every = self._stage.guards.table_steps
        return Monitor(self._log, self._stage.rewards.weights, every, console())

    def keep(self, step: int, rollouts: Sequence[Rollout]) -> None:
        """Journals a draw, then judges whether it is worth going on.

        Raises:
            RunError: it is not, or the disk is full.
        """
        draw = Draw.of(rollouts, self._stage.rollouts.group, self._stage.rollouts.max_tokens)
        if self.monitor is not None:
            for one in rollouts:
                self._rollouts.append(one)
            self.monitor.drew(draw)
        self._pilot.watch(step, draw)

    def __enter__(self) -> Bookkeeper:
        if self._main:
            for journal in (self._rollouts, self._log):
                cut_after(journal.path, self._done)
                self._stack.enter_context(journal)
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

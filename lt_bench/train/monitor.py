"""What a reinforcement stage shows of itself: figures of each step in log.jsonl, and a reward table
on stderr every few steps."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from transformers import TrainerCallback

from lt_bench.errors import RunError
from lt_bench.records import Number, Record
from lt_bench.run.journal import Journal
from lt_bench.train.advantages import differ
from lt_bench.train.rollouts import Rollout

SHORT_THOUGHT: Final = 8
"""Tokens of thinking below which a completion hardly thought."""
BINS: Final = 8
"""Bars of the histogram of lengths, from 0 to the longest that may be."""
BARS: Final = " ▁▂▃▄▅▆▇█"
WIDTH: Final = 150
"""Columns of the table where stderr is no terminal."""
OF_TRL: Final = ("loss", "kl", "entropy", "grad_norm", "learning_rate", "aux_loss")
"""Figures that TRL logs and this log keeps."""


class Draw(Record):
    """Figures of the completions of one draw. Means are over those that were not dropped, `lengths`,
    `clipped` and `short_thoughts` over all. `histogram` counts lengths in bars of equal width; `calls`
    is the share of those with tools that called one, None where there were none."""

    completions: int
    dropped: int
    rewards: dict[str, Number]
    reward: Number | None
    groups: int
    equal_groups: int
    length: Number
    histogram: tuple[int, ...]
    clipped: Number
    short_thoughts: Number
    silence: str = ""
    calls: Number | None = None

    @classmethod
    def of(cls, rollouts: Sequence[Rollout], group: int, longest: int) -> Draw:
        """`longest`: tokens that a completion may have."""
        given = [one for one in rollouts if one.reward is not None]
        parts = [rollouts[at : at + group] for at in range(0, len(rollouts), group)]
        silent = next((one.silence for one in rollouts if one.reward is None), "")
        return cls(
            completions=len(rollouts),
            dropped=len(rollouts) - len(given),
            rewards=_means([one.rewards for one in given]),
            reward=_mean([one.reward for one in given if one.reward is not None]),
            groups=len(parts),
            equal_groups=sum(not differ([one.reward for one in part]) for part in parts),
            length=_mean([one.length for one in rollouts]) or 0.0,
            histogram=histogram([one.length for one in rollouts], longest),
            clipped=_mean([one.clipped for one in rollouts]) or 0.0,
            short_thoughts=_mean([one.thought < SHORT_THOUGHT for one in rollouts]) or 0.0,
            silence=silent,
            calls=_mean([one.called for one in rollouts if one.offered]),
        )

    @property
    def equal_share(self) -> float:
        """Share of the groups whose rewards do not differ: they teach nothing."""
        return self.equal_groups / self.groups


class Step(Record):
    """One line of log.jsonl. `draw` is None for a step on completions that an earlier one drew."""

    step: int
    seconds: Number
    figures: dict[str, Number]
    draw: Draw | None = None


def histogram(lengths: Sequence[int], longest: int) -> tuple[int, ...]:
    """Counts in `BINS` bars of equal width from 0 to `longest`, the last bar for all above too."""
    counts = Counter(min(length * BINS // max(longest, 1), BINS - 1) for length in lengths)
    return tuple(counts[bar] for bar in range(BINS))


def bars(counts: Sequence[int]) -> str:
    """A histogram as characters; a bar that is not empty shows."""
    most = max(counts, default=0)
    return "".join(
        BARS[math.ceil(count * (len(BARS) - 1) / most) if most else 0] for count in counts
    )


@dataclass
class Monitor(TrainerCallback):  # type: ignore[misc]
    """Writes a line a step and shows a table every `every` steps. The trainer tells each draw to
    `drew` before it logs the step that the draw serves first. Only the main process has one."""

    journal: Journal[Step]
    weights: Mapping[str, float]
    every: int
    console: Console | None = None
    steps: list[Step] = field(default_factory=list)
    _draw: Draw | None = None
    _since: float = field(default_factory=time.monotonic)

    def drew(self, draw: Draw) -> None:
        """Keeps the figures of a draw for the step about to be logged."""
        self._draw = draw

    def on_log(
        self,
        args: Any,  # noqa: ARG002
        state: Any,
        control: Any,  # noqa: ARG002
        logs: Mapping[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """One step is done; at its end a training logs once more, which is no step.

        Raises:
            RunError: the loss is no number any more, or the disk is full.
        """
        if logs is None or "loss" not in logs:
            return
        if not math.isfinite(float(logs["loss"])):
            raise RunError(
                f"the loss is {logs['loss']} at step {state.global_step}: the policy has come apart",
                "lower optimizer.learning_rate, or max_grad_norm; the earlier checkpoints are kept",
            )
        now = time.monotonic()
        figures = {name: float(logs[name]) for name in OF_TRL if _is_number(logs.get(name))}
        step = Step(
            step=state.global_step, seconds=now - self._since, figures=figures, draw=self._draw
        )
        self._draw, self._since = None, now
        self.journal.append(step)
        self.steps.append(step)
        if step.step % self.every == 0 or step.step == state.max_steps:
            self.show()

    def show(self) -> None:
        """The table of the steps since the last one was shown."""
        recent, self.steps = self.steps, []
        if self.console is not None and any(step.draw for step in recent):
            self.console.print(reward_table(recent, self.weights))


def console() -> Console:
    """Where tables go: stderr, wide enough for a table where it is no terminal."""
    found = Console(stderr=True, highlight=False)
    return found if found.is_terminal else Console(stderr=True, highlight=False, width=WIDTH)


def reward_table(steps: Sequence[Step], weights: Mapping[str, float]) -> Table:
    """One row of means over these steps."""
    draws = [step.draw for step in steps if step.draw is not None]
    total = sum(draw.completions for draw in draws)
    table = Table(box=None, pad_edge=False, header_style="bold")
    first, last = steps[0].step, steps[-1].step
    called = [draw.calls for draw in draws if draw.calls is not None]
    cells = {
        "step": f"{last}" if first == last else f"{first}-{last}",
        "reward": _shown(_mean([draw.reward for draw in draws if draw.reward is not None])),
        **{name: _shown(_means([d.rewards for d in draws]).get(name)) for name in weights},
        "tokens": f"{_mean([draw.length for draw in draws]) or 0.0:.1f}",
        "lengths": bars([sum(bar) for bar in zip(*(d.histogram for d in draws), strict=True)]),
        "clipped": f"{_mean([draw.clipped for draw in draws]) or 0.0:.0%}",
        "equal groups": f"{sum(d.equal_groups for d in draws)}/{sum(d.groups for d in draws)}",
        "short thoughts": f"{_mean([draw.short_thoughts for draw in draws]) or 0.0:.0%}",
        "dropped": f"{sum(draw.dropped for draw in draws)}/{total}",
        **({"calls": f"{_mean(called):.0%}"} if called else {}),
        "KL": _shown(_figure(steps, "kl"), 4),
        "entropy": _shown(_figure(steps, "entropy")),
        "s/step": f"{_mean([step.seconds for step in steps]) or 0.0:.1f}",
    }
    for name in cells:
        table.add_column(name, justify="left" if name in ("step", "lengths") else "right")
    table.add_row(*cells.values())
    return table


def log_of(path: Path) -> Journal[Step]:
    """The journal of a stage's steps."""
    return Journal(path, Step)


def _figure(steps: Sequence[Step], name: str) -> float | None:
    return _mean([step.figures[name] for step in steps if name in step.figures])


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each name over the rows that have it."""
    names = dict.fromkeys(name for row in rows for name in row)
    found = {name: _mean([row[name] for row in rows if name in row]) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _shown(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)

"""The reward is the score: completions of the policy put to the very scorers of `lt-bench eval`.

TRL asks for each reward by itself, with the completions of one step. All of them are read and scored
once, the rows of a judge at the same time, and every reward gives its column of what was found.

A completion that lacks one of its rewards gives None in every column: TRL leaves such a row out of
its group's mean and deviation and sets its advantage to 0. None in one column alone would shrink its
sum, as if the silent judge had said 0.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any, Final

from lt_bench.errors import LtBenchError, UsageError, did_you_mean
from lt_bench.records import Example, Sample, SampleKey, Score
from lt_bench.run.backlog import Backlog
from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.scorers import Judging, Metric, Scorer, score_sample
from lt_bench.task import Task
from lt_bench.text.tool_calls import form_for
from lt_bench.train.advantages import combined
from lt_bench.train.blank import is_blank
from lt_bench.train.completions import Asked, CompletionReader
from lt_bench.train.guards import Unscored
from lt_bench.train.lengths import LengthBudget, length_reward
from lt_bench.train.playing import Seat
from lt_bench.train.rollouts import Rollout

LENGTH: Final = "length"
"""The reward that no scorer gives."""


@dataclass(frozen=True)
class LengthRule:
    """The budget and what it is a share of: L_ref of an example, or of all (`mean`)."""

    budget: LengthBudget
    mean: float
    by_input: Mapping[str, float] | None = None

    def reward(self, one: Rollout) -> float:
        """r_length of a completion. Thinking for just long enough and then saying nothing earns
        nothing: a completion without a reply has no good length."""
        if is_blank(one.generation.reply):
            return 0.0
        own = self.mean if self.by_input is None else self.by_input[one.example_id]
        return length_reward(one.length, own, self.budget)


def rewarding(task: Task, judging: Judging, names: Sequence[str]) -> tuple[Scorer, ...]:
    """The scorers of a task that give these rewards.

    Raises:
        UsageError: a reward is no score of the task.
    """
    scorers = task.scorers(judging=judging)
    known = [metric.name for scorer in scorers for metric in scorer.metrics]
    for name in names:
        if name != LENGTH and name not in known:
            raise UsageError(
                f"reward {name!r} is no score of task {task.spec.name}.{did_you_mean(name, known)}",
                f"known: {LENGTH}, {', '.join(known)}",
            )
    return tuple(one for one in scorers if any(metric.name in names for metric in one.metrics))


def rewardable(scorers: Sequence[Scorer], names: Sequence[str], example: Example) -> bool:
    """Whether a reply to this row can have every reward: a row without gold facts has none of them."""
    wanted: list[tuple[Scorer, Metric]] = [
        (scorer, metric) for scorer in scorers for metric in scorer.metrics if metric.name in names
    ]
    return all(scorer.applies(metric, example) for scorer, metric in wanted)


class Scorekeeper:
    """Scores the completions of a step, once for all rewards. `fault` is what keeps the judge from
    answering at all; the step's completions are then without scores.

    The judge's models are opened by the first step, on the loop that asks them, and closed by `close`
    on the same loop.
    """

    def __init__(
        self,
        task: Task,
        judge: JudgeChoice,
        asked: Sequence[Asked],
        reader: CompletionReader,
        weights: Mapping[str, float],
        length: LengthRule | None,
    ) -> None:
        # The models of a choice belong to the loop that opened them: these are opened anew.
        self._judge = replace(judge)
        self._asked, self.reader = asked, reader
        self.weights, self._length = dict(weights), length
        self.scorers = rewarding(task, self._judge.judging, tuple(weights))
        self.fault: Unscored | None = None
        self._step: tuple[object, asyncio.Task[list[Rollout]]] | None = None
        self._found: list[Rollout] = []
        self._open: AsyncExitStack | None = None

    @property
    def columns(self) -> list[RewardColumn]:
        """One reward function a weight, in the order of the weights."""
        return [RewardColumn(name, self) for name in self.weights]

    async def of(
        self,
        completion_ids: Sequence[Sequence[int]],
        rows: Sequence[int],
        played: Sequence[Seat] | None = None,
    ) -> list[Rollout]:
        """The scored completions of a step, or the dialogues that were `played`; whoever asks for the
        same step waits for the same work."""
        if self._step is None or self._step[0] is not completion_ids:
            if played is None:
                read = [self._read(ids, row) for ids, row in zip(completion_ids, rows, strict=True)]
            else:
                read = [_played(seat) for seat in played]
            self._step = (completion_ids, asyncio.ensure_future(self._score(read, rows)))
        self._found = await self._step[1]
        return self._found

    def take(self) -> list[Rollout]:
        """What the last step found, in the order of its completions; the next step begins anew."""
        found, self._found, self._step = self._found, [], None
        return found

    async def close(self) -> None:
        """Closes the judge's models."""
        if self._open is not None:
            await self._open.aclose()
            self._open = None

    async def _score(self, read: Sequence[Rollout], rows: Sequence[int]) -> list[Rollout]:
        scored: list[tuple[Score, ...]] = [()] * len(read)

        async def judge(place: int) -> None:
            scored[place] = await self._scores(read[place], rows[place])

        try:
            async with Backlog(await self._at_once()) as backlog:
                for place in range(len(read)):
                    await backlog.add(judge, place)
        except LtBenchError as error:
            # told to every process: an error of another kind might not arrive whole
            self.fault = Unscored(error.cause, error.fix)
        return [self._rewarded(one, scores) for one, scores in zip(read, scored, strict=True)]

    async def _at_once(self) -> int:
        """How many completions are judged at once; opens the judge's models."""
        if self._open is None:
            stack = AsyncExitStack()
            await stack.enter_async_context(self._judge.opened())
            self._open = stack
        panel = self._judge.judging.panel
        return panel.concurrency if panel else 1

    def _read(self, ids: Sequence[int], row: int) -> Rollout:
        asked = self._asked[row]
        form = "none" if asked.prompt is None else form_for(asked.prompt, "auto")
        generation = self.reader.read(ids, asked.rendered, form)
        return Rollout(example_id=asked.example.id, length=len(ids), generation=generation)

    async def _scores(self, one: Rollout, row: int) -> tuple[Score, ...]:
        key = SampleKey(example_id=one.example_id, sample_index=one.index, request_sha="")
        sample = Sample(key=key, status=one.generation.status, generation=one.generation)
        example = self._asked[row].example
        scores: list[Score] = []
        for scorer in self.scorers:
            scores += await score_sample(scorer, example, sample)
        return tuple(scores)

    def _rewarded(self, one: Rollout, scores: tuple[Score, ...]) -> Rollout:
        """The rollout with all of its rewards, or with none as soon as one is missing."""
        given = {s.name: s.value for s in scores if s.name in self.weights and s.value is not None}
        rewards = dict(given)
        if self._length is not None and LENGTH in self.weights:
            rewards[LENGTH] = self._length.reward(one)
        whole = rewards.keys() == self.weights.keys()
        update = {
            "scores": scores,
            "rewards": rewards if whole else {},
            "reward": combined(rewards, self.weights) if whole else None,
        }
        return one.model_copy(update=update)


def _played(seat: Seat) -> Rollout:
    assert seat.generation is not None
    example = seat.asked.example
    return Rollout(
        example_id=example.id,
        length=seat.length,
        generation=seat.generation,
        offered=bool(example.tools),
    )


class RewardColumn:
    """One reward, as TRL asks for it."""

    def __init__(self, name: str, keeper: Scorekeeper) -> None:
        self.__name__ = name
        self._keeper = keeper

    async def __call__(
        self,
        *,
        completion_ids: Sequence[Sequence[int]],
        row: Sequence[int],
        played: Sequence[Seat] | None = None,
        **_: Any,
    ) -> list[float | None]:
        """One value a completion; None for those that are dropped."""
        found = await self._keeper.of(completion_ids, row, played)
        return [one.rewards.get(self.__name__) for one in found]

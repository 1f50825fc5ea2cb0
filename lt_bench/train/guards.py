"""Stops a stage that cannot learn before it has used up its hours, and says why."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from lt_bench.config import JudgeSettings
from lt_bench.errors import RunError
from lt_bench.train.monitor import Draw
from lt_bench.train.recipe import Guards

log = logging.getLogger(__name__)


class Unscored(RunError):
    """Nobody scores: the judge's fault and not the policy's, whose steps so far are good."""


@dataclass
class Pilot:
    """Watches the draws of a stage. `name` and `max_tokens` are the stage's, for the fix; after the
    first `guards.pilot` steps only a step that nobody scored ends it."""

    name: str
    guards: Guards
    max_tokens: int
    seen: list[Draw] = field(default_factory=list)

    def watch(self, step: int, draw: Draw) -> None:
        """Looks at the draw of a step, counted from 1.

        Raises:
            Unscored: nothing was scored.
            RunError: the pilot steps show that nothing can be learnt.
        """
        if draw.dropped == draw.completions:
            raise Unscored(
                f"stage {self.name}: no completion of step {step} could be scored: {draw.silence}",
                "mend the judge, then run the same command again: it goes on from its last checkpoint",
            )
        if step > self.guards.pilot:
            return
        self.seen.append(draw)
        if step == 1:
            self._warn(draw)
        if step == self.guards.pilot:
            self._decide()

    def _warn(self, draw: Draw) -> None:
        """What the pilot would stop for is said as soon as it shows."""
        if draw.clipped > self.guards.clipped:
            log.warning(
                "stage %s: %.0f %% of the completions of step 1 were cut at %d tokens",
                *(self.name, 100 * draw.clipped, self.max_tokens),
            )
        if draw.equal_groups == draw.groups:
            log.warning("stage %s: no group of step 1 has rewards that differ", self.name)
        if draw.calls == 0:
            log.warning("stage %s: no completion of step 1 calls a tool", self.name)

    def _decide(self) -> None:
        pilot = f"of the first {self.guards.pilot} steps"
        cut = sum(draw.clipped * draw.completions for draw in self.seen)
        share = cut / sum(draw.completions for draw in self.seen)
        flat = all(draw.equal_groups == draw.groups for draw in self.seen)
        if share > self.guards.clipped:
            also = ", and no group has rewards that differ" if flat else ""
            raise RunError(
                f"stage {self.name}: {share:.0%} of the completions {pilot} were cut at "
                f"{self.max_tokens} tokens{also}: the policy never comes to its answer",
                f"raise rollouts.max_tokens above {self.max_tokens}, train the parent to end, "
                "or allow it with guards.clipped",
            )
        if all(draw.calls == 0 for draw in self.seen):
            raise RunError(
                f"stage {self.name}: no completion {pilot} calls a tool: what is learnt is to do "
                "without them",
                "look at rollouts.jsonl: the parent must call in a form that is read (hermes, rlla, "
                "llama3); train it on dialogues with calls first, or set guards.pilot: 0",
            )
        if flat:
            raise RunError(
                f"stage {self.name}: in no group {pilot} do the rewards differ (mean "
                f"{self._mean:.2f}): there is nothing to learn from",
                self._remedy,
            )

    @property
    def _mean(self) -> float:
        given = [draw.reward for draw in self.seen if draw.reward is not None]
        return sum(given) / len(given) if given else 0.0

    @property
    def _remedy(self) -> str:
        if self._mean < 0.05:
            return (
                "start from a parent that is right now and then (an rft stage), and look at "
                "rollouts.jsonl: the judge may read none of its replies"
            )
        return (
            "raise rollouts.temperature or rollouts.group, take harder rows or a tighter "
            "rewards.length: all replies to a question earn the same"
        )


def family(judge: JudgeSettings) -> tuple[str, ...]:
    """Whose taste a judge has: the makers' names of its models, or its rules."""
    if not judge.models:
        return (f"the judge {judge.name}" if judge.name else "the task's own judge",)
    return tuple(sorted({_maker(model) for model in judge.models}))


def _maker(model: str) -> str:
    """ "qwen" for hf/Qwen/Qwen3-8B and openai/qwen3-max."""
    name = model.rstrip("/").rpartition("/")[2].lower()
    letters = "".join(char if char.isalpha() else " " for char in name).split()
    return letters[0] if letters else name


def one_family(reward: JudgeSettings, evaluation: JudgeSettings) -> str | None:
    """A warning where the policy would be evaluated by whom it learnt to please, else None."""
    shared = sorted(set(family(reward)) & set(family(evaluation)))
    if not shared:
        return None
    return (
        f"{', '.join(shared)} gave the rewards and would also judge the candidate, which may have "
        "learnt its taste: evaluate it with a judge of another family too"
    )

"""Whether one trajectory passes, and if not, why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from lt_bench.records import Note, Sample, Scored, Turn
from lt_bench.train.blank import is_blank
from lt_bench.train.recipe import SftStage, needs_thoughts

Refusal = Literal[
    "no_answer",
    "provider_refused",
    "truncated",
    "no_reply",
    "malformed_call",
    "thinking_missing",
    "thinking_malformed",
    "below",
    "judge_unparsed",
    "judge_refused",
    "judge_error",
    "not_applicable",
    "not_chosen",
]
"""Why a trajectory is not in the corpus. `malformed_call`: a call in it cannot be read; `below`: a score is too low; the four after it: a score has no
value, with the reason it gives; `not_chosen`: it passed, and another of its input was taken."""

MALFORMED: Final[frozenset[Note]] = frozenset(
    ("several_blocks", "leaked_channels", "unknown_family", "unclosed_stop", "unclosed_length")
)
"""Notes of an answer whose thought and reply cannot be told apart for certain."""


@dataclass(frozen=True)
class Passed:
    """A trajectory that passed."""

    sample: Sample
    turns: tuple[Turn, ...]
    scores: Mapping[str, float | None]


@dataclass(frozen=True)
class Why:
    reason: Refusal
    score: str = ""

    def told(self, admit: Mapping[str, float]) -> str:
        """ "helpfulness below 1", "correctness unscored (judge_error)", "truncated"."""
        if not self.score:
            return self.reason
        if self.reason == "below":
            return f"{self.score} below {admit[self.score]:g}"
        return f"{self.score} unscored ({self.reason})"


def judged(stage: SftStage, sample: Sample, scored: Scored | None) -> tuple[Turn, ...] | Why:
    """The answers of a trajectory that passes, or why it does not."""
    turns = _target(sample, thinks=needs_thoughts(stage))
    if isinstance(turns, Why) or stage.kind == "sft":
        return turns
    by_name = {score.name: score for score in scored.scores} if scored else {}
    for name, least in stage.admit.items():
        score = by_name.get(name)
        if score is None or score.value is None:
            reason = score.reason if score else None
            silent = reason if reason and reason != "no_answer" else "not_applicable"
            return Why(silent, name)
        if score.value < least:
            return Why("below", name)
    return turns


def _target(sample: Sample, *, thinks: bool) -> tuple[Turn, ...] | Why:
    """The answers of a trajectory that could be a target, or why it could not. `thinks`: each needs a
    thought, properly marked."""
    generation = sample.generation
    if generation is None:
        return Why("provider_refused" if sample.status == "refused" else "no_answer")
    turns = generation.turns
    if sample.status == "truncated":
        return Why("truncated")
    if is_blank(turns[-1].reply) and not turns[-1].tool_calls:
        return Why("no_reply")
    if any(call.malformed is not None for turn in turns for call in turn.tool_calls):
        return Why("malformed_call")
    if thinks and any(is_blank(turn.reasoning or "") for turn in turns):
        return Why("thinking_missing")
    if thinks and any(MALFORMED.intersection(turn.notes) for turn in turns):
        return Why("thinking_malformed")
    return turns

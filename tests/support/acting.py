"""Dialogues of a builder as the generations that a model would leave, and their scores."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from lt_bench.builders.base import ActedTurn
from lt_bench.environments import open_world
from lt_bench.records import Example, Generation, Turn
from lt_bench.scorers.base import Judging, ScoringContext
from lt_bench.scorers.tools import ToolScorer

FAULTS = ("over_calling", "under_calling")
"""Metrics of which 0 is best."""


def generation_of(example: Example, acted: Sequence[ActedTurn]) -> Generation:
    """The turns, and the state that their calls really leave in a fresh world."""
    assert example.world is not None
    with open_world(example.world) as world:
        for turn in acted:
            for call in turn.calls:
                world.call(call.name, call.arguments)
        state = world.state_sha()
    turns = (
        Turn(
            reasoning=turn.thought,
            reply=turn.reply,
            tool_calls=turn.calls,
            tool_results=turn.results,
            finish_reason="tool_calls" if turn.calls else "stop",
            usage=None,
        )
        for turn in acted
    )
    return Generation(turns=tuple(turns), end_state_sha=state)


def scores_of(example: Example, acted: Sequence[ActedTurn]) -> dict[str, float]:
    """Every metric of the scorer `tools` that applies."""
    scorer = ToolScorer(ScoringContext("", None, None, {}, Judging()), {})
    scores = asyncio.run(scorer.score(example, generation_of(example, acted)))
    return {score.name: score.value for score in scores if score.value is not None}

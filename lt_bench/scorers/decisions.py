"""The first thing an agent decides: whether a call is needed at all."""

from __future__ import annotations

from typing import NamedTuple

from lt_bench.records import CallsGold, Example, Generation


class Decision(NamedTuple):
    """Whether the row needs a call, and whether one was made, however well."""

    needed: bool
    called: bool


def decision_of(example: Example, generation: Generation) -> Decision | None:
    """The decision of one sample; None on rows whose gold does not say what is needed."""
    needed = needs_call(example)
    if needed is None:
        return None
    return Decision(needed, any(turn.tool_calls for turn in generation.turns))


def needs_call(example: Example) -> bool | None:
    """Whether a row needs a call; None where its gold does not say."""
    gold = example.gold
    return bool(gold.calls) or gold.type == "call" if isinstance(gold, CallsGold) else None


def undecided(gold: CallsGold) -> bool:
    """Whether gold wants a call and does not say which."""
    return gold.type == "call" and not gold.calls

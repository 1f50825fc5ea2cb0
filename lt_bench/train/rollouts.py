"""Rollouts: what the policy put out in a step, how it was scored, and the journal that keeps it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import orjson
from pydantic import Field

from lt_bench.errors import RunError
from lt_bench.records import Generation, Number, Record, Score
from lt_bench.run.disk import cannot_write


class Rollout(Record):
    """One line of rollouts.jsonl: completion `index` of the group of an example in `step` (counted
    from 1). `rewards` by name and their weighted sum `reward`; None where a score was not to be had:
    such a completion is dropped, its advantage is 0 and it has no part in its group's mean. `offered`:
    there were tools to call; `length` counts what the policy wrote, in all turns."""

    step: int = 0
    example_id: str
    index: int = 0
    length: int
    generation: Generation
    scores: tuple[Score, ...] = ()
    rewards: dict[str, float] = Field(default_factory=dict)
    reward: Number | None = None
    advantage: Number = 0.0
    offered: bool = False

    @property
    def clipped(self) -> bool:
        """Whether a cap cut it: that of the tokens of an answer, of a dialogue's turns or its room."""
        last = self.generation.turns[-1]
        caps = {"turns_exhausted", "context_full"}
        return last.finish_reason == "length" or not caps.isdisjoint(last.notes)

    @property
    def called(self) -> bool:
        """Whether it called a tool."""
        return any(turn.tool_calls for turn in self.generation.turns)

    @property
    def thought(self) -> int:
        """Tokens of its thinking, in all turns."""
        counted = (turn.usage for turn in self.generation.turns)
        return sum((usage.reasoning or 0) if usage else 0 for usage in counted)

    @property
    def silence(self) -> str:
        """Why it was dropped: the first score that nobody gave, and what was said instead."""
        for score in self.scores:
            if score.reason not in (None, "not_applicable"):
                said = score.verdict.rationale if score.verdict else ""
                return f"{score.name}: {score.reason}" + (f" ({said[:160]})" if said else "")
        return "no score"


def cut_after(path: Path, step: int) -> None:
    """Drops the lines of later steps, which a killed process did and a resumed one does again.
    Lines stand in the order of their `step`.

    Raises:
        RunError: the file cannot be read or cut.
    """
    try:
        if path.exists():
            os.truncate(path, _end_of(path, lambda line: int(line["step"]) <= step))
    except OSError as error:
        raise cannot_write(path, error) from error


def _end_of(path: Path, keeps: Callable[[dict[str, int]], bool]) -> int:
    """Length of the file up to the first line not to be kept, or the first that is no whole one."""
    end = 0
    with path.open("rb") as file:
        for number, text in enumerate(file, 1):
            if not text.endswith(b"\n"):
                break
            try:
                if not keeps(orjson.loads(text)):
                    break
            except (ValueError, KeyError, TypeError) as error:
                raise RunError(
                    f"{path}, line {number} is no line of a step", "delete it and repeat"
                ) from error
            end += len(text)
    return end

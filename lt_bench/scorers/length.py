"""How long an answer is: characters for every model alike, and the length reward of training."""

from __future__ import annotations

import json
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from lt_bench.config import Config, digest, validate
from lt_bench.records import Example, Generation, JudgeStamp, Score, Turn
from lt_bench.scorers.base import Metric, ScoringContext, measured

VERSION = 1
OUTPUT_CHARS = Metric("output_chars", "cost", "characters", higher_is_better=False)
R_LENGTH = Metric("r_length", "quality", "share")

ToleranceUnit = Literal["relative", "tokens"]
"""What a tolerance of 0.1 is a tenth of: `relative`, of the reference length; `tokens`, of one
token, which makes the reward all but a step."""


def length_reward(
    length: float,
    reference: float,
    upper: float = 0.5,
    lower: float = 0.4,
    tolerance: float = 0.1,
    unit: ToleranceUnit = "relative",
) -> float:
    """1 within [lower, upper] times the reference length, falling linearly to 0 outside.

    LiveThinking, length reward: r = max(0, 1 - d / tolerance), d the distance from the interval.
    length, reference: output tokens, markup and EOS included; the reference comes from the student
    after RFT. With unit `relative`, d is divided by the reference first; with `tokens` it is not.

    Raises:
        ValueError: a reference or tolerance of 0 or less, a negative length, or lower > upper.
    """
    if reference <= 0 or tolerance <= 0 or length < 0 or not 0 <= lower <= upper:
        raise ValueError(
            f"no length reward for length {length}, reference {reference}, "
            f"bounds {lower} to {upper}, tolerance {tolerance}"
        )
    deviation = max(lower * reference - length, length - upper * reference, 0.0)
    scale = tolerance * reference if unit == "relative" else tolerance
    return max(0.0, 1.0 - deviation / scale)


class LengthOptions(Config):
    """Options of the `length` entry of a task.yaml. With a `reference` (mean output tokens of the
    model to compress) the score `r_length` is given too."""

    reference: float | None = Field(default=None, gt=0)
    upper: float = Field(default=0.5, gt=0)
    lower: float = Field(default=0.4, ge=0)
    tolerance: float = Field(default=0.1, gt=0)
    unit: ToleranceUnit = "relative"

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.lower > self.upper:
            raise ValueError(f"lower {self.lower} is above upper {self.upper}")
        return self


class LengthScorer:
    """Characters of all that a model wrote, and its length reward where a reference is set."""

    judges: ClassVar[dict[str, JudgeStamp]] = {}

    def __init__(self, context: ScoringContext, options: dict[str, Any]) -> None:
        self.options = validate(LengthOptions, options, "scorer length")
        self.metrics = (OUTPUT_CHARS, R_LENGTH) if self.options.reference else (OUTPUT_CHARS,)

    def applies(self, metric: Metric, example: Example) -> bool:
        """Every row has these."""
        return True

    @property
    def sha(self) -> str:
        """Changes with the options."""
        return digest(["length", VERSION, self.options.model_dump(mode="json")])

    @property
    def remarks(self) -> dict[str, str]:
        """The interval and the unit of the tolerance behind `r_length`."""
        if self.options.reference is None:
            return {}
        options = self.options
        bounds = f"{options.lower:g} to {options.upper:g} of {options.reference:g} tokens"
        return {"r_length": f"{bounds}, tolerance {options.tolerance:g} ({options.unit})"}

    async def score(self, example: Example, generation: Generation) -> tuple[Score, ...]:
        """`output_chars`, and `r_length` where a reference is set."""
        scores = (measured("output_chars", output_chars(generation)),)
        if self.options.reference is None:
            return scores
        return (*scores, measured("r_length", self._reward(generation, self.options.reference)))

    def _reward(self, generation: Generation, reference: float) -> float | None:
        usage, options = generation.usage, self.options
        if usage is None:
            return None
        return length_reward(
            usage.output,
            reference,
            options.upper,
            options.lower,
            options.tolerance,
            options.unit,
        )


def output_chars(generation: Generation) -> int | None:
    """Code points of reasoning, replies and tool calls over all turns, without the tags around
    them, so that servers that strip tags and engines that show them are measured alike. None when
    a provider bills reasoning that it does not show."""
    lengths = [_turn_chars(turn) for turn in generation.turns]
    known = [length for length in lengths if length is not None]
    return sum(known) if len(known) == len(lengths) else None


def _turn_chars(turn: Turn) -> int | None:
    hidden = turn.reasoning is None and turn.usage is not None and turn.usage.reasoning
    if hidden:
        return None
    calls = sum(
        len(call.name) + len(json.dumps(call.arguments, ensure_ascii=False, separators=(",", ":")))
        for call in turn.tool_calls
    )
    return len(turn.reasoning or "") + len(turn.reply) + calls

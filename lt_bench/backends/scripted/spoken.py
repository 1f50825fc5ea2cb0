"""What a model of a script says: words and calls, after a trace, to which end, at which price, how late."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, StrictInt, StrictStr, model_validator

from lt_bench.backends.scripted.asked import Asked
from lt_bench.config import Config

LONGEST_DELAY: Final = 3600.0


class Figures(Config):
    """Tokens that the model says it used."""

    prompt: Annotated[StrictInt, Field(ge=0)] | None = None
    output: Annotated[StrictInt, Field(ge=0)]
    reasoning: Annotated[StrictInt, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _part_of_the_whole(self) -> Self:
        if (self.reasoning or 0) > self.output:
            raise ValueError("`reasoning` is part of `output` and cannot be more")
        return self


class Call(Config):
    """One tool call. `arguments` may be the text that the model writes, JSON or not."""

    name: Annotated[StrictStr, Field(min_length=1)]
    arguments: dict[str, Any] | StrictStr = Field(default_factory=dict)


class Manner(Config):
    """How words are spoken: after a trace, to which end, at which price, how late. Seconds: `delay`
    until the answer is whole, within it `first_token` and `first_spoken`, the first of the reply."""

    reasoning: StrictStr | None = None
    finish_reason: Literal["stop", "length", "content_filter"] | None = None
    usage: Figures | None = None
    delay: Annotated[float, Field(ge=0.0, le=LONGEST_DELAY)] = 0.0
    first_token: Annotated[float, Field(ge=0.0)] | None = None
    first_spoken: Annotated[float, Field(ge=0.0)] | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        known = [at for at in (self.first_token, self.first_spoken) if at is not None]
        if known != sorted(known) or any(at > self.delay for at in known):
            raise ValueError("`first_token` and `first_spoken` come in this order, within `delay`")
        return self

    def saying(self, text: str) -> Spoken:
        """These words in this manner."""
        return Spoken(
            text=text,
            reasoning=self.reasoning,
            finish_reason=self.finish_reason,
            usage=self.usage,
            delay=self.delay,
            first_token=self.first_token,
            first_spoken=self.first_spoken,
        )


class Spoken(Manner):
    """Words, tool calls, or a trace alone."""

    text: StrictStr = ""
    tool_calls: tuple[Call, ...] = ()

    def given(self, _: Asked) -> Spoken:
        return self

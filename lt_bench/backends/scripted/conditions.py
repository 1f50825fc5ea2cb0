"""When a rule of a script applies: all of its conditions must hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictInt, StrictStr, model_validator

from lt_bench.backends.scripted.asked import Asked
from lt_bench.backends.scripted.patterns import Expression, found
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError, did_you_mean

BLOCKS: Final = ("DOCUMENT", "HISTORY", "ASKED_BY", "QUESTION", "REPLY", "CLAIMS")
"""Names of the blocks that a judge's prompt may have."""


def listed(value: Any) -> Any:
    """One thing as a list of one."""
    return value if isinstance(value, list | tuple) else [value]


def _ids(value: Any) -> Any:
    """Ids as strings; YAML reads 12 as a number."""
    whole = [isinstance(one, int) and not isinstance(one, bool) for one in listed(value)]
    return [str(one) if number else one for one, number in zip(listed(value), whole, strict=True)]


Words = Annotated[
    tuple[Annotated[StrictStr, Field(min_length=1)], ...],
    BeforeValidator(listed),
    Field(min_length=1),
]
Ids = Annotated[
    tuple[Annotated[StrictStr, Field(min_length=1)], ...],
    BeforeValidator(_ids),
    Field(min_length=1),
]
Attempts = Annotated[
    tuple[Annotated[StrictInt, Field(ge=1)], ...], BeforeValidator(listed), Field(min_length=1)
]
Samples = Annotated[
    tuple[Annotated[StrictInt, Field(ge=0)], ...], BeforeValidator(listed), Field(min_length=1)
]


def _known(name: str) -> str:
    if name not in BLOCKS:
        raise ValueError(
            f"no judge's prompt has a block {name!r}.{did_you_mean(name.upper(), BLOCKS)} "
            f"Known: {', '.join(BLOCKS)}"
        )
    return name


class BlockCondition(Config):
    """Holds where a block of this name in a judge's prompt has all the words of `contains` and
    `matches` the expression; without both, where there is such a block at all."""

    name: Annotated[str, AfterValidator(_known)]
    contains: Words | None = None
    matches: Expression | None = None

    def holds(self, asked: Asked) -> bool:
        """Whether one block satisfies everything."""
        texts = asked.parts.named(self.name)
        return any(_has(text, self.contains, self.matches) for text in texts)


class When(Config):
    """Conditions on a request. `contains` and `matches` look at the whole prompt; `example`,
    `attempt` and `sample` list what is meant; `share` picks that part of all that is asked by a
    hash of the first prompt, and another part for each `salt`."""

    contains: Words | None = None
    matches: Expression | None = None
    block: tuple[BlockCondition, ...] | None = None
    example: Ids | None = None
    attempt: Attempts | None = None
    sample: Samples | None = None
    share: Annotated[float, Field(ge=0.0, le=1.0)] | None = None
    salt: str = ""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_fields_set - {"salt"}:
            raise ValueError("no condition; leave `when` out of the last rule to make it the rest")
        if self.salt and self.share is None:
            raise ValueError("`salt` belongs to `share`")
        return self

    def holds(self, asked: Asked) -> bool:
        """Whether all conditions do."""
        request = asked.request
        return (
            (self.example is None or request.example_id in self.example)
            and (self.sample is None or request.sample_index in self.sample)
            and (self.attempt is None or asked.attempt.number in self.attempt)
            and (self.share is None or asked.luck(self.salt) < self.share)
            and _has(asked.text, self.contains, self.matches)
            and all(block.holds(asked) for block in self.block or ())
        )


def when_of(data: Mapping[str, Any], where: str) -> When:
    """The conditions that a script writes down.

    Raises:
        UsageError: an unknown condition, or a value that does not fit.
    """
    if "block" not in data:
        return validate(When, data, where)
    conditions = []
    for one in listed(data["block"]):
        if not isinstance(one, Mapping):
            raise UsageError(
                f"{where}: block: {one!r} says no name", "write block: {name: REPLY, contains: …}"
            )
        conditions.append(validate(BlockCondition, one, f"{where}, block"))
    return validate(When, {**data, "block": conditions}, where)


def _has(text: str, words: tuple[str, ...] | None, pattern: str | None) -> bool:
    return all(word in text for word in words or ()) and (pattern is None or found(pattern, text))

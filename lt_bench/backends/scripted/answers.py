"""What a rule of a script answers: in the end words, spoken in some manner, or a fault."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, Protocol, Self

from pydantic import Field, StrictInt, StrictStr, model_validator

from lt_bench.backends.scripted.asked import Asked
from lt_bench.backends.scripted.gullible import told
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError, did_you_mean

LONGEST_DELAY: Final = 3600.0
GARBAGE: Final = (
    "I would rather not say anything about this one.",
    "Let me think about it step by step. First of all, the documents",
    '{"',
    "{}",
    "null",
    "<html><body>502 Bad Gateway</body></html>",
    "\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER} \u200b ????",
    "[[90]]",
)
"""Texts that are no verdict in any answer form."""


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
    """One tool call."""

    name: Annotated[StrictStr, Field(min_length=1)]
    arguments: dict[str, Any] = Field(default_factory=dict)


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


class Verdict(Manner):
    """A JSON object, written compactly."""

    verdict: dict[str, Any]

    def given(self, _: Asked) -> Spoken:
        return self.saying(_compact(self.verdict))


class Silence(Manner):
    """An empty answer."""

    silence: Literal[True]

    def given(self, _: Asked) -> Spoken:
        return self.saying("")


class Garbage(Manner):
    """A text that is no verdict; equal prompts get the same."""

    garbage: Literal[True]

    def given(self, asked: Asked) -> Spoken:
        return self.saying(GARBAGE[asked.one_of(len(GARBAGE))])


class Fault(Config):
    """No answer but a failure of this kind, after `delay` seconds."""

    fault: Literal[
        "rate_limited", "timeout", "server", "connection", "malformed", "empty", "content_filter"
    ]
    delay: Annotated[float, Field(ge=0.0, le=LONGEST_DELAY)] = 0.0

    def given(self, _: Asked) -> Fault:
        return self


class ObeyForm(Config):
    """`obey` as a script writes it."""

    obey: Literal[True]
    otherwise: Any


class Answer(Protocol):
    """Any of the forms."""

    def given(self, asked: Asked) -> Spoken | Fault:
        """What it comes to for one request."""
        ...


@dataclass(frozen=True)
class Obey:
    """A judge that believes its data: where the reply tells it what to answer it answers that."""

    otherwise: Answer

    def given(self, asked: Asked) -> Spoken | Fault:
        field = asked.parts.field
        orders = (told(reply, field) for reply in asked.parts.named("REPLY"))
        order = next((order for order in orders if order is not None), None)
        return self.otherwise.given(asked) if order is None else Spoken(text=order)


@dataclass(frozen=True)
class InTurn:
    """An answer for each attempt; the last one repeats."""

    answers: tuple[Answer, ...]

    def given(self, asked: Asked) -> Spoken | Fault:
        return self.answers[min(asked.attempt.number, len(self.answers)) - 1].given(asked)


Form = Spoken | Verdict | Silence | Garbage | Fault
FORMS: Final[dict[str, type[Form]]] = {
    "verdict": Verdict,
    "silence": Silence,
    "garbage": Garbage,
    "fault": Fault,
}
"""Key -> the form that it makes of a mapping."""
KEYS: Final = ("text", *FORMS, "obey", "tool_calls", "reasoning")


def answer_of(data: Any, where: str) -> Answer:
    """The answer that a script writes down.

    Raises:
        UsageError: it is of no form, an unknown key, or a value that does not fit.
    """
    if isinstance(data, str):
        return Spoken(text=data)
    if isinstance(data, list) and data and not any(isinstance(one, list) for one in data):
        steps = enumerate(data, 1)
        return InTurn(tuple(answer_of(one, f"{where}, attempt {number}") for number, one in steps))
    if isinstance(data, Mapping):
        return _form(data, where)
    raise UsageError(
        f"{where}: {_shown(data)} is no answer",
        'write a text ("true" in quotes), a mapping such as {verdict: {correct: true}}, or a list '
        "of these, one an attempt",
    )


def _form(data: Mapping[Any, Any], where: str) -> Answer:
    if "obey" in data:
        form = validate(ObeyForm, data, where)
        return Obey(answer_of(form.otherwise, f"{where}, otherwise"))
    if not any(key in data for key in KEYS):
        near = next((hint for key in data if (hint := did_you_mean(str(key), KEYS))), "")
        raise UsageError(f"{where}: says nothing.{near}", f"give one of {', '.join(KEYS)}")
    kind: type[Form] = next((FORMS[key] for key in FORMS if key in data), Spoken)
    answer = validate(kind, _with_parts(data, where), where)
    if isinstance(answer, Verdict):
        _writable(answer.verdict, f"{where}, verdict")
    return answer


def _with_parts(data: Mapping[Any, Any], where: str) -> dict[Any, Any]:
    """The mapping with its inner mappings validated, so that errors name their keys."""
    found = dict(data)
    if isinstance(data.get("usage"), Mapping):
        found["usage"] = validate(Figures, data["usage"], f"{where}, usage")
    if isinstance(data.get("tool_calls"), list):
        found["tool_calls"] = [
            validate(Call, one, f"{where}, tool_calls") if isinstance(one, Mapping) else one
            for one in data["tool_calls"]
        ]
        for call in found["tool_calls"]:
            if isinstance(call, Call):
                _writable(call.arguments, f"{where}, arguments of {call.name}")
    return found


def _writable(value: dict[str, Any], where: str) -> None:
    try:
        _compact(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise UsageError(
            f"{where}: cannot be written as JSON: {error}", "use what JSON has: no .nan, no loops"
        ) from error


def _compact(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

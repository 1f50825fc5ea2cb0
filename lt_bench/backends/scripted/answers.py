"""What a rule of a script answers: in the end words, spoken in some manner, or a fault."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Protocol

from pydantic import Field, StrictStr

from lt_bench.backends.scripted.agents import GoldAgent, RandomAgent, rows_of
from lt_bench.backends.scripted.asked import Asked
from lt_bench.backends.scripted.gullible import told
from lt_bench.backends.scripted.spoken import LONGEST_DELAY, Call, Figures, Manner, Spoken
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError, did_you_mean

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


class AgentForm(Config):
    """`agent` as a script writes it."""

    agent: Literal["gold", "random"]
    data: StrictStr | None = None
    task: StrictStr | None = None
    pace: Literal["together", "one_by_one"] = "together"
    salt: str = ""


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
KEYS: Final = ("text", *FORMS, "obey", "agent", "tool_calls", "reasoning")


def answer_of(data: Any, where: str, folder: Path = Path()) -> Answer:
    """The answer that a script in `folder` writes down.

    Raises:
        UsageError: it is of no form, an unknown key, or a value that does not fit.
    """
    if isinstance(data, str):
        return Spoken(text=data)
    if isinstance(data, list) and data and not any(isinstance(one, list) for one in data):
        steps = enumerate(data, 1)
        return InTurn(
            tuple(answer_of(one, f"{where}, attempt {number}", folder) for number, one in steps)
        )
    if isinstance(data, Mapping):
        return _form(data, where, folder)
    raise UsageError(
        f"{where}: {_shown(data)} is no answer",
        'write a text ("true" in quotes), a mapping such as {verdict: {correct: true}}, or a list '
        "of these, one an attempt",
    )


def _form(data: Mapping[Any, Any], where: str, folder: Path) -> Answer:
    if "obey" in data:
        form = validate(ObeyForm, data, where)
        return Obey(answer_of(form.otherwise, f"{where}, otherwise", folder))
    if "agent" in data:
        return _agent(validate(AgentForm, data, where), where, folder)
    if not any(key in data for key in KEYS):
        near = next((hint for key in data if (hint := did_you_mean(str(key), KEYS))), "")
        raise UsageError(f"{where}: says nothing.{near}", f"give one of {', '.join(KEYS)}")
    kind: type[Form] = next((FORMS[key] for key in FORMS if key in data), Spoken)
    answer = validate(kind, _with_parts(data, where), where)
    if isinstance(answer, Verdict):
        _writable(answer.verdict, f"{where}, verdict")
    return answer


def _agent(form: AgentForm, where: str, folder: Path) -> Answer:
    if form.agent == "gold":
        file = rows_of(form.data, form.task, folder, where)
        return GoldAgent(file, together=form.pace == "together")
    for key in ("data", "task", "pace"):
        if key in form.model_fields_set:
            raise UsageError(f"{where}: {key} is for the gold agent", "leave it out")
    return RandomAgent(form.salt)


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
            if isinstance(call, Call) and isinstance(call.arguments, dict):
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

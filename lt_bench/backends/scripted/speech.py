"""Words of a script as the turn of a model."""

from __future__ import annotations

import json
import re
from typing import Final

from lt_bench.backends.base import Request
from lt_bench.backends.scripted.spoken import Call, Spoken
from lt_bench.backends.spans import OffsetSpans
from lt_bench.backends.turn import turn_from_fields, turn_from_text
from lt_bench.records import FinishReason, Timings, ToolCall, Turn, Usage
from lt_bench.text.tool_calls import form_for, object_of

WORD: Final = re.compile(r"\S+")


def turn_of(spoken: Spoken, request: Request, counts_words: bool, seconds: float) -> Turn:
    """The turn, with stop strings applied and thinking taken apart as for any model.

    Tokens are what the script gives; else words, where it says so; else nobody counted.
    """
    timings = Timings(
        first_token=spoken.first_token, first_reply_token=spoken.first_spoken, total=seconds
    )
    calls = tuple(
        _called(f"call_{number}", call) for number, call in enumerate(spoken.tool_calls, 1)
    )
    form = form_for(request.prompt, "auto")
    if counts_words and not (spoken.usage or spoken.reasoning or calls):
        return turn_from_text(
            spoken.text,
            finish_reason=_finish(spoken),
            prompt_tokens=_prompt_words(request),
            spans=OffsetSpans([word.start() for word in WORD.finditer(spoken.text)]),
            counted_by="tokenizer",
            stop=request.sampling.stop,
            tool_form=form,
            timings=timings,
            notes=("retokenized",),
        )
    counted = counts_words and spoken.usage is None
    return turn_from_fields(
        reasoning=spoken.reasoning,
        content=spoken.text,
        finish_reason=_finish(spoken),
        usage=_words(spoken, calls, request) if counted else _given(spoken),
        stop=request.sampling.stop,
        timings=timings,
        tool_calls=calls,
        tool_form=form,
        notes=("retokenized",) if counted else (),
    )


def _called(name: str, call: Call) -> ToolCall:
    given = call.arguments
    arguments = object_of(given) if isinstance(given, str) else given
    malformed = str(given) if arguments is None else None
    return ToolCall(id=name, name=call.name, arguments=arguments or {}, malformed=malformed)


def _finish(spoken: Spoken) -> FinishReason:
    return spoken.finish_reason or ("tool_calls" if spoken.tool_calls else "stop")


def _given(spoken: Spoken) -> Usage | None:
    if spoken.usage is None:
        return None
    figures = spoken.usage
    return Usage(
        prompt=figures.prompt,
        output=figures.output,
        reasoning=figures.reasoning,
        counted_by="provider",
    )


def _words(spoken: Spoken, calls: tuple[ToolCall, ...], request: Request) -> Usage:
    """Words of trace, reply and calls, which are fields of their own."""
    reasoning, reply = _count(spoken.reasoning or ""), _count(spoken.text)
    written = [
        call.malformed or f"{call.name} {json.dumps(call.arguments, ensure_ascii=False)}"
        for call in calls
    ]
    markup = sum(map(_count, written))
    return Usage(
        prompt=_prompt_words(request),
        output=reasoning + reply + markup,
        reasoning=reasoning,
        reply=reply,
        markup=markup,
        counted_by="tokenizer",
    )


def _prompt_words(request: Request) -> int:
    return sum(_count(message.content) for message in request.prompt.messages)


def _count(text: str) -> int:
    return len(WORD.findall(text))

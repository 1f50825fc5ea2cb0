"""The turn behind a server's answer, the same however it was carried."""

from __future__ import annotations

from collections.abc import Sequence

from lt_bench.backends.counts import counted
from lt_bench.backends.openai.wire import Answer
from lt_bench.backends.turn import turn_from_fields
from lt_bench.records import Timings, Turn


def turn_of(
    answer: Answer, stop: Sequence[str], family: str, timings: Timings, tool_form: str = "none"
) -> Turn:
    """`stop` strings end the reply; `family` names the tags that are left around the thinking, and
    `tool_form` the form of calls that are left in the text."""
    thought, content = bool(answer.reasoning), answer.content
    if thought and content is not None:
        # What a server leaves between the trace it cut out and the reply belongs to neither,
        # and must not be taken for a stop string.
        content = content.lstrip()
    spoke = bool(answer.content or answer.reasoning or answer.tool_calls)
    return turn_from_fields(
        reasoning=answer.reasoning,
        content=content,
        finish_reason=answer.finish_reason,
        usage=counted(answer.usage, spoke=spoke, thought=thought),
        stop=stop,
        timings=timings,
        tool_calls=answer.tool_calls,
        tool_form=tool_form,
        family=family,
    )

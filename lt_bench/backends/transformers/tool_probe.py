"""Whether a chat template can be given tools: tried out with a call that is easy to find again.

A template that shows no tools, or teaches a form of calls that is not read, would give a model that
never calls, without a word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, Protocol

from lt_bench.records import Message, ToolCall
from lt_bench.text import split_reasoning
from lt_bench.text.tool_calls import take_calls

CALL: Final = ToolCall(id="probe0001", name="probe_tool", arguments={"probe_key": "probe value"})
OTHER: Final = CALL.model_copy(update={"id": "probe0002", "arguments": {"probe_key": "another"}})
ASKED: Final = (Message(role="user", content="Is it in stock?"),)
CALLED: Final = (*ASKED, Message(role="assistant", tool_calls=(CALL,)))
CALLED_TWICE: Final = (*ASKED, Message(role="assistant", tool_calls=(CALL, OTHER)))
TOLD: Final = (*CALLED, Message(role="tool", content="probe result", tool_call_id=CALL.id))
TOOL: Final[dict[str, Any]] = {
    "type": "function",
    "function": {
        "name": CALL.name,
        "description": "probe description",
        "parameters": {
            "type": "object",
            "properties": {"probe_key": {"type": "string", "description": "a key"}},
            "required": ["probe_key"],
        },
    },
}
_ENDS = re.compile(r"(?:\s{0,8}(?:<[|｜][^<>|｜]{1,40}[|｜]>|</s>|<end_of_turn>|<eos>))+\s*\Z")
"""The tokens that a template writes after an answer."""
_START: Final = "<|start|>"


class Apply(Protocol):
    """The template: messages and tools as text. `ask`: with what has the model answer."""

    def __call__(
        self, messages: Sequence[Message], tools: Sequence[dict[str, Any]], ask: bool = True
    ) -> str: ...


def knows_tools(apply: Apply, *, by_heart: bool = False) -> bool:
    """Whether it shows tools and results, and calls in a form that `take_calls` reads. `by_heart`: the
    model knows its tools and need not be shown them.

    Raises:
        whatever the template raises.
    """
    whole = apply(TOLD, (TOOL,))
    shown = by_heart or "probe description" in whole
    if not shown or "probe result" not in whole:
        return False
    return _read_back(apply(ASKED, (TOOL,)), apply(CALLED, (TOOL,), False)) == [CALL.arguments]


def knows_several(apply: Apply) -> bool:
    """Whether it shows all calls of one turn: Llama 3's refuses several, gpt-oss's shows the first.

    Raises:
        whatever the template raises.
    """
    found = _read_back(apply(ASKED, (TOOL,)), apply(CALLED_TWICE, (TOOL,), False))
    return found == [CALL.arguments, OTHER.arguments]


def _read_back(asking: str, answered: str) -> list[dict[str, Any]]:
    """Arguments of the calls with which `answered` goes on after `asking`, but for a thought that only
    one of them opens."""
    pairs = enumerate(zip(asking, answered, strict=False))
    shorter = min(len(asking), len(answered))
    same = answered[: next((at for at, (one, other) in pairs if one != other), shorter)]
    begun = max(same.rfind("\n"), same.rfind(">")) + 1
    if same[:begun].endswith(_START):  # who is called stands beside who speaks
        begun -= len(_START)
    answer = _ENDS.sub("", answered[begun:])
    called = take_calls(split_reasoning(answer)).called
    return [one.call.arguments for one in called if one.call.name == CALL.name]

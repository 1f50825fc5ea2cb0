"""Tools told in words, for models whose chat template has no place for them.

The form is the one of Hermes and Qwen: the tools stand in the system message, a call is JSON between
<tool_call> tags in the assistant's words, and results are a user's message in <tool_response> tags.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from lt_bench.records import Message, Prompt, ToolCall

BY_HEART: Final = "{#- tools: by heart -#}"
"""Begins the chat template of a model that was taught its tools and is not shown them: one of a closed
vocabulary. Calls and results it must write down."""

_INSTRUCTIONS: Final = """You can call tools. Each line between these tags describes one of them, as JSON:
<tools>
{tools}
</tools>

To call a tool, write its name and its arguments as JSON between tags. Several calls are several blocks:
<tool_call>
{{"name": "NAME OF THE TOOL", "arguments": {{"NAME OF A PARAMETER": "VALUE"}}}}
</tool_call>

Then stop. What the tools return comes in the next message, between <tool_response> and </tool_response>. When you need no tool, answer in plain words, without these tags."""


def told_in_words(prompt: Prompt) -> Prompt:
    """The same prompt without any tool, call or result that a template would have to know of."""
    system, rest = list[str](), list(prompt.messages)
    while rest and rest[0].role == "system":
        system.append(rest.pop(0).content)
    system.append(instructions(prompt.tools))
    head = Message(role="system", content="\n\n".join(part for part in system if part))
    return Prompt(messages=(head, *_in_words(rest)))


def instructions(tools: Sequence[Mapping[str, Any]]) -> str:
    """What a model must know to call these tools."""
    return _INSTRUCTIONS.format(tools="\n".join(_json(tool) for tool in tools))


def calls_in_words(calls: Sequence[ToolCall]) -> str:
    """Calls as the model is asked to write them."""
    return "\n".join(
        f"<tool_call>\n{_json({'name': call.name, 'arguments': call.arguments})}\n</tool_call>"
        for call in calls
    )


def result_in_words(content: str) -> str:
    """What a tool returned."""
    return f"<tool_response>\n{content}\n</tool_response>"


def _in_words(messages: Sequence[Message]) -> Iterator[Message]:
    """Results that follow one another are one message, since many templates want the roles in turn."""
    results = list[str]()
    for message in messages:
        if message.role == "tool":
            results.append(result_in_words(message.content))
            continue
        if results:
            yield Message(role="user", content="\n".join(results))
            results = []
        if not message.tool_calls:
            yield message
            continue
        parts = (message.content, calls_in_words(message.tool_calls))
        words = "\n".join(part for part in parts if part)
        yield message.model_copy(update={"content": words, "tool_calls": ()})
    if results:
        yield Message(role="user", content="\n".join(results))


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)

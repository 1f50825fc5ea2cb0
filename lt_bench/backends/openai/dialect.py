"""How one server wants to be asked: the request body, and what is left out after it objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import orjson

from lt_bench.backends.openai.rejection import Rejection
from lt_bench.config import Sampling
from lt_bench.errors import UsageError
from lt_bench.records import Message, Prompt, ToolCall

RESERVED = {
    "model": "it is the name after openai/",
    "messages": "they come from the task",
    "tools": "they come from the task",
    "stream": "use backend.stream",
    "stream_options": "use backend.stream",
    "stop": "use sampling.stop, which is not looked for inside the thinking",
    "n": "use --samples",
}
"""Fields that lt-bench sets itself, and where each is set instead."""

SAMPLING_FIELDS = ("temperature", "top_p", "top_k", "seed")
"""Fields that are the same in every row, so that a server which refuses one refuses them all."""

OBJECTIONS = ("unsupported", "not supported", "not support", "instead", "not compatible", "unknown")


@dataclass(frozen=True)
class Dialect:
    """`cap` is the field that bounds the output: newer OpenAI models refuse `max_tokens`."""

    stream: bool = True
    stream_options: bool = True
    cap: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    def adapted(self, rejection: Rejection) -> Dialect | None:
        """Another way of asking the same, if what the server refused is only the way we ask."""
        if rejection.status not in (400, 404, 405, 415, 422, 501):
            return None
        words = rejection.words
        if self.stream and self.stream_options and "stream_options" in words:
            return replace(self, stream_options=False)
        if self.stream and "stream" in words:
            return replace(self, stream=False)
        objects = any(objection in words for objection in OBJECTIONS)
        if self.cap == "max_tokens" and "max_completion_tokens" in words and objects:
            return replace(self, cap="max_completion_tokens")
        return None


def payload(
    model: str, prompt: Prompt, sampling: Sampling, dialect: Dialect, extra: Mapping[str, Any]
) -> bytes:
    """The JSON body of one request.

    Stop strings are never sent: a server would look for them inside the thinking too. `extra`
    overrides what is here, and None takes a field out (`{"temperature": None}`).
    """
    body: dict[str, Any] = {
        "model": model,
        "messages": [_message(message) for message in prompt.messages],
        "temperature": sampling.temperature,
        dialect.cap: sampling.max_tokens,
        "seed": sampling.seed,
        "stream": dialect.stream,
    }
    if sampling.top_p != 1.0:
        body["top_p"] = sampling.top_p
    if sampling.top_k:
        body["top_k"] = sampling.top_k
    if prompt.tools:
        body["tools"] = list(prompt.tools)
    if dialect.stream and dialect.stream_options:
        body["stream_options"] = {"include_usage": True}
    merged = {**body, **extra}
    return orjson.dumps({key: value for key, value in merged.items() if value is not None})


def check_extra(extra: Mapping[str, Any]) -> None:
    """Refuse extra fields that would change what is measured behind lt-bench's back.

    Raises:
        UsageError: a reserved field, or a value that is not JSON.
    """
    for key, where in RESERVED.items():
        if key in extra:
            raise UsageError(f"backend.extra_body: {key!r} cannot be set there", where)
    try:
        orjson.dumps(dict(extra))
    except TypeError as error:
        raise UsageError(f"backend.extra_body: {error}", "use plain JSON values") from error


def _message(message: Message) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.role == "tool":
        wire["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        wire["tool_calls"] = [_tool_call(call) for call in message.tool_calls]
    return wire


def _tool_call(call: ToolCall) -> dict[str, Any]:
    arguments = orjson.dumps(call.arguments).decode() if call.malformed is None else call.malformed
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments},
    }

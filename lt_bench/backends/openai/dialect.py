"""How one server wants to be asked: the request body, and what is left out after it objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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

SCHEMA_WORDS = (
    "response_format",
    "response format",
    "json_schema",
    "json schema",
    "json_validate_failed",
    "structured output",
    "structured_output",
    "guided decoding",
    "guided_",
    "grammar",
)
"""How servers speak of an answer that is to follow a schema."""

REFUSALS = (400, 404, 405, 415, 422, 501)
"""Statuses of a request that the server will not take."""

OBJECTIONS = ("unsupported", "not supported", "not support", "instead", "not compatible", "unknown")


@dataclass(frozen=True)
class Dialect:
    """`cap` is the field that bounds the output: newer OpenAI models refuse `max_tokens`.
    `structured`: the server holds a model to the schema of its answer, where a request has one."""

    stream: bool = True
    stream_options: bool = True
    structured: bool = True
    cap: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    def adapted(self, rejection: Rejection) -> Dialect | None:
        """Another way of asking the same, if what the server refused is only the way we ask."""
        words, status = rejection.words, rejection.status
        # Some engines fail on a schema that they cannot compile instead of refusing it.
        if self.structured and status in (*REFUSALS, 500) and _has(words, SCHEMA_WORDS):
            return replace(self, structured=False)
        if status not in REFUSALS:
            return None
        if self.stream and self.stream_options and "stream_options" in words:
            return replace(self, stream_options=False)
        if self.stream and "stream" in words:
            return replace(self, stream=False)
        objects = _has(words, OBJECTIONS)
        if self.cap == "max_tokens" and "max_completion_tokens" in words and objects:
            return replace(self, cap="max_completion_tokens")
        return None


def _has(words: str, any_of: Iterable[str]) -> bool:
    return any(each in words for each in any_of)


def payload(
    model: str,
    prompt: Prompt,
    sampling: Sampling,
    dialect: Dialect,
    extra: Mapping[str, Any],
    schema: Mapping[str, Any] | None = None,
    thoughts: str | None = None,
) -> bytes:
    """The JSON body of one request.

    Stop strings are never sent: a server would look for them inside the thinking too. `extra`
    overrides what is here, and None takes a field out (`{"temperature": None}`, or
    `{"response_format": None}` for a server that answers worse under a schema). `thoughts` is the field
    for what the model thought earlier in the dialogue; None: it is not sent.
    """
    body: dict[str, Any] = {
        "model": model,
        "messages": [_message(message, thoughts) for message in prompt.messages],
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
    if schema is not None and dialect.structured:
        body["response_format"] = _response_format(schema)
    merged = {**body, **extra}
    return orjson.dumps({key: value for key, value in merged.items() if value is not None})


def _response_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The answer's JSON Schema as OpenAI takes it (structured outputs), and with it vLLM, SGLang,
    llama.cpp and most providers."""
    held = {"name": "verdict", "strict": True, "schema": dict(schema)}
    return {"type": "json_schema", "json_schema": held}


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


def _message(message: Message, thoughts: str | None) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if thoughts is not None and message.reasoning:
        wire[thoughts] = message.reasoning
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

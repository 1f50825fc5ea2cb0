"""Pieces of an answer put together: texts, and tool calls that arrive in fragments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from lt_bench.records import ToolCall
from lt_bench.text.tool_calls import object_of


def joined(pieces: list[str]) -> str:
    """Streamed pieces as one text that can be encoded: halves of a pair united, strays replaced."""
    text = "".join(pieces)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


@dataclass
class Fragments:
    """One tool call while it arrives."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    whole: dict[str, Any] | None = None

    def add(self, part: Mapping[str, Any]) -> None:
        """Names come once and whole; arguments in pieces, or as an object from some servers."""
        function = part.get("function")
        function = function if isinstance(function, dict) else {}
        self.id = self.id or as_text(part.get("id"))
        self.name = self.name or as_text(function.get("name"))
        arguments = function.get("arguments")
        if isinstance(arguments, dict):
            self.whole = arguments
        elif arguments is not None:
            self.arguments.append(arguments if isinstance(arguments, str) else _dumped(arguments))

    def call(self) -> ToolCall:
        """The finished call. Arguments that are no JSON object are kept as `malformed`."""
        name, text = joined([self.name]), joined(self.arguments)
        if self.whole is not None:
            text = _dumped(self.whole)
        arguments = _object(text)
        malformed = text if arguments is None else None
        return ToolCall(
            id=joined([self.id]), name=name, arguments=arguments or {}, malformed=malformed
        )


def as_text(value: Any) -> str:
    """A string, or nothing where something else stands."""
    return value if isinstance(value, str) else ""


def _dumped(value: Any) -> str:
    """Arguments that came as a value, as text again: one check for both forms."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return "(a value that cannot be written as JSON)"


def _object(text: str) -> dict[str, Any] | None:
    """Arguments as an object; none at all are an empty one."""
    return object_of(text) if text.strip() else {}

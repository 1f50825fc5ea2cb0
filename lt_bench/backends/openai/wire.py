"""The chat-completions format: what a server's JSON means, in one message or in streamed deltas."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from lt_bench.backends.counts import reported_reasoning
from lt_bench.backends.openai.fragments import Fragments, as_text, joined
from lt_bench.backends.openai.rejection import Rejected, error_in, excerpt
from lt_bench.backends.retry import Fault
from lt_bench.records import FinishReason, ToolCall

CUT = {"length", "max_tokens", "max_length", "max_output_tokens", "model_length"}
CALLED = {"tool_calls", "tool_call", "function_call", "tool_use"}
FILTERED = {
    "content_filter",
    "safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "sensitive",
}
BROKEN = {"error", "abort", "aborted", "insufficient_system_resource", "network_error"}
"""Names that servers give to the same few ends of an answer; anything else is a plain stop."""


def decode(data: bytes) -> dict[str, Any]:
    """One JSON object as a server sent it.

    Half of a surrogate pair is let through: some servers cut an emoji between two deltas, and
    the halves meet again when the deltas are joined.

    Raises:
        Fault: not JSON, or not an object.
    """
    try:
        packet = orjson.loads(data)
    except orjson.JSONDecodeError:
        packet = _decode_leniently(data)
    if not isinstance(packet, dict):
        raise Fault("malformed", f"the answer is not a JSON object: {quoted(data)}")
    return packet


def _decode_leniently(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Fault("malformed", f"the answer is not UTF-8 (byte {error.start})") from None
    except (ValueError, RecursionError):
        raise Fault("malformed", f"the answer is not JSON: {quoted(data)}") from None


def quoted(data: bytes) -> str:
    """The first words of what came instead."""
    return repr(excerpt(data[:4096].decode("utf-8", "replace")))


class Piece(NamedTuple):
    """What one packet adds to the two texts."""

    reasoning: str
    content: str


@dataclass(frozen=True)
class Answer:
    """What one response says. `usage` is the server's own object, unchecked."""

    reasoning: str | None
    content: str | None
    tool_calls: tuple[ToolCall, ...]
    finish_reason: FinishReason
    usage: Mapping[str, Any] | None


class Assembler:
    """Puts an answer together from its packets: a single message, or the deltas of a stream."""

    def __init__(self) -> None:
        self.reasoning: list[str] | None = None
        self.content: list[str] | None = None
        self.usage: Mapping[str, Any] | None = None
        self.finish: str | None = None
        self.packets = 0
        self._calls: list[Fragments] = []
        self._slots: dict[int, Fragments] = {}

    @property
    def calls(self) -> int:
        """Tool calls begun so far."""
        return len(self._calls)

    def feed(self, packet: Mapping[str, Any]) -> Piece:
        """Take in one packet. Only the first choice counts.

        Raises:
            Rejected: the packet is an error.
            Fault: its shape is not that of the format.
        """
        self.packets += 1
        if error := error_in(packet):
            raise Rejected(error)
        if isinstance(packet.get("usage"), dict) and packet["usage"]:
            self.usage = packet["usage"]
        choices = packet.get("choices") or []
        if not isinstance(choices, list) or not all(isinstance(c, dict) for c in choices):
            raise Fault("malformed", "`choices` is not a list of objects")
        first = next((c for c in choices if c.get("index") in (0, None)), None)
        return self._choice(first) if first is not None else Piece("", "")

    def _choice(self, choice: Mapping[str, Any]) -> Piece:
        if error := error_in(choice):
            raise Rejected(error)
        if isinstance(choice.get("finish_reason"), str):
            self.finish = choice["finish_reason"].lower()
        part = choice.get("delta") or choice.get("message") or {}
        if not isinstance(part, dict):
            raise Fault("malformed", "`message` is not an object")
        self._tools(part)
        return self._texts(part)

    def _texts(self, part: Mapping[str, Any]) -> Piece:
        thought, said = _parts(part.get("content"))
        if said is None and isinstance(part.get("refusal"), str):
            said = part["refusal"]
        named = part.get("reasoning") or part.get("reasoning_content")
        thought = named if isinstance(named, str) else thought
        if thought:
            self.reasoning = self.reasoning or []
            self.reasoning.append(thought)
        if said is not None:
            self.content = self.content or []
            self.content.append(said)
        return Piece(thought or "", said or "")

    def _tools(self, part: Mapping[str, Any]) -> None:
        calls = part.get("tool_calls") or []
        if isinstance(part.get("function_call"), dict):
            calls = [{"index": 0, "function": part["function_call"]}]
        if not isinstance(calls, list) or not all(isinstance(c, dict) for c in calls):
            raise Fault("malformed", "`tool_calls` is not a list of objects")
        for call in calls:
            self._slot(call).add(call)

    def _slot(self, call: Mapping[str, Any]) -> Fragments:
        """The call that a fragment belongs to. `index` says so, but some servers leave it out
        or give every call the same one: a new id then starts a new call."""
        index, name = call.get("index"), as_text(call.get("id"))
        known = self._slots.get(index) if isinstance(index, int) else self._last(call)
        if known is None or (name and known.id and name != known.id):
            known = Fragments()
            self._calls.append(known)
        if isinstance(index, int):
            self._slots[index] = known
        return known

    def _last(self, call: Mapping[str, Any]) -> Fragments | None:
        function = call.get("function")
        starts = isinstance(function, dict) and bool(function.get("name"))
        return None if starts or not self._calls else self._calls[-1]

    def answer(self) -> Answer:
        """The whole answer.

        Raises:
            Fault: the server gave up half-way, its filter stopped the answer, or there is no
                answer: no choice, or neither content, reasoning nor a tool call.
        """
        reasoning = None if self.reasoning is None else joined(self.reasoning)
        content = None if self.content is None else joined(self.content)
        if self.finish in BROKEN:
            raise Fault("server", f"the server broke off the answer ({self.finish})")
        if self.finish in FILTERED:
            raise Fault(
                "content_filter", f"the provider's filter stopped the answer ({self.finish})"
            )
        # A cap that was spent on thoughts which the provider hides is an answer, and truncated.
        spent = self.finish in CUT and bool(reported_reasoning(self.usage))
        if content is None and not reasoning and not self._calls and not spent:
            raise Fault("empty", "the answer has no content, no reasoning and no tool call")
        calls = tuple(fragments.call() for fragments in self._calls)
        return Answer(reasoning, content, calls, self._finish_reason(), self.usage)

    def _finish_reason(self) -> FinishReason:
        if self.finish in CUT:
            return "length"
        return "tool_calls" if self._calls or self.finish in CALLED else "stop"


def _parts(content: Any) -> tuple[str | None, str | None]:
    """Thought and spoken text of `content`, which may be a string or a list of typed parts."""
    if not isinstance(content, list):
        return None, content if isinstance(content, str) else None
    thought, said = "", ""
    for part in content:
        if isinstance(part, dict) and part.get("type") in ("thinking", "reasoning"):
            thought += _inner(part)
        else:
            said += _inner(part)
    return thought or None, said if said or not thought else None


def _inner(part: Any, depth: int = 8) -> str:
    """The text of one part, wherever it lies ({"thinking": [{"text": …}]}), within reason."""
    if isinstance(part, str) or not depth:
        return part if isinstance(part, str) else ""
    if isinstance(part, list):
        return "".join(_inner(inner, depth - 1) for inner in part)
    found = (
        part.get("text") or part.get("thinking") or part.get("reasoning")
        if isinstance(part, dict)
        else ""
    )
    return _inner(found, depth - 1)

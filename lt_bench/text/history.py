"""The lines of a dialogue so far as messages of a prompt.

Viewers and users are the user, hosts and assistants the assistant; in a room, where several speak, a
line begins with the name of who said it. Lines of one role that follow one another are one message,
since many chat templates want the roles in turn.

A line keeps no call of its own, so an assistant's line may write its calls in <tool_call> blocks. With a
result after it for each, they are sent as calls and results; otherwise they stay text, and a result
that belongs to no call is what a user says in <tool_response> tags.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lt_bench.records import Message, ToolCall, Utterance
from lt_bench.text.segments import Segment, Split
from lt_bench.text.tool_calls import take_calls
from lt_bench.text.tool_prompt import result_in_words


def messages_of(history: Sequence[Utterance]) -> tuple[Message, ...]:
    """The messages of a history, calls with ids of their own (past00001, …)."""
    return joined(_messages(history))


def joined(messages: Iterator[Message] | Sequence[Message]) -> tuple[Message, ...]:
    """Messages of which no two users', and no two assistants', follow one another."""
    found = list[Message]()
    for message in messages:
        last = found[-1] if found else None
        if (
            last is None
            or message.role not in ("user", "assistant")
            or last.role != message.role
            or last.tool_calls
        ):
            found.append(message)
        else:
            content = "\n".join(part for part in (last.content, message.content) if part)
            found[-1] = message.model_copy(update={"content": content})
    return tuple(found)


def _messages(history: Sequence[Utterance]) -> Iterator[Message]:
    at = calls = 0
    while at < len(history):
        line = history[at]
        at += 1
        if line.role == "tool":
            yield Message(role="user", content=result_in_words(_named(line)))
            continue
        if line.role in ("viewer", "user"):
            yield Message(role="user", content=_said(line))
            continue
        results = _following(history, at)
        message = _calling(line, calls, results)
        yield message
        for call, result in zip(message.tool_calls, results, strict=False):
            yield Message(role="tool", content=result.content, tool_call_id=call.id)
        at += len(message.tool_calls)
        calls += len(message.tool_calls)


def _following(history: Sequence[Utterance], at: int) -> Sequence[Utterance]:
    """The results that stand at once after a line."""
    end = at
    while end < len(history) and history[end].role == "tool":
        end += 1
    return history[at:end]


def _calling(line: Utterance, before: int, results: Sequence[Utterance]) -> Message:
    """An assistant's line, with calls where each has a result and is whole. `before`: calls so far."""
    spoken = take_calls(Split((Segment("reply", line.content),)), "hermes")
    calls = [one.call for one in spoken.called]
    fits = 0 < len(calls) <= len(results) and all(call.malformed is None for call in calls)
    if line.role != "assistant" or not fits:
        return Message(role="assistant", content=_said(line))
    return Message(
        role="assistant",
        content=spoken.split.reply,
        tool_calls=tuple(_numbered(call, before + n) for n, call in enumerate(calls, 1)),
    )


def _numbered(call: ToolCall, number: int) -> ToolCall:
    return call.model_copy(update={"id": f"past{number:05d}"})


def _said(line: Utterance) -> str:
    in_a_room = line.role in ("viewer", "host")
    return f"{line.name}: {line.content}" if in_a_room and line.name else line.content


def _named(line: Utterance) -> str:
    return f"{line.name}: {line.content}" if line.name else line.content

"""The request that follows an answer which was no verdict. Its words are part of `PROTOCOL`."""

from __future__ import annotations

from dataclasses import replace

from lt_bench.backends import Request
from lt_bench.config import Sampling
from lt_bench.judge.reading import Unreadable
from lt_bench.records import Message, Prompt


def again(first: Request, sampling: Sampling, why: Unreadable) -> Request:
    """The first request with a reminder and twice the cap of `sampling`, the last one asked with."""
    larger = sampling.model_copy(update={"max_tokens": 2 * sampling.max_tokens})
    return replace(first, prompt=_reminded(first.prompt, why), sampling=larger)


def _reminded(prompt: Prompt, why: Unreadable) -> Prompt:
    """The prompt, its last user message ending in what was wrong. The answer itself is not quoted:
    it may hold what a reply made the model say."""
    reminder = (
        f"Your last answer to this could not be used: {why}. "
        "Answer once more, in exactly the form asked for above and with nothing else."
    )
    messages = list(prompt.messages)
    users = [place for place, message in enumerate(messages) if message.role == "user"]
    if not users:
        return prompt.model_copy(
            update={"messages": (*messages, Message(role="user", content=reminder))}
        )
    last = messages[users[-1]]
    content = f"{last.content}\n\n{reminder}"
    messages[users[-1]] = last.model_copy(update={"content": content})
    return prompt.model_copy(update={"messages": tuple(messages)})

"""The messages of a row as lm-eval sends them: by the model's chat template, or as plain text.

They are what `lt_bench.backends.transformers.prompting` sends, as far as lm-eval lets a task say it: it
hands over messages, never tools, so that tools are told in words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lt_bench.backends.transformers.prompting import as_chat, merge_system, transcript
from lt_bench.records import Message, Prompt
from lt_bench.text import split_reasoning
from lt_bench.text.tool_prompt import told_in_words

ChatTemplate = Callable[..., Any]
"""lm-eval's: a list of {role, content} as text, or as a request for a server of chat completions."""


@dataclass(frozen=True)
class Sent:
    """What lm-eval sends. `opened`: it ends inside a think block that the template opened."""

    context: Any
    opened: bool = False


def messages_of(prompt: Prompt, system_instruction: str | None = None) -> tuple[Message, ...]:
    """The messages of a prompt, tools told in words; what `--system_instruction` says comes first."""
    told = told_in_words(prompt) if prompt.tools else prompt
    if not system_instruction:
        return told.messages
    first, *rest = told.messages
    if first.role == "system":
        words = f"{system_instruction}\n\n{first.content}"
        return (first.model_copy(update={"content": words}), *rest)
    return (Message(role="system", content=system_instruction), *told.messages)


def sent(messages: Sequence[Message], chat_template: ChatTemplate | None) -> Sent:
    """What becomes of messages; without a template they are a transcript that a base model continues."""
    if chat_template is None:
        return Sent(transcript(messages))
    context = chat_template(as_chat(messages))
    if not isinstance(context, str):  # a server of chat completions gets the messages themselves
        return Sent(context)
    if messages[0].role == "system" and not _shows(context, messages[0].content.strip()):
        context = chat_template(as_chat(merge_system(messages)))
    added = context[-64:].rpartition(messages[-1].content[-64:] or "\n")[2]
    return Sent(context, opened=not split_reasoning(added).closed)


def _shows(context: str, words: str) -> bool:
    """Whether words stand in a prompt, be it the JSON of its messages."""
    if words in context:
        return True
    return any(json.dumps(words, ensure_ascii=plain)[1:-1] in context for plain in (True, False))

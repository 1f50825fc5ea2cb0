"""From a Prompt to the token ids a local model reads, by its own chat template.

A model without a chat template (a base model) reads a plain transcript instead:

    {system}

    User: {question}
    Assistant:

and its reply ends where it begins to write the next "User:" line itself.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2.exceptions import TemplateError

from lt_bench.errors import RowError
from lt_bench.records import Message, Note, Prompt
from lt_bench.text import split_reasoning

log = logging.getLogger(__name__)

PLAIN_STOP = "\nUser:"
_REFUSALS = (TemplateError, TypeError, ValueError, KeyError, IndexError)
"""What a template raises at messages it was not written for."""
_PLAIN_NAMES = {"user": "User", "assistant": "Assistant", "tool": "Tool"}


@dataclass(frozen=True)
class Rendered:
    """What is sent. `opened`: the text ends inside a think block that the template opened."""

    ids: tuple[int, ...]
    text: str
    opened: bool = False
    notes: tuple[Note, ...] = ()


class Renderer:
    """Renders prompts with one tokenizer's chat template, or plainly where it has none.

    `variables` reach the template, e.g. {"enable_thinking": False}.
    """

    def __init__(
        self, tokenizer: Any, *, family: str = "auto", variables: Mapping[str, Any] | None = None
    ) -> None:
        self.tokenizer, self.family = tokenizer, family
        self.variables = dict(variables or {})
        self.plain = tokenizer.chat_template is None
        self._bos: int | None = tokenizer.bos_token_id
        self._adds_bos = _ids(tokenizer, "a", specials=True)[:1] == [self._bos]
        self._shows_tools = "tools" in str(tokenizer.chat_template)
        if self.plain:
            log.warning("the model has no chat template: prompts are plain User/Assistant text")

    @property
    def stop(self) -> tuple[str, ...]:
        """Strings that end a reply in the plain transcript."""
        return (PLAIN_STOP,) if self.plain else ()

    @property
    def thinks(self) -> bool:
        """Whether the chat template speaks of thinking."""
        return "think" in str(self.tokenizer.chat_template).lower()

    @property
    def template_sha(self) -> str | None:
        """sha256 (hex) of the chat template."""
        template = self.tokenizer.chat_template
        if template is None:
            return None
        text = template if isinstance(template, str) else repr(sorted(template.items()))
        return hashlib.sha256(text.encode()).hexdigest()

    def render(self, prompt: Prompt) -> Rendered:
        """The prompt as text and ids, with exactly one BOS where the tokenizer uses one.

        Raises:
            RowError: the template refuses these messages ("bad_request").
        """
        if prompt.tools and not self._shows_tools:
            log.warning("the model's chat template does not show tools: it is asked without them")
            self._shows_tools = True
        if self.plain:
            text = transcript(prompt.messages)
            return Rendered(self._tokens(text), text)
        text, suffix, notes = self._chat(prompt)
        opened = not split_reasoning(suffix, family=self.family).closed
        return Rendered(self._tokens(text), text, opened, notes)

    def _chat(self, prompt: Prompt) -> tuple[str, str, tuple[Note, ...]]:
        """The rendered text, what the template adds at its end, and notes."""
        given, error = list(prompt.messages), None
        system = given[0].content.strip() if given and given[0].role == "system" else ""
        try:
            text = self._apply(given, prompt.tools)
            # some templates leave the system message out without a word
            if system in text:
                return text, self._suffix(text, given, prompt.tools), ()
        except _REFUSALS as refusal:
            error = refusal
        if system:
            given = merge_system(given)
            try:
                text = self._apply(given, prompt.tools)
                return text, self._suffix(text, given, prompt.tools), ("system_merged",)
            except _REFUSALS as refusal:
                error = refusal
        raise RowError("bad_request", f"the chat template refuses the messages: {error}") from error

    def _apply(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], ask: bool = True
    ) -> str:
        text: str = self.tokenizer.apply_chat_template(
            as_chat(messages),
            tools=list(tools) or None,
            add_generation_prompt=ask,
            tokenize=False,
            **self.variables,
        )
        return text

    def _suffix(
        self, text: str, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> str:
        """What the template adds to have the model answer: "<|im_start|>assistant\\n<think>\\n"."""
        try:
            before = self._apply(messages, tools, ask=False)
        except _REFUSALS:
            before = text
        if before != text and text.startswith(before):
            return text[len(before) :]
        return text[-64:].rpartition(messages[-1].content[-64:] or "\n")[2]

    def _tokens(self, text: str) -> tuple[int, ...]:
        try:
            ids = _ids(self.tokenizer, text, specials=False)
        except (TypeError, ValueError) as error:  # e.g. half of a surrogate pair
            raise RowError("bad_request", f"the prompt cannot be tokenised: {error}") from error
        if self._bos is None:
            return tuple(ids)
        while len(ids) > 1 and ids[0] == ids[1] == self._bos:
            ids = ids[1:]
        if self._adds_bos and ids[:1] != [self._bos]:
            ids = [self._bos, *ids]
        return tuple(ids)


def transcript(messages: Sequence[Message]) -> str:
    """Messages as plain text that a base model continues."""
    parts = [
        message.content if message.role == "system" else _said(message) for message in messages
    ]
    return "\n\n".join(parts) + "\nAssistant:"


def _said(message: Message) -> str:
    return f"{_PLAIN_NAMES[message.role]}: {message.content}"


def merge_system(messages: Sequence[Message]) -> list[Message]:
    """The leading system messages put before the first user message's own words."""
    rest = list(messages)
    heads = []
    while rest and rest[0].role == "system":
        heads.append(rest.pop(0).content)
    if rest and rest[0].role == "user":
        heads.append(rest.pop(0).content)
    return [Message(role="user", content="\n\n".join(heads)), *rest]


def as_chat(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages as chat templates read them: tool arguments as objects, tool results by name."""
    names = {call.id: call.name for message in messages for call in message.tool_calls}
    return [_as_chat(message, names) for message in messages]


def _as_chat(message: Message, names: Mapping[str, str]) -> dict[str, Any]:
    chat: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        chat["tool_calls"] = [
            {
                "type": "function",
                "id": call.id,
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.tool_calls
        ]
    if message.role == "tool":
        chat["tool_call_id"] = message.tool_call_id
        chat["name"] = names.get(message.tool_call_id, "")
    return chat


def _ids(tokenizer: Any, text: str, *, specials: bool) -> list[int]:
    return list(tokenizer(text, add_special_tokens=specials)["input_ids"])

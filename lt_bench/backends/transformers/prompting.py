"""From a Prompt to the token ids a local model reads, by its own chat template.

A model without a chat template (a base model) reads a plain transcript instead:

    {system}

    User: {question}
    Assistant:

and its reply ends where it begins to write the next "User:" line itself.

A template that leaves out tools, calls or results, or teaches a form of calls that nobody here reads, is
not asked without them: they are told in words (`lt_bench.text.tool_prompt`), and every turn says so
(note `tools_as_text`).
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from jinja2.exceptions import TemplateError

from lt_bench.backends.transformers.tool_probe import knows_several, knows_tools
from lt_bench.errors import RowError
from lt_bench.records import Message, Note, Prompt
from lt_bench.text import split_reasoning
from lt_bench.text.tool_prompt import BY_HEART, told_in_words

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
        self._told = False
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
        if prompt.tools and not self.shows_tools:
            self._tell()
            rendered = self._rendered(told_in_words(prompt))
            return replace(rendered, notes=(*rendered.notes, "tools_as_text"))
        return self._rendered(prompt)

    @cached_property
    def shows_tools(self) -> bool:
        """Whether the chat template writes down tools, calls and results, the calls in a form that is
        read back."""
        template = str(self.tokenizer.chat_template)
        if self.plain or "tools" not in template:
            return False
        try:
            return knows_tools(self._apply, by_heart=BY_HEART in template)
        except _REFUSALS:
            return False

    @cached_property
    def _shows_several(self) -> bool:
        """Whether it writes down all calls of one turn."""
        try:
            return knows_several(self._apply)
        except _REFUSALS:
            return False

    def _tell(self) -> None:
        if not self._told:
            self._told = True
            log.warning("the model's chat template does not show tools: they are told in words")

    def _rendered(self, prompt: Prompt) -> Rendered:
        if self.plain:
            text = transcript(prompt.messages)
            return Rendered(self._tokens(text), text)
        text, suffix, notes = self._chat(prompt)
        opened = not split_reasoning(suffix, family=self.family).closed
        return Rendered(self._tokens(text), text, opened, notes)

    def _chat(self, prompt: Prompt) -> tuple[str, str, tuple[Note, ...]]:
        """The rendered text, what the template adds at its end, and notes."""
        given, error = list(prompt.messages), None
        if any(len(message.tool_calls) > 1 for message in given) and not self._shows_several:
            given = one_by_one(given)
        system = given[0].content.strip() if given and given[0].role == "system" else ""
        try:
            text = self._apply(given, prompt.tools)
            # some templates leave the system message out without a word
            if system in text:
                return text, self._suffix(text, given, prompt.tools), ()
        except _REFUSALS as refusal:
            error = refusal
        others: list[tuple[list[Message], tuple[Note, ...]]] = []
        if system:
            others.append((merge_system(given), ("system_merged",)))
        if any(message.reasoning for message in given):
            others.append(([one.model_copy(update={"reasoning": None}) for one in given], ()))
        for other, notes in others:
            try:
                text = self._apply(other, prompt.tools)
                return text, self._suffix(text, other, prompt.tools), notes
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


def one_by_one(messages: Sequence[Message]) -> list[Message]:
    """The calls of one turn as turns of one call each, every one before its result: for templates that
    know no calls side by side."""
    results = {message.tool_call_id: message for message in messages if message.role == "tool"}
    found, placed = list[Message](), set[str]()
    for message in messages:
        if len(message.tool_calls) < 2:
            if message.role != "tool" or message.tool_call_id not in placed:
                found.append(message)
            continue
        for number, call in enumerate(message.tool_calls):
            said = {} if number == 0 else {"content": "", "reasoning": None}
            found.append(message.model_copy(update={**said, "tool_calls": (call,)}))
            if call.id in results:
                found.append(results[call.id])
                placed.add(call.id)
    return found


def as_chat(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages as chat templates read them: tool arguments as objects, tool results by name, and what
    was thought earlier in the dialogue under the name that most templates give it."""
    names = {call.id: call.name for message in messages for call in message.tool_calls}
    return [_as_chat(message, names) for message in messages]


def _as_chat(message: Message, names: Mapping[str, str]) -> dict[str, Any]:
    chat: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.reasoning:
        chat["reasoning_content"] = message.reasoning
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

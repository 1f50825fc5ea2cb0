"""The form of a model's answers: what stands around thought and reply, and what ends the turn.

It is found by having the chat template render an answer of our own. Templates without thoughts get the
tags of DeepSeek-R1 and Qwen3; one that opens the thought in its prompt gets the rest of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2.exceptions import TemplateError

from lt_bench.backends.transformers.prompting import Rendered, Renderer, as_chat, merge_system
from lt_bench.errors import RowError, UsageError
from lt_bench.records import Message, Prompt, ToolCall
from lt_bench.text import split_reasoning
from lt_bench.text.families import Tag, tags
from lt_bench.text.segments import BLANK
from lt_bench.text.tool_calls import take_calls
from lt_bench.text.tool_prompt import calls_in_words, told_in_words

_THOUGHT, _REPLY = "a thought of the probe", "a reply of the probe"
_THOUGHT_KEYS = ("reasoning_content", "thinking", "reasoning")
"""Where chat templates look for the thought of an answer."""
_REFUSALS = (TemplateError, TypeError, ValueError, KeyError, IndexError, AttributeError)
_OPEN, _BETWEEN = "<think>\n", "\n</think>\n\n"
_CLOSING: Mapping[str, str] = {
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
    "begin_of_thought": "<|end_of_thought|>",
    "START_THINKING": "<|END_THINKING|>",
}


@dataclass(frozen=True)
class Form:
    """What stands around thought and reply in an answer of this model. `lead` comes before everything,
    `opening` before the thought ("" where the prompt opens it), `between` after it, `ending` after the
    reply ("" where the template has no end of a turn); `end` is the token that ends it, then the
    tokenizer's own.
    `opened`: the prompt ends inside a thought; `thoughtless`: it ends after a thought that it closed
    itself, so that the model is asked not to think."""

    lead: str
    opening: str
    between: str
    ending: str
    end: int
    opened: bool = False
    thoughtless: bool = False

    def text(self, thought: str | None, reply: str) -> str:
        """An answer without its ending. Without a thought, one that the prompt opened is closed."""
        if thought is None:
            head = self.lead + (self.between if self.opened else "")
        else:
            head = self.lead + self.opening + thought.strip(BLANK) + self.between
        return head + reply.strip(BLANK)


def asked_not_to_think() -> UsageError:
    """The error of a model whose prompt closes the thought before it begins."""
    return UsageError(
        "the chat template of this model asks it not to think: its prompt ends after a closed thought",
        "begin from a model that thinks, or give its tokenizer a template that asks it to",
    )


def reads_back(
    text: str,
    thought: str | None,
    reply: str,
    *,
    opened: bool,
    calls: Sequence[ToolCall] = (),
    tool_form: str = "none",
) -> bool:
    """Whether `lt-bench eval` would read thought, reply and calls from the text as they were."""
    spoken = take_calls(split_reasoning(text, opened=opened), tool_form)
    split, read = spoken.split, [one.call for one in spoken.called]
    if [(one.name, one.arguments) for one in read] != [(one.name, one.arguments) for one in calls]:
        return False
    found = (split.reasoning or "").strip(BLANK), split.reply.strip(BLANK)
    blocks = 1 if thought is not None or opened else 0
    said = (thought or "").strip(BLANK), reply.strip(BLANK)
    return split.closed and split.n_blocks == blocks and found == said


def with_calls(
    renderer: Renderer, prompt: Prompt, rendered: Rendered, reply: str, calls: Sequence[ToolCall]
) -> str | None:
    """A reply with calls as the template writes them down in an answer, or, where it has no form for
    them, as the model is asked to write them; None where the template refuses the answer."""
    if "tools_as_text" in rendered.notes:
        return "\n".join(filter(None, (reply, calls_in_words(calls))))
    message = Message(role="assistant", content=reply, tool_calls=tuple(calls))
    sent = _sent(prompt, rendered)
    before = _applied(renderer, sent, prompt)
    text = _applied(renderer, [*sent, *as_chat([message])], prompt)
    if not before or not text or not text.startswith(before):
        return None
    asking = rendered.text[len(before) :] if rendered.text.startswith(before) else ""
    answer = text[len(before) :]
    pairs = enumerate(zip(asking, answer, strict=False))
    shared = next((at for at, (one, other) in pairs if one != other), min(len(asking), len(answer)))
    return _after_thought(answer[shared:])


def _after_thought(answer: str) -> str:
    """An answer without the thought that a template puts before it though it was given none."""
    closed = [tag.end for tag in tags(answer) if tag.role == "close"]
    return answer[closed[0] if closed else 0 :].lstrip(BLANK)


def form_of(renderer: Renderer, sample: Prompt) -> Form:
    """The form of a model's answers.

    Raises:
        UsageError: the template refuses the prompts of the task, or has no end of a turn.
    """
    if sample.tools and not renderer.shows_tools:
        sample = told_in_words(sample)  # as the renderer asks it
    try:
        rendered = renderer.render(sample)
    except RowError as error:
        raise UsageError(error.cause, "begin from a model with another chat template") from error
    ending, end = _ending(renderer, sample, rendered)
    lead = " " if renderer.plain else ""
    asking = "" if renderer.plain else _asking(renderer, sample, rendered)
    if rendered.opened:
        return Form(lead, "", _closing(asking), ending, end, opened=True)
    if any(tag.role == "close" for tag in tags(asking)):
        return Form(lead, _OPEN, _BETWEEN, ending, end, thoughtless=True)
    opening, between = _thinking(renderer, sample, rendered) or (_OPEN, _BETWEEN)
    return Form(lead, opening, between, ending, end)


def _ending(renderer: Renderer, sample: Prompt, rendered: Rendered) -> tuple[str, int]:
    """What follows a reply, up to the token that ends the turn, and that token: the first special one,
    or the tokenizer's end token where the template has none."""
    tokenizer = renderer.tokenizer
    _, reply, tail = (_answered(renderer, sample, rendered, {}) or "").rpartition(_REPLY)
    for token in ids_of(tokenizer, tail) if reply else ():
        if token in tokenizer.all_special_ids and token != tokenizer.unk_token_id:
            name = tokenizer.convert_ids_to_tokens(token)
            return tail[: tail.find(name) + len(name)] if name in tail else "", token
    if tokenizer.eos_token_id is None:
        raise UsageError(
            "neither the chat template nor the tokenizer has a token that ends a turn",
            "begin from a model whose tokenizer has an eos_token",
        )
    return "", int(tokenizer.eos_token_id)


def _sent(sample: Prompt, rendered: Rendered) -> list[dict[str, Any]]:
    """The messages as the renderer gave them to the template."""
    merged = "system_merged" in rendered.notes
    return as_chat(merge_system(sample.messages) if merged else sample.messages)


def _answered(
    renderer: Renderer, sample: Prompt, rendered: Rendered, more: Mapping[str, str]
) -> str | None:
    """The prompt with an answer of the probe after it; None where the template has no such form."""
    answer = {"role": "assistant", "content": _REPLY, **more}
    return _applied(renderer, [*_sent(sample, rendered), answer], sample)


def _applied(renderer: Renderer, messages: list[dict[str, Any]], sample: Prompt) -> str | None:
    if renderer.plain:
        return None
    try:
        return str(
            renderer.tokenizer.apply_chat_template(
                messages, tools=list(sample.tools) or None, tokenize=False, **renderer.variables
            )
        )
    except _REFUSALS:
        return None


def _thinking(renderer: Renderer, sample: Prompt, rendered: Rendered) -> tuple[str, str] | None:
    """What the template puts before and after a thought that it is given apart from the reply."""
    for key in _THOUGHT_KEYS:
        text = _answered(renderer, sample, rendered, {key: _THOUGHT})
        if text is None or not text.startswith(rendered.text):
            continue
        answer = text[len(rendered.text) :]
        before, thought, rest = answer.partition(_THOUGHT)
        between, reply, _ = rest.partition(_REPLY)
        found = before + _THOUGHT + between + _REPLY
        if thought and reply and reads_back(found, _THOUGHT, _REPLY, opened=False):
            return before, between
    return None


def _asking(renderer: Renderer, sample: Prompt, rendered: Rendered) -> str:
    """What the template adds to the messages to have the model answer."""
    before = _applied(renderer, _sent(sample, rendered), sample)
    if before and before != rendered.text and rendered.text.startswith(before):
        return rendered.text[len(before) :]
    return rendered.text.rpartition(sample.messages[-1].content.strip())[2][-64:]


def _closing(asking: str) -> str:
    """The end of the thought that a prompt opens, by the tag that opened it."""
    opened: Tag | None = None
    for tag in tags(asking):
        opened = tag if tag.role == "open" else opened
    family = opened.family if opened else "think"
    return f"\n{_CLOSING.get(family, f'</{family}>')}\n\n"


def ids_of(tokenizer: Any, text: str) -> tuple[int, ...]:
    """The tokens of a text, with none added."""
    return tuple(tokenizer(text, add_special_tokens=False)["input_ids"])

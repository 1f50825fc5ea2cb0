"""Every word there is, the form of calls, and the chat template that puts them together."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from lt_bench.builders.base import ActedTurn
from lt_bench.builders.mini_tools import wording
from lt_bench.environments.mini_shop import ATTRIBUTES, PRODUCTS, TOOLS
from lt_bench.environments.mini_shop import vocabulary as words_of_the_shop
from lt_bench.records import ToolCall
from lt_bench.text.tool_prompt import BY_HEART

_ROLES: Final = "user assistant tool"
_PROMPT: Final = "history : none . question"
_THOUGHT: Final = (
    "user asks and of no product tool says need wants if in stock cancels talks wait check again "
    "history ask which done ."
)
_REPLY: Final = "the is , also its ."
_CALL: Final = '<tool_call> { "name" : , "arguments" : { "product" : } } </tool_call>'

CHAT_TEMPLATE: Final = (
    BY_HEART + "{%- for message in messages %}"
    "{{- '<|im_start|> ' + message.role + ' ' }}"
    "{%- if message.reasoning_content is defined and message.reasoning_content %}"
    "{{- '<think> ' + message.reasoning_content | trim + ' </think> ' }}"
    "{%- endif %}"
    "{%- if message.content | trim %}{{- message.content | trim + ' ' }}{%- endif %}"
    "{%- for call in message.tool_calls or [] %}"
    "{{- '<tool_call> { \"name\" : ' + call.function.name | tojson + ' , \"arguments\" : { ' }}"
    "{%- for key, value in call.function.arguments.items() %}"
    "{{- key | tojson + ' : ' + value | tojson + (' ' if loop.last else ' , ') }}"
    "{%- endfor %}"
    "{{- '} } </tool_call> ' }}"
    "{%- endfor %}"
    "{{- '<|im_end|> ' }}"
    "{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|> assistant ' }}{%- endif %}"
)
"""ChatML with blanks, since words are told apart by them. Calls are JSON whose every sign stands alone;
no turn loses its thought, so that a dialogue only ever grows at its end."""


def call_text(call: ToolCall) -> str:
    """A call as the template writes it."""
    given = " , ".join(f"{json.dumps(k)} : {json.dumps(v)}" for k, v in call.arguments.items())
    return f'<tool_call> {{ "name" : {json.dumps(call.name)} , "arguments" : {{ {given} }} }} </tool_call>'


def turn_text(turn: ActedTurn) -> str:
    """What a model writes in a turn, markup included."""
    thought = f"<think> {turn.thought} </think>" if turn.thought else ""
    return " ".join(filter(None, (thought, turn.reply, *map(call_text, turn.calls))))


def dialogue_text(turns: Sequence[ActedTurn]) -> str:
    """A whole dialogue after its prompt, as the template writes it."""
    return " ".join(_pieces(turns))


def heard(*contents: str) -> str:
    """What tools say in answer to the calls of a turn, and the start of the turn after it."""
    results = (f"<|im_start|> tool {content} <|im_end|>" for content in contents)
    return " ".join((*results, "<|im_start|> assistant"))


def _pieces(turns: Sequence[ActedTurn]) -> Iterator[str]:
    for turn in turns:
        yield turn_text(turn)
        if turn.results:
            yield "<|im_end|>"
            yield heard(*(one.content for one in turn.results))


@cache
def vocabulary() -> tuple[str, ...]:
    """The words, in alphabetical order."""
    return tuple(sorted({word for text in _texts() for word in text.split()}))


def _texts() -> Iterator[str]:
    shop = (word for word in words_of_the_shop() if word not in PRODUCTS)
    yield from (_ROLES, _PROMPT, _THOUGHT, _REPLY, _CALL, *shop)
    yield from (json.dumps(word) for word in (*PRODUCTS, *TOOLS))
    yield from (*wording.BEFORE, *wording.AFTER, *wording.TALK, *wording.TALK.values())
    yield wording.WHICH
    whole = (*wording.SHOWN, *wording.BUYS, *wording.BUYS_IF, *wording.CANCELS)
    yield from (text.format(it="it") for text in whole)
    said = (wording.ORDERED, wording.SOLD_OUT, wording.CANCELLED)
    yield from (text.format(product=wording.quoted(PRODUCTS[0])) for text in said)
    yield from (text.format(a="", b="", it="it") for text in wording.TWO)
    for attribute in ATTRIBUTES:
        yield from (text.format(it="it") for text in wording.ASKS[attribute])

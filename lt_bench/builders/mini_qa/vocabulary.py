"""Every word there is, and the chat template that puts them together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from lt_bench.builders.mini_qa.teacher import OFFERS
from lt_bench.builders.mini_qa.world import AFTER, ALL_FACTS, ATTRIBUTES, BEFORE, PRODUCTS, SHOWN

_ROLES: Final = "user assistant"
_PROMPT: Final = "evidence : ; . history none question"
_THOUGHT: Final = (
    "viewer asks evidence says missing wait check again hmm also note extra its done ."
)
_REPLY: Final = "the is , also sorry not listed ."

CHAT_TEMPLATE: Final = (
    "{%- for message in messages %}"
    "{{- '<|im_start|> ' + message.role + ' ' }}"
    "{%- if message.reasoning_content is defined and message.reasoning_content %}"
    "{{- '<think> ' + message.reasoning_content + ' </think> ' }}"
    "{%- endif %}"
    "{{- message.content + ' <|im_end|> ' }}"
    "{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|> assistant ' }}{%- endif %}"
)
"""ChatML with blanks, since words are told apart by them; no turn loses its thought."""


@cache
def vocabulary() -> tuple[str, ...]:
    """The words, in alphabetical order."""
    return tuple(sorted({word for text in _texts() for word in text.split()}))


def _texts() -> Iterator[str]:
    yield from (_ROLES, _PROMPT, _THOUGHT, _REPLY, ALL_FACTS)
    yield from (*OFFERS, *BEFORE, *AFTER, *PRODUCTS)
    yield from (text.format(it="it") for text in SHOWN)
    for attribute in ATTRIBUTES:
        yield from (attribute.name, *map(attribute.spoken, attribute.values))
        yield from (text.format(it="it") for text in attribute.asks)

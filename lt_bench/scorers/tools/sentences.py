"""The sentences of a reply, and which of them are the model's own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from lt_bench.scorers.tools.tokens import Token, tokens

_SENTENCE: Final = re.compile(
    r"(?:[^.!?。！？;；\n]|(?<=[\w.])[.](?=\w))+[.!?。！？;；]*|[.!?。！？;；]+"
)
_OBJECT: Final = re.compile(r"\{[^{}]*\}")
_FIELD: Final = re.compile(r"""["'\w]\s*:""")
_CALL: Final = re.compile(r"<tool_call>.*?(?:</tool_call>|\Z)", re.DOTALL)
_DEEPEST: Final = 8


class Sentence(NamedTuple):
    text: str
    tokens: tuple[Token, ...]

    @property
    def asks(self) -> bool:
        """Whether a question mark ends it."""
        return self.text.rstrip(" \"'”’)）.。!！").endswith(("?", "？"))


def own_sentences(reply: str, asked: Iterable[str]) -> Iterator[Sentence]:
    """The sentences of a reply without what a machine wrote in it (JSON objects, calls) and without
    those that are, word for word, sentences of the texts in `asked`."""
    said = {one.tokens for text in asked for one in sentences(text)}
    for sentence in sentences(spoken(reply)):
        if sentence.tokens and sentence.tokens not in said:
            yield sentence


@lru_cache(maxsize=1 << 12)
def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text, with the marks that end them."""
    found = (match.group().strip() for match in _SENTENCE.finditer(text))
    return tuple(Sentence(one, tokens(one)) for one in found if one)


def spoken(reply: str) -> str:
    """A reply without JSON objects and calls: nobody says those."""
    if "<tool_call>" in reply:
        reply = _CALL.sub(" ", reply)
    for _ in range(_DEEPEST):
        if "{" not in reply:
            break
        cut = _OBJECT.sub(_hushed, reply)
        if cut == reply:
            break
        reply = cut
    return reply


def _hushed(match: re.Match[str]) -> str:
    """Nothing for an object with fields; words in braces stay."""
    inner = match.group()[1:-1]
    return " " if _FIELD.search(inner) or not inner.strip() else inner

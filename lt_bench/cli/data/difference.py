"""How two rows differ, in a few lines that fit a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from lt_bench.records import Example

WIDTH = 160
LINES = 3
WORDS = 400
"""Words of a text that are compared; the rest of a giant one is not shown anyhow."""


def differences(first: Example, second: Example) -> Iterator[str]:
    """What stands in one row only: `-` in the first, `+` in the second."""
    lines = [
        *_question(first.question, second.question),
        *_texts(
            "history",
            [line.content for line in first.history],
            [line.content for line in second.history],
        ),
        *_texts(
            "document",
            [f"{document.title} {document.text}".strip() for document in first.documents],
            [f"{document.title} {document.text}".strip() for document in second.documents],
        ),
    ]
    yield from lines or ("the same text",)


def _question(one: str, other: str) -> Iterator[str]:
    if one == other:
        yield f"question: {_short(one)}"
    elif one.split() == other.split():
        yield f"question: {_short(repr(one))} / {_short(repr(other))}"
    else:
        yield f"question: {_short(' '.join(_marked(one.split()[:WORDS], other.split()[:WORDS])))}"


def _marked(one: Sequence[str], other: Sequence[str]) -> Iterator[str]:
    """The words of both, `[-old-]` and `{+new+}` where they differ."""
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from one[a:b]
            continue
        if b > a:
            yield f"[-{' '.join(one[a:b])}-]"
        if d > c:
            yield f"{{+{' '.join(other[c:d])}+}}"


def _texts(what: str, one: Sequence[str], other: Sequence[str]) -> Iterator[str]:
    here, there = Counter(one), Counter(other)
    if here == there:
        if list(one) != list(other):
            yield f"{what}: the same in another order"
        return
    for sign, only in (("-", here - there), ("+", there - here)):
        texts = list(only.elements())
        yield from (f"{what} {sign} {_short(text)}" for text in texts[:LINES])
        if len(texts) > LINES:
            yield f"{what} {sign} … and {len(texts) - LINES} more"


def _short(text: str) -> str:
    """One line of at most `WIDTH` characters."""
    text = " ".join(text[: 4 * WIDTH].split("\n"))
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"

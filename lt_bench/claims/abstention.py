"""Abstention: a reply that says the answer is not there, declines to give one, or evades."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lt_bench.claims.clauses import Clause


@dataclass(frozen=True)
class Abstention:
    """`missing`: it says that the information is not there. `refused`: it declines, evades or
    changes the subject. Numbers are those of the clauses."""

    missing: tuple[int, ...]
    refused: tuple[int, ...]

    @property
    def any(self) -> bool:
        """Whether the reply abstains at all."""
        return bool(self.missing or self.refused)


def abstention(clauses: tuple[Clause, ...]) -> Abstention:
    """The abstaining clauses of a reply."""
    return Abstention(
        tuple(i for i, c in enumerate(clauses) if c.kind == "abstention"),
        tuple(i for i, c in enumerate(clauses) if c.kind == "refusal"),
    )


def is_about(clause: Clause, asked: frozenset[str]) -> bool:
    """Whether an abstaining clause concerns what was asked: it names nothing, or something of
    the question. "The sheet says nothing about shipping" is no refusal to tell the price."""
    content = {s for s in clause.stems if s not in clause.language.idle and not s.isdigit()}
    return not content or bool(content & asked)


def changes_subject(clauses: tuple[Clause, ...], about: frozenset[str]) -> bool:
    """Whether a reply only asks back, or only chats: it talks of the one who speaks, and asserts
    nothing in which an amount occurs, a word that points at goods, or one of those that the
    question is `about`."""
    asserting = [clause for clause in clauses if clause.asserts]
    if not asserting:
        return any(clause.kind == "question" for clause in clauses)
    return any(map(_of_oneself, asserting)) and not any(_of_goods(c, about) for c in asserting)


_CHAT_WORDS: Final = 4
"""Chat has more words than an answer of one word, or one colour."""


def _of_oneself(clause: Clause) -> bool:
    return clause.spoken >= _CHAT_WORDS and _SELF.search(clause.text) is not None


def _of_goods(clause: Clause, about: frozenset[str]) -> bool:
    if clause.quantities or clause.dates or _POINTS.search(clause.text):
        return True
    return not clause.heard.isdisjoint(about - clause.language.common)


_SELF: Final = re.compile(
    r"\b(?:i|i'm|i've|my|we|we're|we've|me)\b"
    r"(?! (?:would|will|can|suggest|recommend|say|go|take|pick)\b)|我(?!建议|推荐|觉得|看|给|帮)"
)
_POINTS: Final = re.compile(
    r"\b(?:it|it's|its|they|they're|these|those|both|ones?|pairs?|sizes?)\b|它|码"
    r"|[这那](?:一?[款件双台只条把支瓶包副套盏]|个(?!问题|嘛)|[沙椅桌床鞋])"
)
"""Words that point at goods without naming them."""

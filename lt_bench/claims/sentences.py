"""Sentences of a folded text, and the joints at which they fall into clauses."""

from __future__ import annotations

from typing import Final

from lt_bench.claims.language import Language
from lt_bench.claims.languages import language_of
from lt_bench.claims.wording import words

_FOREIGN_WORDS: Final = 4
"""A sentence of so many words may be in another language than the reply."""


def sentences(folded: str, speaker: Language) -> list[tuple[int, int, bool]]:
    """Start and end of each sentence, without the mark that ends it, and whether that is a question mark."""
    spans, start = [], 0
    for match in speaker.sentence_end.finditer(folded):
        spans.append((start, match.start(), "?" in match.group()))
        start = match.end()
    spans.append((start, len(folded), False))
    return [span for span in spans if folded[span[0] : span[1]].strip()]


def speaker_of(sentence: str, speaker: Language) -> Language:
    """The language of a sentence: that of the reply, unless it is plainly another."""
    if not sentence.isascii():
        return speaker
    told = [word for word, _, _ in words(sentence) if word.isalpha()]
    return language_of(sentence) if len(told) >= _FOREIGN_WORDS else speaker


def joints(sentence: str, speaker: Language) -> list[int]:
    """Where the clauses of a sentence begin and end: 0, what parts them, its length."""
    ends = (
        m.end() if m.group().strip() else m.start() for m in speaker.clause_end.finditer(sentence)
    )
    return [0, *ends, len(sentence)]

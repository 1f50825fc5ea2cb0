"""What one language brings to the reading of a reply. To add one: a file beside `english`, and its
place in `languages`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lt_bench.claims.wording import stem


@dataclass(frozen=True)
class Language:
    """Patterns over folded text, and sets of stems.

    negator: a negating word; group `idiom` matches phrases that only look like one.
    scope_end: what ends the reach of a negator.
    question: the start of a sentence that asks, whatever ends it.
    wish: the start of a clause that supposes, quotes the viewer or offers, and asserts nothing.
    yes, no: a clause that answers a yes-or-no question. polar: the start of such a question.
    missing: says that information is not there. refusal: declines or evades.
    availability: patterns of `in`, `out` and `preorder`.
    promises: what a shop offers, which needs evidence whatever its words.
    feature: the words that open a statement of what a product has or is.
    checkable: stems of properties that need evidence wherever they are asserted.
    common: stems of ordinary talk that state no property.
    """

    name: str
    sentence_end: re.Pattern[str]
    clause_end: re.Pattern[str]
    negator: re.Pattern[str]
    scope_end: re.Pattern[str]
    wish: re.Pattern[str]
    question: re.Pattern[str]
    yes: re.Pattern[str]
    no: re.Pattern[str]
    polar: re.Pattern[str]
    missing: re.Pattern[str]
    refusal: re.Pattern[str]
    availability: dict[str, re.Pattern[str]]
    promises: re.Pattern[str]
    feature: re.Pattern[str]
    checkable: frozenset[str]
    common: frozenset[str]


def stem_set(words: str) -> frozenset[str]:
    """The stems of the words of a text, words separated by white space."""
    return frozenset(stem(word) for word in words.split()) | frozenset(words.split())


FUNCTION: Final = stem_set(
    "a an the this that it its it's is are was were be been do does did has have had of in on at to for "
    "with by from as and or but so if you your we our i my they their there can will would very also too "
    "just s t re ve ll d m comes come value get gets"
)
"""Stems that carry no content of their own."""

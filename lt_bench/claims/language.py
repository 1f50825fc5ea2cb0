"""What one language brings to the reading of a reply. To add one: a file beside `english`, and its
place in `languages`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lt_bench.claims.stemming import stem

NEVER: Final = re.compile(r"(?!)")
"""The pattern of what a language does not have."""


@dataclass(frozen=True, eq=False)
class Language:
    """Patterns over folded text, and sets of stems.

    How text falls apart:
    sentence_end, clause_end: what parts sentences and clauses.
    question: the start of a sentence that asks, whatever ends it. asks: the end of a clause that does.
    wish: the start of a clause that supposes, quotes the viewer or offers, and asserts nothing.
    turn: the start of a clause that takes back what was said before it.
    topical: the start of a clause that names a topic.

    What is so and what is not:
    negator: a negating word; group `idiom` matches phrases that only look like one.
    scope_end: what ends the reach of a negator. denial: the end of a clause that denies what
    stands before it. hedge: says two things at once.
    yes, no: a clause that answers a yes-or-no question. echo: one that may do so in the words of
    the question. polar: such a question. limits: a question
    that compares with a number of the viewer's.
    missing: says that information is not there. refusal: declines or evades. guess: supposes
    what nobody knows.

    What is said of goods:
    availability: patterns of `in`, `out` and `preorder`.
    promises: what a shop offers, which needs evidence whatever its words.
    feature: the words that open a statement of what a product has or is; window: what ends it.
    having: verbs under which the name of a property says that it is there.
    suffixed: a property that a suffix makes ("-proof"); group 1 or 2 is its stem.
    copula: all that may stand between the name of a property and its value.
    deriving: says that a number was worked out from others.
    beside: what stands before or around a product that another one is compared with.
    everyone: the start of a clause about all products at once.
    slot: a product called by its number; one of its groups is that number.
    saying: phrases that mean stems they do not hold ("on us": free); its groups name them in
    `meanings`; `said` only tells whether there is one. giving: says that something is given away; what it is needs evidence.
    numbered: what stands right before a slot's number in words ("number nine"), calling: right
    behind it ("nine is the one"), acting: behind what is spoken of ("nine has ..."). shown: the product that is being shown, as a whole answer.
    denying: a clause that only denies the one before it ("red, no"). greater: ranks upwards by whatever is spoken of. swift: ranks by time, of which less is better.
    approves, rejects: say that something can or cannot be done, without a yes or a no.
    imagined: compares with what the viewer believed, and no other product. instanced: the start of a clause that ends a question with an example of what is so ("like its long battery life"). vague: what makes a number before it no answer ("fifty-something").
    daily: when in the day something is used; its groups name the part of the day.
    taken_up: a topic of the question and no more ("a glass floor").
    other: the start of a clause about the other one of two products.
    comparative: groups `more_STEM` and `less_STEM` match words that rank products by the property
    STEM; `more` and `less` leave the property to the other words of the clause.

    checkable: stems of properties that need evidence wherever they are asserted.
    common: stems of ordinary talk that state no property.
    picking: stems that stand before a size of one letter ("take M").
    idle: stems of an abstention that name no subject.
    """

    name: str
    sentence_end: re.Pattern[str]
    clause_end: re.Pattern[str]
    question: re.Pattern[str]
    asks: re.Pattern[str]
    wish: re.Pattern[str]
    turn: re.Pattern[str]
    topical: re.Pattern[str]
    negator: re.Pattern[str]
    scope_end: re.Pattern[str]
    denial: re.Pattern[str]
    hedge: re.Pattern[str]
    yes: re.Pattern[str]
    no: re.Pattern[str]
    echo: re.Pattern[str]
    polar: re.Pattern[str]
    limits: re.Pattern[str]
    missing: re.Pattern[str]
    refusal: re.Pattern[str]
    guess: re.Pattern[str]
    availability: dict[str, re.Pattern[str]]
    promises: re.Pattern[str]
    feature: re.Pattern[str]
    window: re.Pattern[str]
    having: re.Pattern[str]
    suffixed: re.Pattern[str]
    copula: re.Pattern[str]
    deriving: re.Pattern[str]
    beside: re.Pattern[str]
    everyone: re.Pattern[str]
    slot: re.Pattern[str]
    said: re.Pattern[str]
    saying: re.Pattern[str]
    meanings: dict[str, tuple[str, ...]]
    comparative: re.Pattern[str]
    checkable: frozenset[str]
    common: frozenset[str]
    picking: frozenset[str]
    idle: frozenset[str]
    numbered: re.Pattern[str] = NEVER
    calling: re.Pattern[str] = NEVER
    acting: re.Pattern[str] = NEVER
    shown: re.Pattern[str] = NEVER
    denying: re.Pattern[str] = NEVER
    greater: re.Pattern[str] = NEVER
    swift: re.Pattern[str] = NEVER
    giving: re.Pattern[str] = NEVER
    approves: re.Pattern[str] = NEVER
    rejects: re.Pattern[str] = NEVER
    imagined: re.Pattern[str] = NEVER
    vague: re.Pattern[str] = NEVER
    instanced: re.Pattern[str] = NEVER
    daily: re.Pattern[str] = NEVER
    other: re.Pattern[str] = NEVER
    taken_up: re.Pattern[str] = NEVER


def at_words(alternatives: tuple[str, ...]) -> str:
    """One pattern of many; those that begin with a word boundary are tried at words only."""
    inside = [text for text in alternatives if not text.startswith(r"\b")]
    begun = "|".join(text[2:] for text in alternatives if text.startswith(r"\b"))
    return "|".join([rf"\b(?:{begun})", *inside])


def stem_set(words: str) -> frozenset[str]:
    """The stems of the words of a text, words separated by white space."""
    return frozenset(stem(word) for word in words.split()) | frozenset(words.split())


FUNCTION: Final = stem_set(
    "a an the this that it its it's is are was were be been being do does did has have had of in on at to for "
    "with by from as and or but so if you your we our i my they their there can will would very also too "
    "just s t re ve ll d m comes come value get gets"
)
"""Stems that carry no content of their own."""

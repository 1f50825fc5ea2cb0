"""What a language brings to the generator, which itself knows no words: see the package `en`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lt_bench.builders.commerce_qa.brands import Brands
from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.schema import Category, Value
from lt_bench.records import Lang

if TYPE_CHECKING:
    from lt_bench.builders.commerce_qa.product import Product

Slip = Callable[[str, Draw, frozenset[str]], str]
"""One way to type in a hurry. The words given are names and stay as they are; so does the sense."""


def always(change: Callable[[str], str]) -> Slip:
    """A slip in which nothing is drawn, and which no name has to be kept from."""
    return lambda text, _draw, _names: change(text)


def drawn(change: Callable[[str, Draw], str]) -> Slip:
    """A slip which no name has to be kept from."""
    return lambda text, draw, _names: change(text, draw)


@dataclass(frozen=True)
class Region:
    """Where a shop sells, in which currency: it ships to one of `homes` and perhaps to `also`."""

    currency: str
    weight: float
    homes: tuple[tuple[str, ...], ...]
    also: tuple[str, ...]


@dataclass(frozen=True)
class Language:
    """Everything the generator needs to speak a language.

    phrases: wordings by purpose.
    complete: bare words as a sentence about {it}, given the plainest sentence for the same.
    script: another script that some viewers write in throughout; None where there is none.
    shortened: a clause without {it} at its start, where that is understood.
    chained: clauses about {it} as one.
    gap: what stands between two sentences. either: what tells a question for one of two things
    ("is it A or B") from one for yes or no.
    question: a text as one writes a question with care. sentences: the same of what is stated.
    slips: ways to mistype, an entry repeated to be more frequent; careless: one that always shows.
    discount: a percentage as what a coupon takes off. variant: a colour with a size ("" where there is none). spelled: a slot number in words.
    convert: an amount in the unit that the sheet does not use; None where there is none.
    """

    code: Lang
    categories: tuple[Category, ...]
    phrases: Mapping[str, tuple[str, ...]]
    regions: tuple[Region, ...]
    brands: Brands
    gap: str
    either: str
    complete: Callable[[str, str], str]
    shortened: Callable[[str], str]
    chained: Callable[[list[str]], str]
    question: Callable[[str], str]
    sentences: Callable[[str], str]
    slips: tuple[Slip, ...]
    careless: Callable[[str], str]
    script: Callable[[str], str] | None
    variant: Callable[[str, str], str]
    spelled: Callable[[int], str]
    quantity: Callable[[Value, str], str]
    money: Callable[[float, str], str]
    day: Callable[[str], str]
    discount: Callable[[int], str]
    sheet: Callable[[Product, int], str]
    convert: Callable[[float, str], str | None]

    def phrase(self, purpose: str) -> str:
        """The one wording for `purpose`, where there is but one."""
        return self.phrases[purpose][0]

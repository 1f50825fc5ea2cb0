"""A scene: what stands in the evidence, what was said, and what a viewer asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.mini_qa.world import (
    AFTER,
    ATTRIBUTES,
    BEFORE,
    BY_NAME,
    PRODUCTS,
    SHOWN,
    Value,
)

FEWEST, MOST = 2, 4
"""Facts on the sheet of the product that is asked about."""
DISTRACTOR = 0.15
"""Share of scenes with a fact of another product. It bounds what a small model can reach: at 0.3
one of three layers answered 84 % correctly, at 0.15 92 %."""
MISSING = 0.10
"""Share of questions that no sheet answers."""
ELLIPTICAL = 0.35
"""Share of questions that call the product "it" after somebody named it."""
NOISE = 0.5
"""Chance of a word before the question, and of one after it."""


@dataclass(frozen=True)
class Sheet:
    """What is known of one product: attribute -> value."""

    product: str
    facts: Mapping[str, Value] = field(default_factory=dict)

    def line(self, attribute: str) -> str:
        """A fact of it as the evidence has it: "kettle price 30 usd"."""
        return f"{self.product} {attribute} {BY_NAME[attribute].spoken(self.facts[attribute])}"

    def lines(self) -> Iterator[str]:
        return map(self.line, self.facts)


@dataclass(frozen=True)
class Scene:
    """`sheets` in the order of the evidence. `said` came before the question, "" for nothing."""

    sheets: tuple[Sheet, ...]
    target: Sheet
    asked: str
    said: str
    question: str

    @property
    def answer(self) -> Value | None:
        """The value that was asked for; None where no sheet has it."""
        return self.target.facts.get(self.asked)

    def lines(self) -> list[str]:
        """Every fact of the evidence."""
        return [line for sheet in self.sheets for line in sheet.lines()]


def draw_scene(draw: Draw) -> Scene:
    """A scene. Two products never share an attribute: a model of this size learns to look up the
    word behind a word within minutes, but not behind a pair of words."""
    first, second = draw.sample(PRODUCTS, 2)
    names = [attribute.name for attribute in draw.shuffled(ATTRIBUTES)]
    known = draw.between(FEWEST, MOST)
    target = _sheet(first, names[:known], draw)
    foreign = names[known : known + draw.chance(DISTRACTOR)]
    sheets = [target, *([_sheet(second, foreign, draw)] if foreign else [])]
    left = names[known + len(foreign) :]
    asked = draw.pick(left if draw.chance(MISSING) else names[:known])
    said, question = _words(first, asked, draw)
    return Scene(tuple(draw.shuffled(sheets)), target, asked, said, question)


def _sheet(product: str, names: list[str], draw: Draw) -> Sheet:
    return Sheet(product, {name: draw.pick(BY_NAME[name].values) for name in names})


def _words(product: str, asked: str, draw: Draw) -> tuple[str, str]:
    """What was said, and the question with its noise."""
    elliptical = draw.chance(ELLIPTICAL)
    said = draw.pick(SHOWN).format(it=product) if elliptical else ""
    question = draw.pick(BY_NAME[asked].asks).format(it="it" if elliptical else f"the {product}")
    before = draw.pick(BEFORE) if draw.chance(NOISE) else ""
    after = draw.pick(AFTER) if draw.chance(NOISE) else ""
    return said, " ".join(filter(None, (before, question, after)))

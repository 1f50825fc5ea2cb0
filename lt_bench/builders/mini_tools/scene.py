"""A scene: a shop, what somebody wants of it, and in which words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from lt_bench.builders.mini_tools.wording import (
    AFTER,
    ASKS,
    BEFORE,
    BUYS,
    BUYS_IF,
    CANCELS,
    SHOWN,
    STATED,
    TALK,
    TWO,
    quoted,
)
from lt_bench.environments.mini_shop import ATTRIBUTES, PRODUCTS, values_of
from lt_bench.records import World
from lt_bench.stats.draw import Draw

Goal = Literal["ask", "two", "buy", "buy_if", "cancel", "talk", "vague", "again"]
Kind = Literal["call", "no_call", "clarify", "answer"]
KIND: Final[Mapping[Goal, Kind]] = {
    "ask": "call",
    "two": "call",
    "buy": "call",
    "buy_if": "call",
    "cancel": "call",
    "talk": "no_call",
    "vague": "clarify",
    "again": "answer",
}
"""The type of a row by what is wanted: of `vague` nobody can tell which product is meant, and what
`again` asks for stands in the history."""
GOALS: Final[tuple[tuple[Goal, float], ...]] = (
    ("ask", 0.28),
    ("two", 0.14),
    ("buy", 0.08),
    ("buy_if", 0.10),
    ("cancel", 0.06),
    ("talk", 0.10),
    ("vague", 0.08),
    ("again", 0.16),
)
ELLIPTICAL: Final = 0.3
"""Share of the wishes that call the product "it" after somebody named it."""
STATED_BEFORE: Final = 0.25
"""Share of these after which an agent has already said another of its attributes."""
NOISE: Final = 0.4
"""Chance of a word before the question, and of one after it."""
SEEDS: Final = 2**20


@dataclass(frozen=True)
class Scene:
    """`asked` are the attributes wanted, in order. `said` came before, "" for nothing, from the agent
    where `stated`."""

    goal: Goal
    world: World
    product: str
    asked: tuple[str, ...]
    said: str
    stated: bool
    question: str

    @property
    def kind(self) -> Kind:
        return KIND[self.goal]

    @property
    def values(self) -> Mapping[str, str]:
        """What the product has at first, by attribute."""
        return values_of(self.world)[self.product]


def draw_scene(goal: Goal, draw: Draw) -> Scene:
    """A scene of somebody who wants this, all else drawn."""
    product = draw.pick(PRODUCTS)
    asked = tuple(draw.sample(tuple(ATTRIBUTES), 2 if goal == "two" else 1))
    patch: dict[str, Any] = {"ordered": [product]} if goal == "cancel" else {}
    world = World(kind="mini_shop", seed=draw.below(SEEDS), patch=patch)
    said, stated = _before(goal, world, product, asked, draw)
    it = "it" if said or goal == "vague" else f"the {quoted(product)}"
    return Scene(goal, world, product, asked, said, stated, _question(goal, it, asked, draw))


def _before(
    goal: Goal, world: World, product: str, asked: tuple[str, ...], draw: Draw
) -> tuple[str, bool]:
    """What was said before, and whether the agent said it."""
    if goal in ("talk", "vague"):
        return "", False
    values = values_of(world)[product]
    if goal == "again":
        return _stated(product, asked[0], values), True
    if not draw.chance(ELLIPTICAL):
        return "", False
    others = [name for name in ATTRIBUTES if name not in asked]
    if goal in ("ask", "two") and draw.chance(STATED_BEFORE):
        return _stated(product, draw.pick(others), values), True
    return draw.pick(SHOWN).format(it=quoted(product)), False


def _stated(product: str, attribute: str, values: Mapping[str, str]) -> str:
    return STATED.format(product=quoted(product), attribute=attribute, value=values[attribute])


def _question(goal: Goal, it: str, asked: tuple[str, ...], draw: Draw) -> str:
    before = draw.pick(BEFORE) if draw.chance(NOISE) else ""
    after = draw.pick(AFTER) if draw.chance(NOISE) else ""
    return " ".join(filter(None, (before, _wish(goal, it, asked, draw), after)))


def _wish(goal: Goal, it: str, asked: tuple[str, ...], draw: Draw) -> str:
    match goal:
        case "two":
            return draw.pick(TWO).format(a=asked[0], b=asked[1], it=it)
        case "buy":
            return draw.pick(BUYS).format(it=it)
        case "buy_if":
            return draw.pick(BUYS_IF).format(it=it)
        case "cancel":
            return draw.pick(CANCELS).format(it=it)
        case "talk":
            return draw.pick(tuple(TALK))
        case _:
            return draw.pick(ASKS[asked[0]]).format(it=it)

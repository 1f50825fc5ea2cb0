"""What an answer tells: the facts in it, each with the very words that say it.

A statement is made anew in every wording that its language has, and looked for in the answer, so
that one fact can be exchanged while all around it stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.faults.counterfactual import attribute_at
from lt_bench.builders.commerce_qa.plan import Plan, Scene
from lt_bench.builders.commerce_qa.room import Listing
from lt_bench.builders.commerce_qa.schema import Value
from lt_bench.builders.commerce_qa.statement import COUPON, RETURNS, SHIPPING, Speaker, Statement
from lt_bench.claims.paths import lookup

T = TypeVar("T")
PRICE: Final = "offers.price"
STOCK: Final = "offers.availability"
LEFT: Final = "offers.inventoryLevel.value"
LATEST: Final = f"{SHIPPING}.deliveryTime.maxValue"
EARLIEST: Final = f"{SHIPPING}.deliveryTime.minValue"
POSTAGE: Final = f"{SHIPPING}.shippingRate.value"
RETURN_DAYS: Final = f"{RETURNS}.merchantReturnDays"
RETURN_FEES: Final = f"{RETURNS}.returnFees"
PACK: Final = "offers.addOn[name=pack].price"
GIFT: Final = "offers.addOn[name=gift].itemOffered"
RATING: Final = "aggregateRating.ratingValue"
VARIANT: Final = re.compile(r"hasVariant\[(\d+)\]\.offers\.availability")
PLACE: Final = re.compile(re.escape(SHIPPING) + r"\.shippingDestination\[(\d+)\]")
SIZE: Final = re.compile(r"size\[name=(.*)\]\.name")
WORDINGS: Final = 6
"""No purpose that states a fact has more wordings than these."""

_OFFER: Final[Mapping[str, Callable[[Speaker, Listing], Statement | None]]] = {
    PRICE: Speaker.price,
    f"{COUPON}.name": Speaker.coupon,
    f"{COUPON}.price": Speaker.with_coupon,
    f"{COUPON}.discount": Speaker.coupon_percent,
    f"{COUPON}.validThrough": Speaker.coupon_until,
    STOCK: Speaker.stock,
    LEFT: Speaker.left,
    LATEST: Speaker.shipping_time,
    POSTAGE: Speaker.shipping_cost,
    RETURN_DAYS: Speaker.return_days,
    RETURN_FEES: Speaker.return_cost,
    PACK: lambda speaker, listing: speaker.bundle(listing, "pack"),
    GIFT: lambda speaker, listing: speaker.bundle(listing, "gift"),
    RATING: Speaker.rating,
}


class Nth(Draw):
    """A draw that always picks the same place, so that a wording can be had again."""

    def __init__(self, place: int) -> None:
        super().__init__("nth", place)
        self._place = place

    def pick(self, items: Sequence[T]) -> T:
        return items[self._place % len(items)]


def restate(speaker: Speaker, listing: Listing, path: str) -> Statement | None:
    """What is at `path` of a product, in words; None where its sheet is silent."""
    attribute = attribute_at(listing, path)
    if attribute:
        listed = attribute in listing.product.listed
        return speaker.attribute(listing, attribute) if listed else None
    if variant := VARIANT.fullmatch(path):
        number = int(variant[1])
        there = number < len(listing.product.data.get("hasVariant", ()))
        return speaker.variant(listing, number) if there else None
    if size := SIZE.fullmatch(path):
        chart = listing.product.category.chart
        found = next((s for s in chart.sizes if s.name == size[1]), None) if chart else None
        return speaker.size(listing, found) if found else None
    if place := PLACE.fullmatch(path):
        return speaker.ship_to(listing, int(place[1]))
    return _OFFER[path](speaker, listing) if path in _OFFER else None


@dataclass(frozen=True)
class Told:
    """A fact in an answer. `clause` stands in the answer as it is, with {it} for `listing`, or
    {other} where `mark` says so; it is wording number `wording`."""

    listing: Listing
    path: str
    value: Value
    unit: str | None
    clause: str
    mark: str
    wording: int

    @property
    def is_money(self) -> bool:
        """Whether `unit` is the currency of the room."""
        return bool(self.unit == lookup(self.listing.product.data, "offers.priceCurrency"))

    def instead(self, scene: Scene, listing: Listing) -> str | None:
        """The clause in the same wording with the value that `listing` has at this path."""
        said = restate(Speaker(scene.language, Nth(self.wording)), listing, self.path)
        return said.clause.replace("{it}", self.mark) if said else None


def told(plan: Plan, scene: Scene) -> tuple[Told, ...]:
    """The facts about products in an answer, in the order of the gold; for a recommendation, the
    reasons given. What is said from other papers than product sheets is left out."""
    found: list[Told] = []
    for listing, mark in (
        (scene.target, "{it}"),
        *(((plan.other, "{other}"),) if plan.other else ()),
    ):
        for path in _paths(plan, listing):
            said = _find(plan, scene, listing, path, mark)
            if said:
                found.append(said)
    return tuple(found)


def _paths(plan: Plan, listing: Listing) -> Iterator[str]:
    if plan.intent == "recommendation":
        yield from (a.path for a in listing.product.listed if a.want)
        yield PRICE
        return
    yield from (fact.path for fact in plan.required if fact.document == listing.id)


def _find(plan: Plan, scene: Scene, listing: Listing, path: str, mark: str) -> Told | None:
    for wording in range(WORDINGS):
        said = restate(Speaker(scene.language, Nth(wording)), listing, path)
        clause = said.clause.replace("{it}", mark) if said else ""
        if said and clause in plan.answer:
            fact = said.facts[0]
            return Told(listing, path, fact.value, fact.unit, clause, mark, wording)
    return None

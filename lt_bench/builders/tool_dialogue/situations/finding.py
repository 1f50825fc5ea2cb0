"""Calls that several situations begin with, and the lists of goods that an agent read out before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lt_bench.builders.tool_dialogue import people
from lt_bench.builders.tool_dialogue.stage import Result, Stage, Unfit, Wanted
from lt_bench.environments.shop import Product, Variant

_PLACES = ("first", "second", "third")


@dataclass(frozen=True)
class Shown:
    """A product of a list that was read out, and the words that point at it."""

    product: Product
    ref: str


def search(stage: Stage, product: Product, said: str) -> Result:
    """Finds the number of a product by the words that the user had for it."""
    accept = {
        "query": people.names_of(stage, product),
        "category": (product.category,),
    }
    wanted = Wanted("search_products", {"query": said}, accept, ("category",))
    found = stage.call(wanted)
    if product.product_id not in [one["product_id"] for one in found["products"]]:
        raise Unfit("the search does not find it")
    return found


def check_stock(product: Product, variant: Variant) -> Wanted:
    """Stock of a variant; the whole list of a product tells it too."""
    return _of_variant("check_stock", product, variant)


def get_price(product: Product, variant: Variant, *, quantity: int = 1, coupon: str = "") -> Wanted:
    """Price of a variant; without quantity and coupon, that of all variants tells it too."""
    wanted = _of_variant("get_price", product, variant)
    if not coupon:
        return wanted
    arguments = {**wanted.arguments, "quantity": quantity, "coupon": coupon}
    optional = ("quantity", *wanted.optional) if quantity == 1 else wanted.optional
    return Wanted("get_price", arguments, {}, optional)


def _of_variant(name: str, product: Product, variant: Variant) -> Wanted:
    size = {"size": variant.size} if variant.size else {}
    arguments = {"product_id": product.product_id, "color": variant.color, **size}
    return Wanted(name, arguments, {}, ("color", *size))


def get_order(order_id: str) -> Wanted:
    """All of an order but its parcel."""
    return Wanted("get_order", {"order_id": order_id})


def track(order_id: str) -> Wanted:
    """The parcel of an order."""
    return Wanted("track_shipment", {"order_id": order_id})


def find_orders(customer: str) -> Wanted:
    """All orders of a customer."""
    return Wanted("find_orders", {"customer": customer})


def listing(stage: Stage) -> tuple[Product, ...]:
    """Two or three goods of one category that the agent reads out with their numbers."""
    by_category: dict[str, list[Product]] = {}
    for product in people.goods(stage):
        by_category.setdefault(product.category, []).append(product)
    kinds = [kind for kind, some in by_category.items() if len(some) > 1]
    category = people.pick(stage, kinds)
    some = tuple(stage.draw.shuffled(by_category[category]))
    stage.user("user.options", category=category)
    stage.agent(
        "agent.options", goods="; ".join(_entry(stage, n, one) for n, one in enumerate(some, 1))
    )
    return some


def _entry(stage: Stage, n: int, product: Product) -> str:
    lowest = lowest_price(product)
    return stage.say(
        "agent.option",
        n=n,
        product=product.name,
        id=product.product_id,
        price=stage.money(lowest / 100),
    )


def lowest_price(product: Product) -> int:
    """In hundredths."""
    return min(one.price for one in product.variants)


def point(stage: Stage, some: Sequence[Product]) -> Shown:
    """One of a list, and how a user points at it by its place."""
    place = stage.draw.below(len(some))
    last = place == len(some) - 1 and stage.draw.chance(0.3)
    stage.tag("ref:slot")
    name = "last" if last else _PLACES[place]
    return Shown(some[place], stage.say(f"ref.{name}"))


def mentioned(stage: Stage) -> tuple[Product, str]:
    """A product that was asked for by name before, with an answer, and how it was called."""
    product = people.some_product(stage)
    said = people.named(stage, product)
    variant = people.some_variant(stage, product, stocked=True)
    number = stage.patch["variants"][variant.sku]["stock"]
    words = people.variant_of(stage, variant)
    stage.user("user.stock", product=said, variant=words)
    stage.agent("agent.stock", product=product.name, variant=words, n=number)
    stage.tag("ref:ellipsis")
    return product, said

"""Who and what a split may speak of, and how an order is brought into the state a situation needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from lt_bench.builders.tool_dialogue.stage import Stage, Unfit
from lt_bench.environments.shop import Coupon, Customer, Order, OrderItem, Product, Variant
from lt_bench.environments.shop.calendar import day
from lt_bench.environments.shop.words import MARKETS
from lt_bench.stats.draw import bucket

T = TypeVar("T")
_OWNERS: Final = ("test", "test", "validation", "validation", *("train",) * 4)
"""Every brand and every person belongs to one split, by its hash in this table."""
_LATEST: Final = 29
"""Days after a delivery within which goods may still go back, with one to spare."""


def owner(kind: str, name: str) -> str:
    """The split that may name a brand or a person."""
    return _OWNERS[bucket(f"{kind}|{name.casefold()}", len(_OWNERS))]


def pick(stage: Stage, items: Iterable[T]) -> T:
    """One of them.

    Raises:
        Unfit: there is none.
    """
    found = list(items)
    if not found:
        raise Unfit("nothing fits")
    return stage.draw.pick(found)


# --- goods


def goods(stage: Stage) -> list[Product]:
    """The products that this split may name."""
    split = stage.setting.split
    return [one for one in stage.shop.products if owner("brand", one.brand) == split]


def some_product(stage: Stage) -> Product:
    """One of them."""
    return pick(stage, goods(stage))


def some_variant(stage: Stage, product: Product, *, stocked: bool | None = None) -> Variant:
    """A variant of a product, in stock or not as wanted, which the row's own patch sees to."""
    variant = stage.draw.pick(product.variants)
    if stocked is not None:
        stock = stage.draw.between(6, 40) if stocked else 0
        stage.change("variants", variant.sku, stock=stock)
    return variant


def named(stage: Stage, product: Product) -> str:
    """The product as a user calls it: its whole name, or brand and model."""
    return product.name if stage.draw.chance(0.6) else short(stage, product)


def short(stage: Stage, product: Product) -> str:
    """Brand and model."""
    kinds = MARKETS[stage.shop.lang].kinds
    noun = next(kind.noun for kind in kinds if kind.category == product.category)
    return product.name.removesuffix(noun).strip()


def names_of(stage: Stage, product: Product) -> tuple[str, ...]:
    """What may be searched for to find it."""
    brand, whole = product.brand, product.name
    category = product.category
    brief = short(stage, product)
    return (whole, brief, brand, f"{brief} {category}", f"{brand} {category}")


def variant_of(stage: Stage, variant: Variant) -> str:
    """Its colour and size in words."""
    return stage.language.variant(variant.color, variant.size)


def pieces(stage: Stage, n: int) -> str:
    """A number of pieces in words."""
    return stage.say("piece") if n == 1 else stage.say("pieces", n=n)


# --- people and orders


def customers(stage: Stage) -> list[Customer]:
    """The people that this split may speak of."""
    split = stage.setting.split
    return [one for one in stage.shop.customers if owner("person", one.name) == split]


def key_of(stage: Stage, customer: Customer) -> str:
    """How a customer says who she is."""
    return customer.customer_id if stage.draw.chance(0.6) else customer.email


def orders(stage: Stage) -> list[Order]:
    """Orders of these people of which nothing went back, so that any state fits them."""
    known = {one.customer_id for one in customers(stage)}
    return [
        order
        for order in stage.shop.orders
        if order.customer_id in known and not order.returns and order.status != "cancelled"
    ]


def some_orders(stage: Stage, n: int = 1) -> list[Order]:
    """`n` different orders of one customer, who speaks.

    Raises:
        Unfit: nobody has so many.
    """
    found = orders(stage)
    many = Counter(one.customer_id for one in found)
    first = pick(stage, [one for one in found if many[one.customer_id] >= n])
    stage.person = first.customer_id
    mine = [one for one in found if one.customer_id == first.customer_id and one != first]
    return [first, *stage.draw.sample(mine, n - 1)]


def some_customer(stage: Stage) -> Customer:
    """A customer, who speaks."""
    one = pick(stage, customers(stage))
    stage.person = one.customer_id
    return one


def with_goods(stage: Stage) -> tuple[Order, OrderItem, Product]:
    """An order, and an item of it that this split may name."""
    mine = {one.product_id: one for one in goods(stage)}
    variants = stage.shop.variant
    fitting = [
        (order, item, mine[variants(item.sku).product_id])
        for order in orders(stage)
        for item in order.items
        if variants(item.sku).product_id in mine
    ]
    found = pick(stage, fitting)
    stage.person = found[0].customer_id
    return found


def others_of(order: Order, product: Product, sku: str) -> list[Variant]:
    """The variants that may take the place of an item."""
    held = {item.sku for item in order.items}
    return [one for one in product.variants if one.sku not in held and one.sku != sku]


def processing(stage: Stage, order: Order) -> None:
    """The order is still in the shop."""
    if order.status == "processing":
        return
    stage.change("orders", order.order_id, status="processing", placed_on=day(-stage.draw.below(3)))
    if order.shipment:
        stage.change("shipments", order.order_id)


def shipped(stage: Stage, order: Order) -> None:
    """The order is on its way."""
    if order.status == "shipped":
        return
    draw, market = stage.draw, MARKETS[stage.shop.lang]
    ago = draw.between(1, 3)
    place = draw.pick(market.depots).format(city=order.address.city)
    stage.change("orders", order.order_id, status="shipped", placed_on=day(-ago - 1))
    _parcel(stage, order, day(-ago), day(draw.between(1, 4)), "", place)


def delivered(stage: Stage, order: Order, ago: int | None = None) -> int:
    """The order came so many days ago, by default within the time in which it may go back."""
    days = stage.draw.between(1, _LATEST) if ago is None else ago
    came = day(-days)
    stage.change("orders", order.order_id, status="delivered", placed_on=day(-days - 6))
    _parcel(stage, order, day(-days - 4), came, came, MARKETS[stage.shop.lang].door)
    return days


def _parcel(stage: Stage, order: Order, left: str, due: str, came: str, place: str) -> None:
    draw, market = stage.draw, MARKETS[stage.shop.lang]
    known = order.shipment
    stage.change(
        "shipments",
        order.order_id,
        carrier=known.carrier if known else draw.pick(market.carriers),
        tracking=known.tracking if known else f"T{draw.below(10**9):09d}",
        shipped_on=left,
        due_on=due,
        delivered_on=came,
        place=place,
    )


def cancelled(stage: Stage, order: Order, reason: str) -> None:
    """The order was called off."""
    stage.change("orders", order.order_id, status="cancelled", cancel_reason=reason)
    if order.shipment:
        stage.change("shipments", order.order_id)


def some_address(stage: Stage) -> dict[str, str]:
    """Street, city and postcode of nobody."""
    draw, market = stage.draw, MARKETS[stage.shop.lang]
    city, start = draw.pick(market.cities)
    free = market.postcode_digits - len(start)
    return {
        "street": market.street_form.format(
            number=draw.between(1, 240), street=draw.pick(market.streets)
        ),
        "city": city,
        "postcode": f"{start}{draw.below(10**free):0{free}d}",
    }


def unknown_order(stage: Stage) -> str:
    """A number that no order has."""
    known = {order.order_id for order in stage.shop.orders}
    return pick(stage, (f"A{n}" for n in range(10000, 99999, 37) if f"A{n}" not in known))


def two_coupons(stage: Stage) -> Sequence[Coupon]:
    """Two coupons of the shop."""
    return stage.draw.sample(stage.shop.coupons, 2)

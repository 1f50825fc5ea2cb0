"""Draws who buys, and what became of their orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, get_args

from lt_bench.environments.shop.calendar import TODAY, day
from lt_bench.environments.shop.goods import numbers
from lt_bench.environments.shop.money import Line, in_scope
from lt_bench.environments.shop.records import (
    Address,
    CancelReason,
    Coupon,
    Customer,
    Order,
    OrderItem,
    Product,
    Return,
    ReturnReason,
    Shipment,
    Status,
    Variant,
)
from lt_bench.environments.shop.words import Market
from lt_bench.stats.draw import Draw

_Fate = tuple[Status, bool]
_FATES: Final[tuple[_Fate, ...]] = (
    *(("processing", False),) * 9,
    *(("shipped", False),) * 5,
    *(("delivered", False),) * 7,
    *(("delivered", True),) * 2,
    *(("cancelled", False),) * 2,
)
"""What became of an order, and whether something of it went back. Orders get these in turn, from a
random one on, so that every shop has all of them."""
_WITH_COUPON: Final = 0.25


def draw_customers(market: Market, draw: Draw, n: int) -> tuple[Customer, ...]:
    """`n` people of different names."""
    every = [(first, last) for first in market.first_names for last in market.last_names]
    made = []
    for number, (first, last) in zip(
        numbers(draw, 1000, 10000, n), draw.sample(every, n), strict=True
    ):
        made.append(
            Customer(
                customer_id=f"C{number}",
                name=market.person_form.format(first=first[0], last=last[0]),
                email=f"{first[1]}.{last[1]}@example.com",
                address=draw_address(market, draw),
            )
        )
    return tuple(made)


def draw_address(market: Market, draw: Draw) -> Address:
    """An address of the market's form."""
    city, start = draw.pick(market.cities)
    free = market.postcode_digits - len(start)
    street = market.street_form.format(
        number=draw.between(1, 240), street=draw.pick(market.streets)
    )
    return Address(street, city, f"{start}{draw.below(10**free):0{free}d}")


def draw_orders(
    market: Market,
    draw: Draw,
    customers: Sequence[Customer],
    products: Sequence[Product],
    coupons: Sequence[Coupon],
) -> tuple[Order, ...]:
    """One to four orders of every customer, numbered by their days."""
    owners = [customer for customer in customers for _ in range(draw.between(1, 4))]
    used: set[tuple[str, str]] = set()
    made = []
    start = draw.below(len(_FATES))
    for number, customer in enumerate(draw.shuffled(owners), start):
        fate = _FATES[number % len(_FATES)]
        items, lines = _items(draw, products)
        coupon = _coupon(draw, coupons, lines) if draw.chance(_WITH_COUPON) else ""
        if (customer.customer_id, coupon) in used:
            coupon = ""
        used.add((customer.customer_id, coupon))
        made.append(_order(market, draw, customer, fate, items, coupon))
    made.sort(key=lambda order: order.placed_on)
    ids = numbers(draw, 10000, 100000, len(made))
    return tuple(
        replace(order, order_id=f"A{number}") for order, number in zip(made, ids, strict=True)
    )


def _items(draw: Draw, products: Sequence[Product]) -> tuple[tuple[OrderItem, ...], list[Line]]:
    bought = draw.sample(products, draw.weighted(((1, 0.5), (2, 0.35), (3, 0.15))))
    picked = sorted((_in_order(draw, product) for product in bought), key=lambda pair: pair[0].sku)
    items = tuple(item for item, _ in picked)
    lines = [Line(item.sku, kind, item.price, item.quantity) for item, kind in picked]
    return items, lines


def _in_order(draw: Draw, product: Product) -> tuple[OrderItem, str]:
    variant: Variant = draw.pick(product.variants)
    quantity = draw.weighted(((1, 0.8), (2, 0.15), (3, 0.05)))
    return OrderItem(variant.sku, quantity, variant.price), product.category


def _coupon(draw: Draw, coupons: Sequence[Coupon], lines: Sequence[Line]) -> str:
    """One that the order was good for, if there is any."""
    fit = [
        coupon.code
        for coupon in coupons
        if coupon.expires >= TODAY and in_scope(lines, coupon) >= coupon.minimum
    ]
    return draw.pick(fit) if fit else ""


def _order(
    market: Market,
    draw: Draw,
    customer: Customer,
    fate: _Fate,
    items: tuple[OrderItem, ...],
    coupon: str,
) -> Order:
    status, went_back = fate
    ago = {
        "processing": draw.between(0, 2),
        "shipped": draw.between(3, 6),
        "delivered": draw.between(8, 62),
        "cancelled": draw.between(4, 50),
    }[status]
    shipment = _shipment(market, draw, status, ago, customer.address.city)
    return Order(
        order_id="",
        customer_id=customer.customer_id,
        status=status,
        placed_on=day(-ago),
        address=customer.address,
        coupon=coupon,
        cancel_reason=draw.pick(get_args(CancelReason)) if status == "cancelled" else "",
        items=items,
        shipment=shipment,
        returns=(_return(draw, items),) if went_back else (),
    )


def _shipment(market: Market, draw: Draw, status: Status, ago: int, city: str) -> Shipment | None:
    """Shipped a day or two after the order; delivered three to six days after it."""
    if status not in ("shipped", "delivered"):
        return None
    shipped, way = ago - draw.between(1, 2), draw.between(2, 4)
    place = market.door if status == "delivered" else draw.pick(market.depots).format(city=city)
    return Shipment(
        carrier=draw.pick(market.carriers),
        tracking=f"T{draw.below(10**9):09d}",
        shipped_on=day(-shipped),
        due_on=day(draw.between(1, 4) if status == "shipped" else way - shipped),
        delivered_on=day(way - shipped) if status == "delivered" else "",
        place=place,
    )


def _return(draw: Draw, items: tuple[OrderItem, ...]) -> Return:
    reason = draw.pick([one for one in get_args(ReturnReason) if one != "changed_mind"])
    return Return(draw.pick(items).sku, "return", reason, "")

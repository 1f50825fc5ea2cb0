"""What an order comes to. Nothing of it is stored: equal orders cost the same, however they came about.

All sums are in hundredths of the currency; a half is rounded up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lt_bench.environments.shop.records import Coupon
from lt_bench.environments.shop.words import Market


@dataclass(frozen=True, slots=True)
class Line:
    """Pieces of one variant in an order, `price` each."""

    sku: str
    category: str
    price: int
    quantity: int

    @property
    def goods(self) -> int:
        return self.price * self.quantity


@dataclass(frozen=True, slots=True)
class Bill:
    goods: int
    discount: int
    shipping: int

    @property
    def total(self) -> int:
        return self.goods - self.discount + self.shipping


def in_scope(lines: Sequence[Line], coupon: Coupon) -> int:
    """The worth of the goods that a coupon is for."""
    return sum(line.goods for line in lines if coupon.category in ("", line.category))


def discount(lines: Sequence[Line], coupon: Coupon | None) -> int:
    """What a coupon takes off; never more than the goods it is for."""
    if coupon is None:
        return 0
    scope = in_scope(lines, coupon)
    return (
        _share(scope, coupon.value, 100) if coupon.kind == "percent" else min(coupon.value, scope)
    )


def bill(market: Market, lines: Sequence[Line], coupon: Coupon | None) -> Bill:
    """Goods, discount and shipping; shipping is free once the goods less the discount reach a sum."""
    goods, off = sum(line.goods for line in lines), discount(lines, coupon)
    return Bill(goods, off, 0 if goods - off >= market.free_from else market.shipping)


def refund(lines: Sequence[Line], coupon: Coupon | None, sku: str) -> int:
    """What comes back for one line: its goods less its share of the discount."""
    line = next(line for line in lines if line.sku == sku)
    if coupon is None or coupon.category not in ("", line.category):
        return line.goods
    return line.goods - _share(discount(lines, coupon), line.goods, in_scope(lines, coupon))


def _share(total: int, part: int, whole: int) -> int:
    return (2 * total * part + whole) // (2 * whole) if whole else 0


def units(hundredths: int) -> int | float:
    """A sum as tools write it: 199 for 19900, 39.99 for 3999."""
    return hundredths // 100 if hundredths % 100 == 0 else hundredths / 100

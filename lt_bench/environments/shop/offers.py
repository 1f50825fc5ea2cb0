"""Whether a coupon is good for some goods."""

from __future__ import annotations

from collections.abc import Sequence

from lt_bench.environments.shop.calendar import TODAY
from lt_bench.environments.shop.desk import Desk
from lt_bench.environments.shop.money import Line, in_scope, units
from lt_bench.environments.shop.records import Coupon
from lt_bench.environments.shop.saying import Refused


def no_good(desk: Desk, coupon: Coupon, lines: Sequence[Line]) -> Refused | None:
    """Why these goods cannot have it, None if they can."""
    if coupon.expires < TODAY:
        return desk.voice.refuse("expired", "coupon_expired", code=coupon.code, day=coupon.expires)
    return falls_short(desk, coupon, lines)


def falls_short(desk: Desk, coupon: Coupon, lines: Sequence[Line]) -> Refused | None:
    """Why the goods are not worth enough for it, None if they are."""
    goods = in_scope(lines, coupon)
    if goods and goods >= coupon.minimum:
        return None
    return desk.voice.refuse(
        "goods_short",
        "coupon_minimum",
        code=coupon.code,
        minimum=units(coupon.minimum),
        goods=units(goods),
    )


def used_before(desk: Desk, coupon: Coupon, customer_id: str) -> Refused | None:
    """The order in which the customer used it already, None if there is none."""
    row = desk.row(
        "SELECT order_id FROM orders WHERE customer_id = ? AND coupon = ? AND status != 'cancelled'"
        " ORDER BY order_id",
        customer_id,
        coupon.code,
    )
    if row is None:
        return None
    return desk.voice.refuse("used", "coupon_once", code=coupon.code, order=row[0])

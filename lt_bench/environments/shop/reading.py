"""The other tools that only look."""

from __future__ import annotations

from typing import Any

from lt_bench.environments.shop.calendar import TODAY
from lt_bench.environments.shop.desk import Desk
from lt_bench.environments.shop.money import Line, discount, units
from lt_bench.environments.shop.offers import no_good
from lt_bench.environments.shop.records import Coupon, Order, Product, Variant
from lt_bench.environments.shop.saying import shown
from lt_bench.environments.shop.searching import same

Arguments = dict[str, Any]
Result = dict[str, Any]


# --- Goods ------------------------------------------------------------------------------------


def get_product(desk: Desk, given: Arguments) -> Result:
    """All but prices and stock; those have tools of their own."""
    product = desk.product(given["product_id"])
    return {
        "product_id": product.product_id,
        "name": product.name,
        "brand": product.brand,
        "category": product.category,
        "material": product.material,
        "weight_g": product.weight,
        "warranty_months": product.warranty,
        "rating": product.rating / 10,
        "colors": product.colors,
        "sizes": product.sizes,
        "returnable": product.returnable,
    }


def check_stock(desk: Desk, given: Arguments) -> Result:
    """The stock of the variants as wanted."""
    product = desk.product(given["product_id"])
    wanted = _wanted(desk, product, given)
    return _listed(product, [{**_named(one), "stock": one.stock} for one in wanted])


def get_price(desk: Desk, given: Arguments) -> Result:
    """The price of the variants as wanted; what a coupon cannot do for them is said, not refused."""
    product = desk.product(given["product_id"])
    coupon = desk.coupon("coupon", given["coupon"]) if "coupon" in given else None
    priced = [
        {**_named(one), **_price(desk, product, one, int(given.get("quantity", 1)), coupon)}
        for one in _wanted(desk, product, given)
    ]
    return {**_listed(product, priced), "currency": desk.market.currency}


def _price(
    desk: Desk, product: Product, variant: Variant, quantity: int, coupon: Coupon | None
) -> Result:
    line = Line(variant.sku, product.category, variant.price, quantity)
    priced: Result = {"price": units(variant.price)}
    if quantity == 1 and coupon is None:
        return priced
    fault = no_good(desk, coupon, [line]) if coupon else None
    off = 0 if fault else discount([line], coupon)
    priced |= {"quantity": quantity, "discount": units(off), "to_pay": units(line.goods - off)}
    return {**priced, "coupon_not_used": str(fault)} if fault else priced


def _wanted(desk: Desk, product: Product, given: Arguments) -> list[Variant]:
    """The variants of the colour and size that are asked for; never none."""
    for argument, offered in (("color", product.colors), ("size", product.sizes)):
        said = given.get(argument)
        if said is None or any(same(said, one) for one in offered):
            continue
        if not offered:
            raise desk.voice.refuse("no_sizes", argument=argument)
        known = desk.voice.join(offered)
        raise desk.voice.refuse("not_offered", argument=argument, value=shown(said), offered=known)
    wanted = [
        one
        for one in product.variants
        if same(given.get("color", one.color), one.color)
        and same(given.get("size", one.size), one.size)
    ]
    if not wanted:
        raise desk.voice.refuse("no_variant", color=given["color"], size=given["size"])
    return wanted


def _named(variant: Variant) -> Result:
    size = {"size": variant.size} if variant.size else {}
    return {"sku": variant.sku, "color": variant.color, **size}


def _listed(product: Product, variants: list[Result]) -> Result:
    return {"product_id": product.product_id, "name": product.name, "variants": variants}


def check_coupon(desk: Desk, given: Arguments) -> Result:
    """What it is worth, and whether it is still valid today."""
    coupon = desk.coupon("code", given["code"])
    percent = coupon.kind == "percent"
    return {
        "code": coupon.code,
        "valid": coupon.expires >= TODAY,
        "expires": coupon.expires,
        "percent_off" if percent else "amount_off": coupon.value
        if percent
        else units(coupon.value),
        "minimum": units(coupon.minimum),
        "currency": desk.market.currency,
        "category": coupon.category or None,
    }


# --- Orders -----------------------------------------------------------------------------------


def get_order(desk: Desk, given: Arguments) -> Result:
    """All of an order but its parcel."""
    order = desk.order(given["order_id"])
    back = [
        {"sku": one.sku, "kind": one.kind, "reason": one.reason}
        | ({"new_sku": one.new_sku} if one.new_sku else {})
        for one in order.returns
    ]
    return {
        "order_id": order.order_id,
        "customer_id": order.customer_id,
        "status": order.status,
        **({"cancel_reason": order.cancel_reason} if order.cancel_reason else {}),
        "placed_on": order.placed_on,
        "address": {
            "street": order.address.street,
            "city": order.address.city,
            "postcode": order.address.postcode,
        },
        "items": items_of(desk, order),
        "coupon": order.coupon or None,
        **desk.sums(desk.bill(order)),
        **({"returns": back} if back else {}),
    }


def items_of(desk: Desk, order: Order) -> list[Result]:
    """The items of an order with the names of the goods."""
    made = []
    for item in order.items:
        variant = desk.variant("sku", item.sku)
        name = desk.product(variant.product_id).name
        more = {"quantity": item.quantity, "price": units(item.price)}
        made.append({"name": name, **_named(variant), **more})
    return made


def find_orders(desk: Desk, given: Arguments) -> Result:
    """A customer's orders, the newest first, with the names of the goods."""
    customer = desk.customer("customer", given["customer"])
    found = desk.rows(
        "SELECT order_id FROM orders WHERE customer_id = ? AND status = coalesce(?, status)"
        " ORDER BY placed_on DESC, order_id DESC",
        customer.customer_id,
        given.get("status"),
    )
    return {
        "customer_id": customer.customer_id,
        "name": customer.name,
        "orders": [_in_short(desk, desk.order(order_id)) for (order_id,) in found],
    }


def _in_short(desk: Desk, order: Order) -> Result:
    return {
        "order_id": order.order_id,
        "status": order.status,
        "placed_on": order.placed_on,
        "items": [item["name"] for item in items_of(desk, order)],
        "total": units(desk.bill(order).total),
        "currency": desk.market.currency,
    }


def track_shipment(desk: Desk, given: Arguments) -> Result:
    """Where the parcel is; an order without one says why."""
    order = desk.order(given["order_id"])
    head = {"order_id": order.order_id, "status": order.status}
    parcel = order.shipment
    if parcel is None:
        cancelled = order.status == "cancelled"
        return {**head, "note": desk.voice.say("was_cancelled" if cancelled else "not_shipped")}
    came = (
        {"delivered_on": parcel.delivered_on} if parcel.delivered_on else {"due_on": parcel.due_on}
    )
    return {
        **head,
        "carrier": parcel.carrier,
        "tracking": parcel.tracking,
        "shipped_on": parcel.shipped_on,
        **came,
        "place": parcel.place,
    }

"""The tools that change something, within the rules of the shop."""

from __future__ import annotations

import hashlib
from itertools import count
from typing import Any

from lt_bench.environments.shop.calendar import LAST_DELIVERY, TODAY
from lt_bench.environments.shop.desk import Desk
from lt_bench.environments.shop.money import refund, units
from lt_bench.environments.shop.offers import falls_short, no_good, used_before
from lt_bench.environments.shop.records import Coupon, Customer, Order, OrderItem, Variant
from lt_bench.environments.shop.saying import shown
from lt_bench.environments.shop.tables import insert

Arguments = dict[str, Any]
Result = dict[str, Any]


# --- Open orders ------------------------------------------------------------------------------


def place_order(desk: Desk, given: Arguments) -> Result:
    """Takes the goods from the shelves, at today's prices."""
    customer = desk.customer("customer", given["customer"])
    wanted: dict[str, int] = {}
    for at, item in enumerate(given["items"]):
        if item["sku"] in wanted:
            raise desk.voice.refuse("twice", argument=f"items[{at}].sku", value=shown(item["sku"]))
        wanted[item["sku"]] = int(item["quantity"])
    coupon = desk.coupon("coupon", given["coupon"]) if "coupon" in given else None
    order_id = _new_id(desk, customer, wanted, coupon)
    _open_order(desk, order_id, customer, coupon)
    for sku, quantity in wanted.items():
        variant = desk.variant("items", sku)
        _take(desk, variant, quantity)
        insert(desk.store, "order_items", [(order_id, sku, quantity, variant.price)])
    if coupon:
        fault = no_good(desk, coupon, desk.lines(order_id))
        if fault:
            raise fault
    order = desk.order(order_id)
    return {"order_id": order_id, "status": order.status, **desk.sums(desk.bill(order))}


def _open_order(desk: Desk, order_id: str, customer: Customer, coupon: Coupon | None) -> None:
    if coupon and (fault := used_before(desk, coupon, customer.customer_id)):
        raise fault
    address = (customer.address.street, customer.address.city, customer.address.postcode)
    code = coupon.code if coupon else ""
    head = (order_id, customer.customer_id, "processing", TODAY)
    insert(desk.store, "orders", [(*head, *address, code, "")])


def _new_id(desk: Desk, customer: Customer, wanted: dict[str, int], coupon: Coupon | None) -> str:
    """A number that follows from what is ordered, so that two orders have the same numbers
    whichever comes first."""
    what = (customer.customer_id, sorted(wanted.items()), coupon.code if coupon else "")
    for attempt in count():
        digest = hashlib.sha256(f"{what}|{attempt}".encode()).digest()
        order_id = f"A{1_000_000 + int.from_bytes(digest[:8], 'big') % 9_000_000}"
        if desk.row("SELECT 1 FROM orders WHERE order_id = ?", order_id) is None:
            return order_id
    raise AssertionError("unreachable")


def cancel_order(desk: Desk, given: Arguments) -> Result:
    """Puts the goods back on the shelves."""
    order = _open(desk, given["order_id"])
    for item in order.items:
        _put_back(desk, item.sku, item.quantity)
    desk.change(
        "UPDATE orders SET status = 'cancelled', cancel_reason = ? WHERE order_id = ?",
        given["reason"],
        order.order_id,
    )
    return {
        "order_id": order.order_id,
        "status": "cancelled",
        "refund": units(desk.bill(order).total),
        "currency": desk.market.currency,
    }


def change_order_address(desk: Desk, given: Arguments) -> Result:
    """Blanks around the parts are taken off."""
    order = _open(desk, given["order_id"])
    address = {name: given[name].strip() for name in ("street", "city", "postcode")}
    for name, part in address.items():
        if not part:
            raise desk.voice.refuse("too_short", argument=name)
    desk.change(
        "UPDATE orders SET street = ?, city = ?, postcode = ? WHERE order_id = ?",
        *address.values(),
        order.order_id,
    )
    return {"order_id": order.order_id, "address": address}


def change_order_item(desk: Desk, given: Arguments) -> Result:
    """All pieces of an item become another variant, at today's price."""
    order = _open(desk, given["order_id"])
    item, variant = _instead(desk, order, given)
    before = desk.bill(order).total
    _put_back(desk, item.sku, item.quantity)
    _take(desk, variant, item.quantity)
    desk.change(
        "UPDATE order_items SET sku = ?, price = ? WHERE order_id = ? AND sku = ?",
        variant.sku,
        variant.price,
        order.order_id,
        item.sku,
    )
    if order.coupon:
        coupon = desk.coupon("coupon", order.coupon)
        fault = falls_short(desk, coupon, desk.lines(order.order_id))
        if fault:
            raise fault
    after = desk.bill(order)
    return {
        "order_id": order.order_id,
        "sku": variant.sku,
        "difference": units(after.total - before),
        **desk.sums(after),
    }


def apply_coupon(desk: Desk, given: Arguments) -> Result:
    """The order costs less from now on."""
    order = _open(desk, given["order_id"])
    coupon = desk.coupon("code", given["code"])
    if order.coupon:
        raise desk.voice.refuse("has_coupon", "coupon_one", order=order.order_id, code=order.coupon)
    fault = no_good(desk, coupon, desk.lines(order.order_id))
    fault = fault or used_before(desk, coupon, order.customer_id)
    if fault:
        raise fault
    desk.change("UPDATE orders SET coupon = ? WHERE order_id = ?", coupon.code, order.order_id)
    sums = desk.sums(desk.bill(desk.order(order.order_id)))
    return {"order_id": order.order_id, "coupon": coupon.code, **sums}


def _open(desk: Desk, order_id: str) -> Order:
    order = desk.order(order_id)
    if order.status != "processing":
        raise desk.voice.refuse("status", "open_only", order=order_id, status=order.status)
    return order


# --- Delivered orders -------------------------------------------------------------------------


def return_order(desk: Desk, given: Arguments) -> Result:
    """Items go back whole; nothing is on the shelves before it has come."""
    order = _delivered(desk, given["order_id"])
    reason, skus = given["reason"], given["skus"]
    for at, sku in enumerate(skus):
        _may_go_back(desk, order, f"skus[{at}]", sku, reason)
    insert(desk.store, "returns", [(order.order_id, sku, "return", reason, "") for sku in skus])
    coupon = desk.coupon("coupon", order.coupon) if order.coupon else None
    lines = desk.lines(order.order_id)
    paid = sum(refund(lines, coupon, sku) for sku in skus)
    postage = desk.market.return_postage if reason == "changed_mind" else 0
    return {
        "order_id": order.order_id,
        "returned": skus,
        "postage": units(postage),
        "refund": units(max(0, paid - postage)),
        "currency": desk.market.currency,
    }


def exchange_item(desk: Desk, given: Arguments) -> Result:
    """The new variant is set aside now, the old one goes back."""
    order = _delivered(desk, given["order_id"])
    _may_go_back(desk, order, "sku", given["sku"], given["reason"])
    item, variant = _instead(desk, order, given)
    _take(desk, variant, item.quantity)
    back = (order.order_id, item.sku, "exchange", given["reason"], variant.sku)
    insert(desk.store, "returns", [back])
    return {
        "order_id": order.order_id,
        "sku": item.sku,
        "new_sku": variant.sku,
        "difference": units((variant.price - item.price) * item.quantity),
        "currency": desk.market.currency,
    }


def _delivered(desk: Desk, order_id: str) -> Order:
    order = desk.order(order_id)
    if order.status != "delivered" or order.shipment is None:
        raise desk.voice.refuse("status", "delivered_only", order=order_id, status=order.status)
    day = order.shipment.delivered_on
    if day < LAST_DELIVERY:
        raise desk.voice.refuse("days_ago", "window", order=order_id, day=day)
    return order


def _may_go_back(desk: Desk, order: Order, argument: str, sku: str, reason: str) -> None:
    _item(desk, order, argument, sku)
    if any(one.sku == sku for one in order.returns):
        raise desk.voice.refuse("went_back", "once", sku=sku, order=order.order_id)
    product = desk.product(desk.variant(argument, sku).product_id)
    if reason == "changed_mind" and not product.returnable:
        raise desk.voice.refuse("not_returnable", "opened", name=product.name)


# --- Items ------------------------------------------------------------------------------------


def _item(desk: Desk, order: Order, argument: str, sku: str) -> OrderItem:
    for item in order.items:
        if item.sku == sku:
            return item
    held = desk.voice.join(item.sku for item in order.items)
    raise desk.voice.refuse(
        "not_in_order", argument=argument, value=shown(sku), order=order.order_id, held=held
    )


def _instead(desk: Desk, order: Order, given: Arguments) -> tuple[OrderItem, Variant]:
    """The item `sku` of an order, and the variant `new_sku` that may take its place."""
    item = _item(desk, order, "sku", given["sku"])
    variant = desk.variant("new_sku", given["new_sku"])
    if variant.product_id != desk.variant("sku", item.sku).product_id:
        raise desk.voice.refuse("other_product", "same_product", sku=variant.sku)
    if any(one.sku == variant.sku for one in order.items):
        raise desk.voice.refuse(
            "already_in_order",
            "same_product",
            argument="new_sku",
            value=shown(variant.sku),
            order=order.order_id,
        )
    return item, variant


def _take(desk: Desk, variant: Variant, quantity: int) -> None:
    if variant.stock < quantity:
        raise desk.voice.refuse(
            "stock", "in_stock", sku=variant.sku, stock=variant.stock, needed=quantity
        )
    _put_back(desk, variant.sku, -quantity)


def _put_back(desk: Desk, sku: str, quantity: int) -> None:
    desk.change("UPDATE variants SET stock = stock + ? WHERE sku = ?", quantity, sku)

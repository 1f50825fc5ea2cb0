"""What changes an order, or makes one: all that the rules allow, and what they do not."""

from __future__ import annotations

from typing import Final, get_args

from lt_bench.builders.tool_dialogue import people
from lt_bench.builders.tool_dialogue.situations import finding, telling
from lt_bench.builders.tool_dialogue.stage import Ending, Result, Stage, Unfit, Wanted
from lt_bench.environments.shop import Order, Product, Variant
from lt_bench.environments.shop.records import CancelReason, ReturnReason

_OPEN: Final = 0.72
"""Share of the orders that are still open when somebody wants them changed."""


def cancel(stage: Stage) -> Ending:
    """Cancel this order, for this reason."""
    (order,) = people.some_orders(stage)
    _maybe_open(stage, order)
    reason, why = _why_cancel(stage)
    if stage.draw.chance(0.3):
        telling.order_before(stage, order)
        stage.ask("cancel.it", why=why)
    else:
        stage.ask("cancel", order=order.order_id, why=why)
    return _cancelled(stage, order, _cancel(stage, order.order_id, reason))


def cancel_latest(stage: Stage) -> Ending:
    """Cancel my last order: which one that is, and whether it is open, has to be looked up."""
    customer = people.some_customer(stage)
    key = people.key_of(stage, customer)
    reason, why = _why_cancel(stage)
    stage.ask("cancel.latest", customer=key, why=why)
    newest = _newest(stage, key)
    if newest["status"] != "processing":
        stage.tag("case:policy_violation")
        status = stage.language.statuses[newest["status"]]
        reply = stage.say("say.order_is", order=newest["order_id"], status=status)
        return stage.end(
            "call", "think.refused", reply, stated=("not", newest["status"]), must_not=_DONE
        )
    result = _cancel(stage, newest["order_id"], reason)
    return _cancelled(stage, None, result, newest["order_id"])


def track_latest(stage: Stage) -> Ending:
    """Where is what I ordered last."""
    customer = people.some_customer(stage)
    key = people.key_of(stage, customer)
    if stage.draw.chance(0.4):
        stage.user("user.customer", customer=key)
        stage.agent("agent.customer", name=customer.name)
        stage.tag("ref:ellipsis")
        stage.ask("latest.known")
    else:
        stage.ask("latest", customer=key)
    newest = _newest(stage, key)
    return telling.parcel(stage, stage.call(finding.track(newest["order_id"])))


def open_orders(stage: Stage) -> Ending:
    """Which of my orders have not left."""
    customer = people.some_customer(stage)
    key = people.key_of(stage, customer)
    stage.ask("count_orders", customer=key)
    found = stage.call(
        Wanted("find_orders", {"customer": key, "status": "processing"}, {}, ("status",))
    )
    numbers = [one["order_id"] for one in found["orders"]]
    if not numbers:
        reply = stage.say("say.none_open")
        return stage.end("call", "think.done", reply, stated=("none",))
    reply = stage.say("say.open_orders", orders=stage.language.listed(numbers))
    return stage.end("call", "think.done", reply, must=numbers)


def address(stage: Stage) -> Ending:
    """Send it elsewhere."""
    (order,) = people.some_orders(stage)
    _maybe_open(stage, order)
    new, stage.exact = people.some_address(stage), True
    if stage.draw.chance(0.3):
        stage.tag("case:changed_mind")
        stage.ask("address.changed_mind", order=order.order_id, **new)
    else:
        stage.ask("address", order=order.order_id, **new)
    result = stage.call(_new_address(order, new))
    if result.error:
        return telling.refused(stage, result, must=(), stated=(_status_of(stage, order),))
    reply = stage.say("say.address", order=order.order_id, **new)
    return stage.end("call", "think.done", reply, stated=("moved",))


def changed_mind(stage: Stage) -> Ending:
    """The user began to cancel, was asked for the reason, and now wants something else."""
    (order,) = people.some_orders(stage)
    people.processing(stage, order)
    new, stage.exact = people.some_address(stage), True
    stage.user("user.start_cancel", order=order.order_id)
    stage.agent("agent.ask_reason")
    stage.tag("case:changed_mind")
    wish = stage.say("address", order=order.order_id, **new)
    stage.ask("user.never_mind", ask=wish)
    stage.call(_new_address(order, new))
    reply = stage.say("say.address", order=order.order_id, **new)
    return stage.end("call", "think.done", reply, stated=("moved",))


def coupon(stage: Stage) -> Ending:
    """Put a coupon on an order; the shop says whether it may be there."""
    (order,) = people.some_orders(stage)
    people.processing(stage, order)
    one = people.pick(stage, stage.shop.coupons)
    if stage.draw.chance(0.6):
        _make_good(stage, order, one.code)
    stage.ask("coupon.apply", order=order.order_id, code=one.code)
    wanted = Wanted("apply_coupon", {"order_id": order.order_id, "code": one.code})
    result = stage.call(wanted)
    if result.error:
        return telling.refused(stage, result)
    total = stage.money(result["total"])
    reply = stage.say("say.coupon_on", order=order.order_id, code=one.code, total=total)
    return stage.end("call", "think.done", reply, stated=("applied",))


def unknown_coupon(stage: Stage) -> Ending:
    """A code that the shop does not know."""
    (order,) = people.some_orders(stage)
    people.processing(stage, order)
    known = {one.code for one in stage.shop.coupons}
    code = next(
        made
        for n in range(10, 100)
        if (made := f"{stage.draw.pick(('GIFT', 'LUCKY', 'BONUS', 'FRIEND'))}{n}") not in known
    )
    stage.tag("case:not_found")
    stage.ask("coupon.apply", order=order.order_id, code=code)
    stage.call(Wanted("apply_coupon", {"order_id": order.order_id, "code": code}))
    reply = stage.say("say.unknown_coupon", code=code)
    return stage.end("call", "think.not_found", reply, stated=("not found",))


def give_back(stage: Stage) -> Ending:
    """Return an item: its number stands in the order."""
    order, item, product = people.with_goods(stage)
    people.delivered(stage, order, _ago(stage))
    reason, why = _why_back(stage)
    stage.ask("return", order=order.order_id, product=people.named(stage, product), why=why)
    stage.call(finding.get_order(order.order_id))
    arguments = {"order_id": order.order_id, "skus": [item.sku], "reason": reason}
    result = stage.call(Wanted("return_order", arguments))
    if result.error:
        return telling.refused(stage, result)
    said = {
        "product": product.name,
        "order": order.order_id,
        "refund": stage.money(result["refund"]),
    }
    if result["postage"]:
        reply = stage.say("say.postage", postage=stage.money(result["postage"]), **said)
    else:
        reply = stage.say("say.returned", **said)
    return stage.end("call", "think.done", reply, stated=("returned",))


def exchange(stage: Stage) -> Ending:
    """Exchange an item for another variant, if that is in stock."""
    order, item, product = people.with_goods(stage)
    people.delivered(stage, order, _ago(stage))
    reason, why = _why_back(stage)
    wanted = _instead(stage, order, product, item.sku)
    words = people.variant_of(stage, wanted)
    said = people.named(stage, product)
    stage.ask("exchange", order=order.order_id, product=said, variant=words, why=why)
    stage.call(finding.get_order(order.order_id))
    if not _there(stage, product, wanted):
        return telling.sold_out(stage, product, wanted)
    arguments = {
        "order_id": order.order_id,
        "sku": item.sku,
        "new_sku": wanted.sku,
        "reason": reason,
    }
    result = stage.call(Wanted("exchange_item", arguments))
    if result.error:
        return telling.refused(stage, result)
    return _swapped(stage, "exchanged", order, product, wanted, result)


def change(stage: Stage) -> Ending:
    """Change an item of an open order for another variant."""
    order, item, product = people.with_goods(stage)
    people.processing(stage, order)
    wanted = _instead(stage, order, product, item.sku)
    words, said = people.variant_of(stage, wanted), people.named(stage, product)
    others = [one for one in product.variants if one.sku not in (wanted.sku, item.sku)]
    if others and stage.draw.chance(0.3):
        stage.tag("case:changed_mind")
        other = people.variant_of(stage, stage.draw.pick(others))
        stage.ask(
            "change.changed_mind", order=order.order_id, product=said, variant=words, other=other
        )
    else:
        stage.ask("change", order=order.order_id, product=said, variant=words)
    stage.call(finding.get_order(order.order_id))
    if not _there(stage, product, wanted):
        return telling.sold_out(stage, product, wanted)
    arguments = {"order_id": order.order_id, "sku": item.sku, "new_sku": wanted.sku}
    result = stage.call(Wanted("change_order_item", arguments))
    if result.error:
        return telling.refused(stage, result)
    return _swapped(stage, "changed", order, product, wanted, result)


def place(stage: Stage) -> Ending:
    """Buy something that is called by name."""
    customer = people.some_customer(stage)
    product = people.some_product(stage)
    said = people.named(stage, product)
    variant, n = _to_buy(stage, product)
    key = people.key_of(stage, customer)
    stage.ask(
        "place",
        product=said,
        variant=people.variant_of(stage, variant),
        pieces=people.pieces(stage, n),
        customer=key,
    )
    finding.search(stage, product, said)
    return _bought(stage, product, variant, n, key)


def place_from_list(stage: Stage) -> Ending:
    """Buy one of a list that was read out, pointed at just before."""
    shown = finding.point(stage, finding.listing(stage))
    customer = people.some_customer(stage)
    variant, n = _to_buy(stage, shown.product)
    key, words = people.key_of(stage, customer), people.variant_of(stage, variant)
    stage.user("stock.it", ref=shown.ref, variant=words)
    left = stage.patch["variants"][variant.sku]["stock"]
    if left < n:
        raise Unfit("who buys what was just said to be sold out")
    stage.agent("agent.stock", product=shown.product.name, variant=words, n=left)
    stage.ask("place.it", variant=words, pieces=people.pieces(stage, n), customer=key)
    return _bought(stage, shown.product, variant, n, key)


# --- parts


_DONE: Final = ("has been cancelled", "is now cancelled", "取消成功", "已为您取消")
"""What nobody must say of an order that stays."""


def _maybe_open(stage: Stage, order: Order) -> None:
    if stage.draw.chance(_OPEN):
        people.processing(stage, order)
    elif stage.draw.chance(0.5):
        people.shipped(stage, order)
    else:
        people.delivered(stage, order)


def _status_of(stage: Stage, order: Order) -> str:
    changed = stage.patch.get("orders", {}).get(order.order_id) or {}
    return str(changed.get("status", order.status))


def _why_cancel(stage: Stage) -> tuple[CancelReason, str]:
    reason: CancelReason = stage.draw.pick(get_args(CancelReason))
    return reason, stage.say(f"why.{reason}")


def _why_back(stage: Stage) -> tuple[ReturnReason, str]:
    reason: ReturnReason = stage.draw.pick(get_args(ReturnReason))
    return reason, stage.say(f"back.{reason}")


def _ago(stage: Stage) -> int:
    """Days since a delivery; one in six is too long ago."""
    draw = stage.draw
    return draw.between(34, 80) if draw.chance(0.16) else draw.between(1, 28)


def _cancel(stage: Stage, order_id: str, reason: CancelReason) -> Result:
    return stage.call(Wanted("cancel_order", {"order_id": order_id, "reason": reason}))


def _cancelled(stage: Stage, order: Order | None, result: Result, order_id: str = "") -> Ending:
    if result.error and order is not None:
        ending = telling.refused(stage, result, stated=(_status_of(stage, order),))
        return type(ending)(**{**vars(ending), "must_not": _DONE})
    if result.error:
        raise Unfit(result.because)
    refund = result["refund"]
    number = order.order_id if order else order_id
    reply = stage.say("say.cancelled", order=number, refund=stage.money(refund))
    return stage.end("call", "think.done", reply, stated=("cancelled",))


def _newest(stage: Stage, key: str) -> dict[str, str]:
    """The newest order of a customer. Two of one day would leave open which that is."""
    found = stage.call(finding.find_orders(key))
    first, *rest = found["orders"] or [None]
    if first is None or (rest and rest[0]["placed_on"] == first["placed_on"]):
        raise Unfit("no order is the newest")
    newest: dict[str, str] = first
    return newest


def _new_address(order: Order, new: dict[str, str]) -> Wanted:
    return Wanted("change_order_address", {"order_id": order.order_id, **new})


def _make_good(stage: Stage, order: Order, code: str) -> None:
    """The order and its customer have no coupon yet, and this one asks for little."""
    one = stage.shop.coupon(code)
    stage.change("coupons", code, minimum=100, expires=max(one.expires, "2026-07-01"), category="")
    for other in stage.shop.orders_of(order.customer_id):
        if other.coupon:
            stage.change("orders", other.order_id, coupon="")


def _instead(stage: Stage, order: Order, product: Product, sku: str) -> Variant:
    """Another variant of an item, in stock or not."""
    variant = people.pick(stage, people.others_of(order, product, sku))
    stock = 0 if stage.draw.chance(0.28) else stage.draw.between(5, 30)
    stage.change("variants", variant.sku, stock=stock)
    return variant


def _there(stage: Stage, product: Product, variant: Variant) -> bool:
    """Looks at the shelf, which tells the number of the variant too."""
    found = stage.call(finding.check_stock(product, variant))
    return bool(telling.the_variant(found, variant)["stock"])


def _swapped(
    stage: Stage, done: str, order: Order, product: Product, wanted: Variant, result: Result
) -> Ending:
    amount = result["difference"]
    words = people.variant_of(stage, wanted)
    reply = stage.say(
        f"say.{done}",
        order=order.order_id,
        product=product.name,
        variant=words,
        difference=telling.difference(stage, amount),
    )
    return stage.end("call", "think.done", reply, stated=(done,))


def _to_buy(stage: Stage, product: Product) -> tuple[Variant, int]:
    """A variant and a number of pieces; one in five is sold out, one in ten has too few."""
    variant, n = stage.draw.pick(product.variants), stage.draw.between(1, 3)
    stock = stage.draw.weighted(((0, 0.2), (n - 1, 0.1), (stage.draw.between(n, 30), 0.7)))
    stage.change("variants", variant.sku, stock=stock)
    return variant, n


def _bought(stage: Stage, product: Product, variant: Variant, n: int, key: str) -> Ending:
    found = stage.call(finding.check_stock(product, variant))
    left = int(str(telling.the_variant(found, variant)["stock"]))
    if left == 0:
        return telling.sold_out(stage, product, variant)
    words = people.variant_of(stage, variant)
    if left < n:
        stage.tag("case:out_of_stock")
        reply = stage.say("say.few", product=product.name, variant=words, n=left, needed=n)
        return stage.end("call", "think.sold_out", reply, must=(str(left),), stated=("not",))
    arguments = {"customer": key, "items": [{"sku": variant.sku, "quantity": n}]}
    result = stage.call(Wanted("place_order", arguments))
    if result.error:
        raise Unfit(result.because)
    reply = stage.say(
        "say.placed",
        order=result["order_id"],
        product=product.name,
        variant=words,
        pieces=people.pieces(stage, n),
        total=stage.money(result["total"]),
    )
    return stage.end("call", "think.done", reply, must=(result["order_id"],))

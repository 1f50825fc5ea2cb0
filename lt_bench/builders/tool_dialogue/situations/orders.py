"""What is done with a whole order: cancelled, redirected, given a coupon, or looked for by its customer."""

from __future__ import annotations

from typing import Final, get_args

from lt_bench.builders.tool_dialogue import people
from lt_bench.builders.tool_dialogue.situations import finding, telling
from lt_bench.builders.tool_dialogue.stage import Ending, Result, Stage, Unfit, Wanted
from lt_bench.environments.shop import Order
from lt_bench.environments.shop.records import CancelReason

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

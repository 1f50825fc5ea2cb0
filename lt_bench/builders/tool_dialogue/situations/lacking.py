"""Requests in which something is missing, or may be meant in two ways: the agent asks back."""

from __future__ import annotations

from typing import get_args

from lt_bench.builders.tool_dialogue import people
from lt_bench.builders.tool_dialogue.situations import finding
from lt_bench.builders.tool_dialogue.stage import Ending, Stage, Unfit
from lt_bench.environments.shop import Order
from lt_bench.environments.shop.records import CancelReason


def order_to_track(stage: Stage) -> Ending:
    """Which parcel; whose."""
    stage.ask("lack.track")
    return _asks(stage, "order", stage.say("reply.ask_order"), "order number")


def order_to_cancel(stage: Stage) -> Ending:
    """Which order; whose."""
    stage.ask("lack.cancel", why=_why(stage))
    return _asks(stage, "order", stage.say("reply.ask_order"), "order number")


def reason(stage: Stage) -> Ending:
    """Why it is cancelled."""
    (order,) = people.some_orders(stage)
    people.processing(stage, order)
    stage.ask("lack.reason", order=order.order_id)
    return _asks(stage, "reason", stage.say("reply.ask_reason", order=order.order_id), "reason")


def return_reason(stage: Stage) -> Ending:
    """Why it goes back."""
    order, _, product = people.with_goods(stage)
    people.delivered(stage, order)
    stage.ask("lack.return_reason", order=order.order_id, product=people.named(stage, product))
    reply = stage.say("reply.ask_return_reason", product=product.name)
    return _asks(stage, "reason", reply, "reason")


def address(stage: Stage) -> Ending:
    """Where to."""
    (order,) = people.some_orders(stage)
    people.processing(stage, order)
    stage.ask("lack.address", order=order.order_id)
    reply = stage.say("reply.ask_address", order=order.order_id)
    return _asks(stage, "address", reply, "address")


def postcode(stage: Stage) -> Ending:
    """The last part of an address."""
    (order,) = people.some_orders(stage)
    people.processing(stage, order)
    new, stage.exact = people.some_address(stage), True
    said = {"street": new["street"], "city": new["city"]}
    stage.ask("lack.postcode", order=order.order_id, **said)
    return _asks(stage, "postcode", stage.say("reply.ask_postcode", **said), "postcode")


def customer(stage: Stage) -> Ending:
    """Who buys."""
    product = people.some_product(stage)
    variant = people.some_variant(stage, product, stocked=True)
    stage.ask(
        "lack.customer",
        product=people.named(stage, product),
        variant=people.variant_of(stage, variant),
    )
    return _asks(stage, "customer", stage.say("reply.ask_customer"), "customer number")


def code(stage: Stage) -> Ending:
    """Which coupon."""
    (order,) = people.some_orders(stage)
    people.processing(stage, order)
    stage.ask("lack.code", order=order.order_id)
    return _asks(stage, "code", stage.say("reply.ask_code", order=order.order_id), "code")


def which(stage: Stage) -> Ending:
    """One of a list, but which."""
    some = finding.listing(stage)[:2]
    both = set(some[0].colors) & set(some[1].colors)
    color = people.pick(stage, sorted(both))
    stage.ask("lack.which", color=color)
    reply = stage.say(
        "reply.ask_which", product=people.short(stage, some[0]), second=people.short(stage, some[1])
    )
    return _asks(stage, "which", reply, "which")


def which_order(stage: Stage) -> Ending:
    """One of two open orders that were read out."""
    known = [one for one in people.customers(stage) if len(_unreturned(stage, one.customer_id)) > 1]
    one = people.pick(stage, known)
    stage.person = one.customer_id
    first, second = stage.draw.sample(_unreturned(stage, one.customer_id), 2)
    for order in _unreturned(stage, one.customer_id):
        if order in (first, second):
            people.processing(stage, order)
        else:
            people.delivered(stage, order)
    key = people.key_of(stage, one)
    found = stage.look("find_orders", customer=key, status="processing")
    placed = {order["order_id"]: order["placed_on"] for order in found["orders"]}
    stage.user("user.open_orders", customer=key)
    stage.agent(
        "agent.open_orders",
        order=first.order_id,
        placed=placed[first.order_id],
        second=second.order_id,
        later=placed[second.order_id],
    )
    stage.tag("ref:ellipsis")
    stage.ask("lack.which_order", why=_why(stage))
    reply = stage.say("reply.ask_which_order", order=first.order_id, second=second.order_id)
    return _asks(stage, "which_order", reply, "which")


def variant(stage: Stage) -> Ending:
    """Another one, but which."""
    order, item, product = people.with_goods(stage)
    people.processing(stage, order)
    if len(people.others_of(order, product, item.sku)) < 2:
        raise Unfit("there is nothing to choose")
    stage.ask("lack.variant", order=order.order_id, product=people.named(stage, product))
    if product.sizes:
        reply = stage.say("reply.ask_variant", product=product.name)
    else:
        reply = stage.say("reply.ask_variant_color", product=product.name)
    return _asks(stage, "variant", reply, "variant")


def _unreturned(stage: Stage, customer_id: str) -> list[Order]:
    return [one for one in people.orders(stage) if one.customer_id == customer_id]


def _why(stage: Stage) -> str:
    return stage.say(f"why.{stage.draw.pick(get_args(CancelReason))}")


def _asks(stage: Stage, lacking: str, reply: str, stated: str) -> Ending:
    stage.tag(f"lacking:{lacking}")
    what = stage.say(f"what.{lacking}")
    return stage.end("clarify", "think.lacking", reply, stated=(stated,), what=what)
